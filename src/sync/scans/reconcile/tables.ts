import type { Instant } from '../../../kernel/dates.ts';
import type { TierState } from './states.ts';

/** The freshness of the rows of one tier; see reconcile/tiers.ts. */
export interface ReconciliationsTable {
  connection: string;
  tier: string;
  resource: string;
  max_age_s: number;
  /** The moment when the newest complete read began; null: there was none. */
  fresh_since: Instant | null;
  state: TierState;
  tried_at: Instant | null;
  finished_at: Instant | null;
  requests: number;
  rows: number;
  /** The number of failures in a row. */
  failures: number;
  problem: string | null;
}

/** A key for which upstream answered that it does not exist (404). */
interface AbsencesTable {
  connection: string;
  resource: string;
  key: string;
  found_at: Instant;
  /** The number of such answers in a row. */
  times: number;
  ask_again_at: Instant;
}

interface ReconciliationTables {
  reconciliations: ReconciliationsTable;
  absences: AbsencesTable;
}

declare module '../../tables/database.ts' {
  interface Mirror extends ReconciliationTables {}
}

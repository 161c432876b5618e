import type { Generated } from 'kysely';
import type { Instant } from '../kernel/dates.ts';
import type { Json } from './rowFacts.ts';

export type WalkState = 'running' | 'done' | 'suspect' | 'failed';

/** How fresh the rows of one tier are; see reconcile/tiers.ts. */
export interface SweepsTable {
  connection: string;
  tier: string;
  resource: string;
  max_age_s: number;
  /** When the newest complete reading began; null: there was none. */
  fresh_since: Instant | null;
  state: WalkState | 'waiting';
  tried_at: Instant | null;
  finished_at: Instant | null;
  requests: number;
  rows: number;
  /** In a row. */
  failures: number;
  problem: string | null;
}

/** One reading of a resource, or of a part of it. */
export interface WalksTable {
  connection: string;
  walk_id: string;
  resource: string;
  purpose: string;
  state: WalkState;
  started_at: Instant;
  finished_at: Instant | null;
  first_number: number;
  requests: number;
  rows: number;
  cursor: Json | null;
  claimed_until: Instant | null;
  problem: string | null;
  /** Which part of the resource; null: all of it. */
  part: Generated<string | null>;
}

/** Something of which upstream said that it is not there (404). */
export interface AbsencesTable {
  connection: string;
  resource: string;
  key: string;
  found_at: Instant;
  /** In a row. */
  times: number;
  ask_again_at: Instant;
}

export interface SweepTables {
  walks: WalksTable;
  sweeps: SweepsTable;
  absences: AbsencesTable;
}

import type { Generated } from 'kysely';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { Json } from '../../sync/tables/rowFacts.ts';

/** soft: changes are asked about · locked: sealed. A month without a row is open. */
export type PeriodState = 'open' | 'soft' | 'locked';

export interface ExportPeriodsTable {
  connection: string;
  /** `2027-03`. */
  period: string;
  state: PeriodState;
  /** Of the entries that were sealed; null while it is not locked. */
  seal: string | null;
  digest: string;
  policy_hash: string;
  entries: number;
  totals: Json;
  at: Instant;
}

export interface ExportPeriodLogTable {
  connection: string;
  log_id: string;
  period: string;
  action: 'soft_close' | 'lock' | 'reopen' | 'override' | 'confirm_settings';
  at: Instant;
  reason: string | null;
  digest: string | null;
}

/** The settings that locked months may be corrected by. */
export interface ExportSettingsTable {
  connection: string;
  policy_hash: string;
  /** Of the rules that went with them. */
  rules: number;
  settings: Json;
  at: Instant;
}

export interface ExportEntriesTable {
  connection: string;
  entry_id: string;
  group_code: string | null;
  group_number: number | null;
  base: string;
  suffix: string;
  seal: string | null;
  position: number | null;
  chain: string | null;
  body: Json;
}

/**
 * running → prepared (all is written, under a name of its own) → delivered → acknowledged; failed: nothing went out ·
 * unknown: nobody knows whether it arrived · rejected: a person said that it did not, or was thrown away.
 */
const runStates = ['running', 'prepared', 'delivered', 'acknowledged', 'unknown', 'failed', 'rejected'] as const;
export type RunState = (typeof runStates)[number];

export interface ExportRunsTable {
  connection: string;
  run_id: string;
  job: string;
  mode: 'full' | 'incremental';
  from_date: PlainDate;
  to_date: PlainDate;
  state: RunState;
  batch: string | null;
  /** Folder or address. */
  target: string;
  started_at: Instant;
  finished_at: Instant | null;
  entries: number;
  manifest: Json | null;
  manifest_hash: string | null;
  problem: string | null;
}

/** What a job is to do by itself, and which process is at work on it. */
export interface ExportJobsTable {
  connection: string;
  job: string;
  /** The schedule that `due_at` follows from; null: the job has none. */
  pattern: string | null;
  zone: string | null;
  /** Its next time; one that has passed has not been done yet. */
  due_at: Instant | null;
  /** The run that was begun for that time. */
  run_id: string | null;
  /** How often it was tried in vain for that time. */
  attempts: number;
  retry_at: Instant | null;
  problem: string | null;
  held_by: string | null;
  held_until: Instant | null;
}

export interface ExportDeliveriesTable {
  connection: string;
  job: string;
  entry_id: string;
  run_id: string;
}

export interface PayoutsTable {
  connection: string;
  payout_id: string;
  /** What its entries are found by among those of bookings. */
  group_code: string;
  date: PlainDate;
  bank: string;
  account: string;
  amount_minor: number;
  currency: string;
  matched_by: 'named' | 'booking' | 'posting' | 'batch';
  matched_at: Instant;
  undone_at: Generated<Instant | null>;
  undone_reason: Generated<string | null>;
}

export interface PayoutPostingsTable {
  connection: string;
  entry_id: string;
  posting: number;
  payout_id: string;
  reservation_code: string | null;
  amount_minor: number;
}

export interface ExportTables {
  export_periods: ExportPeriodsTable;
  export_period_log: ExportPeriodLogTable;
  export_settings: ExportSettingsTable;
  export_entries: ExportEntriesTable;
  export_runs: ExportRunsTable;
  export_jobs: ExportJobsTable;
  export_deliveries: ExportDeliveriesTable;
  payouts: PayoutsTable;
  payout_postings: PayoutPostingsTable;
}

declare module '../../sync/tables/database.ts' {
  interface Mirror extends ExportTables {}
}

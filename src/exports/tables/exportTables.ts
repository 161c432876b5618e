import type { Generated } from 'kysely';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { RunState } from '../jobs/states.ts';
import type { PeriodState } from '../periods/states.ts';
import type { Json } from '../../sync/tables/rowFacts.ts';

/** The months of the books. */
export interface ExportPeriodsTable {
  connection: string;
  /** `2027-03`. */
  period: string;
  state: PeriodState;
  /** Identifies the sealed entries; null unless the month is locked. */
  seal: string | null;
  digest: string;
  policy_hash: string;
  entries: number;
  totals: Json;
  at: Instant;
}

/** The log of the months: closings, reopenings, overrides and confirmed settings. */
export interface ExportPeriodLogTable {
  connection: string;
  log_id: string;
  period: string;
  action: 'soft_close' | 'lock' | 'reopen' | 'override' | 'confirm_settings';
  at: Instant;
  reason: string | null;
  digest: string | null;
}

/** The settings that may correct locked months. */
interface ExportSettingsTable {
  connection: string;
  policy_hash: string;
  /** Version of the rules with which they applied. */
  rules: number;
  settings: Json;
  at: Instant;
}

/** Entries that were sealed or delivered. */
interface ExportEntriesTable {
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

/** The runs of export jobs. */
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

/** Schedule and holder of each job. */
export interface ExportJobsTable {
  connection: string;
  job: string;
  /** The schedule behind `due_at`; null without one. */
  pattern: string | null;
  zone: string | null;
  /** The next run; a time that has passed is still due. */
  due_at: Instant | null;
  /** The run that began for that time. */
  run_id: string | null;
  /** Number of failed attempts for that time. */
  attempts: number;
  retry_at: Instant | null;
  problem: string | null;
  held_by: string | null;
  held_until: Instant | null;
}

/** The entries that each job has delivered. */
interface ExportDeliveriesTable {
  connection: string;
  job: string;
  entry_id: string;
  run_id: string;
}

/** Payouts that were matched with a statement. */
interface PayoutsTable {
  connection: string;
  payout_id: string;
  /** Finds its entries among those of reservations. */
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

/** The postings that each payout pays out. */
interface PayoutPostingsTable {
  connection: string;
  entry_id: string;
  posting: number;
  payout_id: string;
  reservation_code: string | null;
  amount_minor: number;
}

/** The tables of closings and deliveries. */
interface ExportTables {
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

import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Minor } from '../../kernel/money.ts';
import type { Json } from '../../core/database.ts';

declare module '../../core/database.ts' {
  /** The tables of sandbox marketplaces. */
  interface CoreDatabase {
    sandbox_listings: SandboxListingRow;
    sandbox_days: SandboxDayRow;
    sandbox_requests: SandboxRequestRow;
  }
}

/** A listing on a sandbox marketplace. */
export interface SandboxListingRow {
  account_id: AccountId;
  listing: number;
  settings: Json;
  inventory: number;
  /** The marketplace's share. Some marketplaces show their prices without it. */
  commission_percent: number;
  /** Outcome of the next request that changes something; null: clean. */
  next_outcome: 'warning' | 'failed' | null;
}

/** A day of such a listing; null: as the settings say. */
export interface SandboxDayRow {
  account_id: AccountId;
  listing: number;
  date: PlainDate;
  price: Minor | null;
  inventory: number | null;
  restrictions: Json | null;
}

/** A request to book on a sandbox marketplace, stored when it is first mentioned. */
export interface SandboxRequestRow {
  account_id: AccountId;
  channel_type: string;
  channel_id: string;
  /** null: no answer yet. */
  answer: 'approve' | 'decline' | null;
  answered_at: Instant | null;
  /** Outcome of the next answer; null: accepted. */
  next_outcome: 'failed' | null;
}

import type { Instant } from '../../../kernel/dates.ts';
import type { AccountId } from '../../../kernel/ids.ts';

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

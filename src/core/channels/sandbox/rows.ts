import type { Instant } from '../../../kernel/dates.ts';
import type { AccountId } from '../../../kernel/ids.ts';

/** A request to book as a sandbox marketplace has it, from the first time that somebody speaks of it. */
export interface SandboxRequestRow {
  account_id: AccountId;
  channel_type: string;
  channel_id: string;
  /** null: none has come. */
  answer: 'approve' | 'decline' | null;
  answered_at: Instant | null;
  /** How the next answer ends; null: it is taken. */
  next_outcome: 'failed' | null;
}

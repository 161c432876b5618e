import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Json } from '../flag.ts';

/** A file that somebody gave, in pieces of its own. */
export interface UploadRow {
  account_id: AccountId;
  upload: string;
  name: string;
  /** How many there are; null while they are being stored. */
  pieces: number | null;
  created_at: Instant;
}

export interface UploadPieceRow {
  account_id: AccountId;
  upload: string;
  number: number;
  /** A part of the file, packed by gzip; base64. */
  content: string;
}

export type SetupJobState = 'running' | 'done' | 'failed';

/** Long work that somebody began for an account, the newest alone. */
export interface SetupJobRow {
  account_id: AccountId;
  operator_id: number;
  kind: string;
  /** What is to be done, in the form of its kind. */
  task: Json;
  state: SetupJobState;
  done: number;
  total: number;
  /** What is being done; at the end what came of it, or why it failed. */
  text: string;
  /** What came of it, as pairs. */
  facts: Json;
  begun_at: Instant;
  /** The process that does it. */
  claimed_by: string | null;
  /** Until when no other process does. */
  claimed_until: Instant | null;
}

export interface SetupTables {
  uploads: UploadRow;
  upload_pieces: UploadPieceRow;
  setup_jobs: SetupJobRow;
}

import type { Flag, Json } from '../../core/database.ts';
import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { MailSecurity } from '../../outbound/mailTarget.ts';

declare module '../../core/database.ts' {
  /** The tables of mail. Conversations and messages are those of the core. */
  interface CoreDatabase {
    mailboxes: MailboxRow;
    mail_threads: MailThreadRow;
    mail_log: MailLogRow;
  }
}

/** A mailbox that is read, and in whose name guests are written to. */
export interface MailboxRow {
  account_id: AccountId;
  id: number;
  /** The sender's name that guests see. */
  name: string;
  address: string;
  imap_host: string;
  imap_port: number;
  imap_security: MailSecurity;
  imap_user: string;
  /** Encrypted; context `mailbox_imap:<id>`. */
  imap_password: string;
  folder: string;
  /** null: mail goes out through the installation's own server. */
  smtp_host: string | null;
  smtp_port: number | null;
  smtp_security: MailSecurity | null;
  smtp_user: string | null;
  /** Encrypted; context `mailbox_smtp:<id>`. */
  smtp_password: string | null;
  /** 1: what is sent to name+anything@ arrives here, so answers can carry their conversation in the address. */
  plus_addresses: Flag;
  /** Name by which the mailbox's own server signs its checks of senders; null: the name of the IMAP server. */
  authserv_id: string | null;
  state: 'active' | 'paused';
  created_at: Instant;
  /** null: never read. A server that changes it has numbered its mails again. */
  uid_validity: string | null;
  /** The number of the last mail that was taken in. */
  last_uid: number;
  /** Milliseconds since the epoch; what arrived before does not concern us. */
  since: number;
  /** Milliseconds since the epoch; null: not read. */
  next_read_at: number | null;
  /** Milliseconds since the epoch until which one reader has the mailbox to itself; null: nobody reads it. */
  reading_until: number | null;
  /** Milliseconds since the epoch at which the old end of its log was cut off last. */
  log_pruned_at: number | null;
  tried_at: Instant | null;
  good_at: Instant | null;
  /** Failed reads in a row. */
  failures: number;
  /** Why the last read failed; null: it did not. */
  problem: string | null;
  sent_at: Instant | null;
  send_failed_at: Instant | null;
  /** Why the last mail could not be sent; null: it could. */
  send_problem: string | null;
}

/** A conversation by mail. `thread` is its name on the channel. */
export interface MailThreadRow {
  account_id: AccountId;
  thread: string;
  mailbox_id: number;
  /** Stands in the Message-ID and the reply address of what we send. */
  token: string;
  /** Whom answers go to, in lower case; empty: erased. */
  address: string;
  name: string;
  subject: string;
  /** Message-ID of the newest mail of the guest. */
  last_message_id: string | null;
  /** JSON array of Message-IDs, the oldest first. */
  reference_ids: Json;
  created_at: Instant;
}

/**
 * What a mail was taken for. message: it is in its conversation · automatic, receipt, list, bounce: written by a program ·
 * own: sent from the mailbox itself · held: too many came from its sender · duplicate: its Message-ID came before ·
 * unreadable: it could not be taken apart · sent, failed, unknown: ours.
 */
export const mailKinds = [
  'message',
  'automatic',
  'receipt',
  'list',
  'bounce',
  'own',
  'held',
  'duplicate',
  'unreadable',
  'sent',
  'failed',
  'unknown',
] as const;
export type MailKind = (typeof mailKinds)[number];

/** A mail that came or went. */
export interface MailLogRow {
  account_id: AccountId;
  id: number;
  mailbox_id: number;
  direction: 'in' | 'out';
  kind: MailKind;
  /** Digest of the Message-ID, or of the whole mail if it has none. */
  message_key: string;
  uid_validity: string | null;
  uid: number | null;
  size: number;
  thread: string | null;
  /** The message of the conversation. */
  message_id: string | null;
  /** Of the other side, in lower case; empty: unknown or erased. */
  address: string;
  subject: string;
  /** What the mailbox's own server says of the sender, such as `spf=pass dkim=pass dmarc=pass`. */
  checks: string | null;
  /** What was found, for people. */
  says: string | null;
  /** Our message that a bounce is about. */
  about_message_id: string | null;
  needs_a_look: Flag;
  noted_at: Instant;
}

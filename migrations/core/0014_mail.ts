import type { Kysely } from 'kysely';
import { createSequences } from '../../src/store/leases/sequences.ts';
import { createTable } from '../tables.ts';

// Why: guests who book directly write by e-mail. Mailboxes are read and written through; each mail that came or went
// stands in a log, so that none is taken in twice and none is lost silently, and each conversation by mail remembers whom
// it is with and what its mails were called.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSequences(db, ['mailboxes', 'mail_log']);
  await createTable(db, {
    name: 'mailboxes',
    columns: {
      account_id: 'text!',
      id: 'bigint!',
      name: 'text!',
      address: 'text!',
      imap_host: 'text!',
      imap_port: 'integer!',
      imap_security: 'text!',
      imap_user: 'text!',
      imap_password: 'text!',
      folder: 'text!',
      smtp_host: 'text',
      smtp_port: 'integer',
      smtp_security: 'text',
      smtp_user: 'text',
      smtp_password: 'text',
      plus_addresses: 'integer!',
      authserv_id: 'text',
      state: 'text!',
      created_at: 'text!',
      uid_validity: 'text',
      last_uid: 'bigint!',
      since: 'bigint!',
      next_read_at: 'bigint',
      tried_at: 'text',
      good_at: 'text',
      failures: 'integer!',
      problem: 'text',
      sent_at: 'text',
      send_failed_at: 'text',
      send_problem: 'text',
    },
    key: ['account_id', 'id'],
    indexes: [{ name: 'mailboxes_due', columns: ['next_read_at'], where: 'next_read_at is not null' }],
  });
  await createTable(db, {
    name: 'mail_threads',
    columns: {
      account_id: 'text!',
      thread: 'text!',
      mailbox_id: 'bigint!',
      token: 'text! unique',
      address: 'text!',
      name: 'text!',
      subject: 'text!',
      last_message_id: 'text',
      reference_ids: 'text!',
      created_at: 'text!',
    },
    key: ['account_id', 'thread'],
    indexes: [{ name: 'mail_threads_by_address', columns: ['account_id', 'mailbox_id', 'address'] }],
  });
  await createTable(db, {
    name: 'mail_log',
    columns: {
      account_id: 'text!',
      id: 'bigint!',
      mailbox_id: 'bigint!',
      direction: 'text!',
      kind: 'text!',
      message_key: 'text!',
      uid_validity: 'text',
      uid: 'bigint',
      size: 'bigint!',
      thread: 'text',
      message_id: 'text',
      address: 'text!',
      subject: 'text!',
      checks: 'text',
      says: 'text',
      about_message_id: 'text',
      needs_a_look: 'integer!',
      noted_at: 'text!',
    },
    key: ['account_id', 'id'],
    unique: { mail_log_once: ['account_id', 'mailbox_id', 'direction', 'message_key'] },
    indexes: [
      { name: 'mail_log_by_key', columns: ['account_id', 'message_key'] },
      { name: 'mail_log_by_address', columns: ['account_id', 'mailbox_id', 'address', 'noted_at'] },
      { name: 'mail_log_by_message', columns: ['account_id', 'message_id'] },
      { name: 'mail_log_to_look_at', columns: ['account_id', 'mailbox_id'], where: 'needs_a_look = 1' },
    ],
  });
}

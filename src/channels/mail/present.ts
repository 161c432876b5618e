import { withOffset } from '../../kernel/dates.ts';
import { troublesOf } from './health.ts';
import type { MailboxRow, MailLogRow } from './rows.ts';

/** Returns the public form of a mailbox. Its passwords stay secret. @param waiting its mails that nobody has looked at */
export function presentMailbox(
  row: MailboxRow,
  { zone, now, waiting }: { zone: string; now: number; waiting: readonly MailLogRow[] },
) {
  const at = (instant: string | null) => (instant === null ? null : withOffset(instant, zone));
  const troubles =
    row.state === 'paused'
      ? []
      : troublesOf(
          row,
          waiting.filter(({ mailbox_id }) => mailbox_id === row.id),
          now,
        );
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    state: row.state,
    imap: { host: row.imap_host, port: row.imap_port, security: row.imap_security, user: row.imap_user },
    folder: row.folder,
    smtp:
      row.smtp_host === null
        ? null
        : { host: row.smtp_host, port: row.smtp_port, security: row.smtp_security, user: row.smtp_user },
    plus_addresses: row.plus_addresses === 1,
    authserv_id: row.authserv_id,
    created_at: at(row.created_at),
    read: { good_at: at(row.good_at), tried_at: at(row.tried_at), failures: row.failures, problem: row.problem },
    sent: { good_at: at(row.sent_at), failed_at: at(row.send_failed_at), problem: row.send_problem },
    troubles: troubles.map(({ kind, says, remedy }) => ({ kind, says, remedy })),
  };
}

/** Returns the public form of a mail of the log. @param conversations ids by their names on the channel */
export function presentMail(row: MailLogRow, zone: string, conversations: ReadonlyMap<string, string>) {
  return {
    entry: row.id,
    mailbox_id: row.mailbox_id,
    at: withOffset(row.noted_at, zone),
    direction: row.direction,
    kind: row.kind,
    address: row.address,
    subject: row.subject,
    size: row.size,
    uid: row.uid,
    checks: row.checks,
    says: row.says,
    conversation_id: row.thread === null ? null : (conversations.get(row.thread) ?? null),
    message_id: row.message_id,
    about_message_id: row.about_message_id,
    needs_a_look: row.needs_a_look === 1,
  };
}

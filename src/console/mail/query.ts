import { z } from 'zod';
import type { Visit } from '../visit.ts';

const server = z.object({ host: z.string(), port: z.int(), security: z.string(), user: z.string() });
const mailbox = z.object({
  id: z.int(),
  name: z.string(),
  address: z.string(),
  state: z.enum(['active', 'paused']),
  imap: server,
  smtp: server.nullable(),
  read: z.object({ good_at: z.string().nullable(), problem: z.string().nullable() }),
  sent: z.object({ good_at: z.string().nullable(), problem: z.string().nullable() }),
  troubles: z.array(z.object({ kind: z.string(), says: z.string() })),
});
const mail = z.object({
  entry: z.int(),
  mailbox_id: z.int(),
  at: z.string(),
  direction: z.enum(['in', 'out']),
  kind: z.string(),
  address: z.string(),
  subject: z.string(),
  checks: z.string().nullable(),
  says: z.string().nullable(),
  conversation_id: z.string().nullable(),
  needs_a_look: z.boolean(),
});

export type Mailbox = z.output<typeof mailbox>;
export type LoggedMail = z.output<typeof mail>;

/** Entries of the log that are shown. */
const SHOWN = 50;

/** Reads the mailboxes, the mails that wait for a look, and the newest ones. */
export async function readMailPage(
  visit: Visit,
): Promise<{ mailboxes: readonly Mailbox[]; waiting: readonly LoggedMail[]; log: readonly LoggedMail[] }> {
  const all = z.object({ mailboxes: z.array(mailbox) }).parse(await visit.portal('GET /portal/mailboxes'));
  const mails = z.object({ mails: z.array(mail) });
  const waiting = mails.parse(await visit.portal('GET /portal/mailboxes/log', { waiting: 'true', limit: SHOWN }));
  const log = mails.parse(await visit.portal('GET /portal/mailboxes/log', { limit: SHOWN }));
  return { mailboxes: all.mailboxes, waiting: waiting.mails, log: log.mails };
}

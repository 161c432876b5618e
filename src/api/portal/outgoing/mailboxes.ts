import { z } from 'zod';
import { id as idOf } from '../../../contract/fields.ts';
import {
  addMailboxOf,
  changeMailboxOf,
  type MailKeeper,
  type MailServices,
  readMailboxOf,
  removeMailboxOf,
  requireMailbox,
  settleMailOf,
  takeMailOf,
  testMailboxOf,
} from '../../../channels/mail/manage.ts';
import { presentMail, presentMailbox } from '../../../channels/mail/present.ts';
import type { MailboxRow } from '../../../channels/mail/rows.ts';
import { conversationsOfThreads, logOf, mailboxesOf } from '../../../channels/mail/table.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { Caller } from '../../access.ts';
import { type PortalServices, portalRoute } from '../route.ts';
import { accountOf, operatorOf, requireMain } from '../who.ts';

const account = z.string().min(1).optional();
const id = idOf('A mailbox.');
const entry = idOf('A mail of the log.');
const name = z.string().trim().min(1).max(80);
const text = z.string().trim().min(1).max(254);
const password = z.string().min(1).max(1_000);
const security = z.enum(['tls', 'starttls', 'none']);
const port = z.int().min(1).max(65_535);
const imap = { host: text, port, security, user: text, password };
const smtp = z.object({
  host: text,
  port: port.default(587),
  security: security.default('starttls'),
  user: text.optional(),
  password: password.optional(),
});
/** Most entries of the log in one answer. */
const MOST_ENTRIES = 1_000;

/** Mailboxes: how direct guests write, and are written to. */
export const mailboxRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/mailboxes',
    access: 'read',
    input: z.object({ account }),
    run: async ({ services, caller, input }) => {
      const { who, mail } = await keeperOf(services, caller, input.account);
      const rows = await mailboxesOf(mail.core.store.db, who.account.account_id);
      return { mailboxes: await Promise.all(rows.map((row) => shown(mail, who, row))) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/mailboxes',
    access: 'write',
    input: z.object({
      account,
      name,
      address: text,
      imap: z.object({
        ...imap,
        port: port.default(993),
        security: security.default('tls'),
        user: text.optional(),
      }),
      folder: text.default('INBOX'),
      smtp: smtp.nullable().default(null),
      plus_addresses: z.boolean().default(false),
      authserv_id: text.nullable().default(null),
    }),
    run: async ({ services, caller, input: { account: named, ...draft } }) => {
      const { who, mail } = await keeperOf(services, caller, named);
      const { user = draft.address } = draft.imap;
      const whole = { ...draft, imap: { ...draft.imap, user }, smtp: signedIn(draft.smtp, { ...draft.imap, user }) };
      return shown(mail, who, await addMailboxOf(mail, who, whole));
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/portal/mailboxes/:id',
    access: 'write',
    input: z.object({
      account,
      id,
      name: name.optional(),
      imap: z.object(imap).partial().optional(),
      folder: text.optional(),
      smtp: z
        .object({ ...imap, port: port.default(587), security: security.default('starttls') })
        .nullable()
        .optional(),
      plus_addresses: z.boolean().optional(),
      authserv_id: text.nullable().optional(),
      state: z.enum(['active', 'paused']).optional(),
    }),
    run: async ({ services, caller, input: { account: named, ...wanted } }) => {
      const { who, mail } = await keeperOf(services, caller, named);
      return shown(mail, who, await changeMailboxOf(mail, who, wanted));
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/mailboxes/:id',
    access: 'write',
    input: z.object({ account, id }),
    run: async ({ services, caller, input }) => {
      const { who, mail } = await keeperOf(services, caller, input.account);
      await removeMailboxOf(mail, who, input.id);
      return { id: input.id };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/mailboxes/:id/test',
    access: 'write',
    input: z.object({ account, id }),
    run: async ({ services, caller, input }) => {
      const { who, mail } = await keeperOf(services, caller, input.account);
      const { imap: reading, smtp: sending } = await testMailboxOf(mail, who, input.id);
      return { id: input.id, imap: reading, smtp: sending };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/mailboxes/:id/read',
    access: 'write',
    input: z.object({ account, id }),
    run: async ({ services, caller, input }) => {
      const { who, mail } = await keeperOf(services, caller, input.account);
      const { mailbox, outcome } = await readMailboxOf(mail, who, input.id);
      return { ...(await shown(mail, who, mailbox)), outcome };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/mailboxes/log',
    access: 'read',
    input: z.object({
      account,
      mailbox: z.coerce.number().int().positive().optional(),
      waiting: z.enum(['true', 'false']).optional(),
      limit: z.coerce.number().int().min(1).max(MOST_ENTRIES).default(50),
    }),
    run: async ({ services, caller, input }) => {
      const { who, mail } = await keeperOf(services, caller, input.account);
      const { db } = mail.core.store;
      const { account_id: accountId, time_zone } = who.account;
      if (input.mailbox !== undefined) await requireMailbox(mail.core, who, input.mailbox);
      const asked = { mailboxId: input.mailbox, needsLook: input.waiting === 'true', limit: input.limit };
      const rows = await logOf(db, { accountId, ...asked });
      const threads = [...new Set(rows.flatMap(({ thread }) => thread ?? []))];
      const conversations = await conversationsOfThreads(db, accountId, threads);
      return { mails: rows.map((row) => presentMail(row, time_zone, conversations)) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/mailboxes/log/:entry/settle',
    access: 'write',
    input: z.object({ account, entry }),
    run: async ({ services, caller, input }) => {
      const { who, mail } = await keeperOf(services, caller, input.account);
      await settleMailOf(mail, who, input.entry);
      return { entry: input.entry };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/mailboxes/log/:entry/take',
    access: 'write',
    input: z.object({ account, entry }),
    run: async ({ services, caller, input }) => {
      const { who, mail } = await keeperOf(services, caller, input.account);
      const { kind, conversationId = null } = await takeMailOf(mail, who, input.entry);
      return { entry: input.entry, kind, conversation_id: conversationId };
    },
  }),
];

/** Most providers want the same user and password for sending as for reading. */
function signedIn(given: z.output<typeof smtp> | null, { user, password: same }: { user: string; password: string }) {
  return given && { ...given, user: given.user ?? user, password: given.password ?? same };
}

async function shown(
  mail: MailServices,
  { account: { account_id: accountId, time_zone: zone } }: MailKeeper,
  row: MailboxRow,
) {
  const { store, clock } = mail.core;
  const waiting = await logOf(store.db, { accountId, mailboxId: row.id, needsLook: true, limit: MOST_ENTRIES });
  return presentMailbox(row, { zone, now: clock.now(), waiting: waiting.toReversed() });
}

/** Returns who asks, and what reads mailboxes. @throws ApiError 401 for a sub-account, 409 where no core runs */
async function keeperOf(services: PortalServices, caller: Caller, named: string | undefined) {
  requireMain(caller);
  const { mail } = services;
  if (mail === null) throw new ApiError(409, 'Mailboxes belong to a core, and none runs here.');
  const who: MailKeeper = { account: await accountOf(services, caller, named), operator: operatorOf(caller) };
  return { who, mail };
}

import { z } from 'zod';
import { ApiError } from '../../kernel/errors.ts';
import { consoleAction, consolePage } from '../page.ts';
import { securities } from './form.ts';
import { readMailPage } from './query.ts';
import { mailView } from './view.ts';

const id = z.coerce.number().int();
const entry = z.coerce.number().int();
const address = z.string();
const text = z.string().trim();
const port = z.coerce.number().int();
const security = z.enum(securities);
const outcome = z.discriminatedUnion('read', [
  z.object({ read: z.literal('good'), kinds: z.record(z.string(), z.int()) }),
  z.object({ read: z.literal('failed'), problem: z.string() }),
  z.object({ read: z.literal('gone') }),
]);

/** Mail: the mailboxes of direct guests, how they fare, and what came and went. */
export const mailPage = consolePage({
  path: 'mail',
  right: 'setup',
  needsCore: true,
  title: (texts) => texts.mail.title,
  question: z.object({}),
  actions: [
    consoleAction({
      name: 'add',
      right: 'setup',
      isQuiet: true,
      fields: z.object({
        name: text,
        address: text,
        imap_host: text,
        imap_port: port,
        imap_security: security,
        imap_user: text.default(''),
        imap_password: z.string(),
        smtp_host: text.default(''),
        smtp_port: port,
        smtp_security: security,
        smtp_user: text.default(''),
        smtp_password: z.string().default(''),
        plus_addresses: z.literal('on').optional(),
        authserv_id: text.default(''),
      }),
      async run(visit, fields) {
        const { imap_user, smtp_host, smtp_user, smtp_password, authserv_id } = fields;
        await visit.portal('POST /portal/mailboxes', {
          name: fields.name,
          address: fields.address,
          imap: {
            host: fields.imap_host,
            port: fields.imap_port,
            security: fields.imap_security,
            password: fields.imap_password,
            ...(imap_user !== '' && { user: imap_user }),
          },
          ...(smtp_host !== '' && {
            smtp: {
              host: smtp_host,
              port: fields.smtp_port,
              security: fields.smtp_security,
              ...(smtp_user !== '' && { user: smtp_user }),
              ...(smtp_password !== '' && { password: smtp_password }),
            },
          }),
          plus_addresses: fields.plus_addresses === 'on',
          ...(authserv_id !== '' && { authserv_id }),
        });
        return { said: visit.texts.mail.added(fields.address), to: visit.address('mail') };
      },
    }),
    consoleAction({
      name: 'test',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ id, address }),
      async run(visit, fields) {
        const words = visit.texts.mail;
        const trial = z.object({ imap: z.string().nullable(), smtp: z.string().nullable() });
        const { imap, smtp } = trial.parse(await visit.portal('POST /portal/mailboxes/:id/test', { id: fields.id }));
        const problem = imap ?? smtp;
        if (problem !== null) throw new ApiError(409, imap === null ? words.notSent(problem) : words.notRead(problem));
        return { said: words.tested(fields.address) };
      },
    }),
    consoleAction({
      name: 'read',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ id, address }),
      async run(visit, fields) {
        const words = visit.texts.mail;
        const answer = z
          .object({ outcome })
          .parse(await visit.portal('POST /portal/mailboxes/:id/read', { id: fields.id }));
        if (answer.outcome.read === 'failed') throw new ApiError(409, words.notRead(answer.outcome.problem));
        const kinds = answer.outcome.read === 'good' ? answer.outcome.kinds : {};
        const parts = Object.entries(kinds).map(([kind, count]) => `${count} × ${words.kinds[kind] ?? kind}`);
        return { said: words.wasRead(fields.address, parts.join(', ')) };
      },
    }),
    consoleAction({
      name: 'pause',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ id, address }),
      async run(visit, fields) {
        await visit.portal('PATCH /portal/mailboxes/:id', { id: fields.id, state: 'paused' });
        return { said: visit.texts.mail.pausedNow(fields.address) };
      },
    }),
    consoleAction({
      name: 'resume',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ id, address }),
      async run(visit, fields) {
        await visit.portal('PATCH /portal/mailboxes/:id', { id: fields.id, state: 'active' });
        return { said: visit.texts.mail.resumedNow(fields.address) };
      },
    }),
    consoleAction({
      name: 'remove',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ id, address }),
      async run(visit, fields) {
        await visit.portal('DELETE /portal/mailboxes/:id', { id: fields.id });
        return { said: visit.texts.mail.removed(fields.address) };
      },
    }),
    consoleAction({
      name: 'settle',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ entry }),
      async run(visit, fields) {
        await visit.portal('POST /portal/mailboxes/log/:entry/settle', fields);
        return { said: visit.texts.mail.settled };
      },
    }),
    consoleAction({
      name: 'take',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ entry }),
      async run(visit, fields) {
        await visit.portal('POST /portal/mailboxes/log/:entry/take', fields);
        return { said: visit.texts.mail.taken };
      },
    }),
  ],
  render: async (visit) => mailView(visit, await readMailPage(visit)),
});

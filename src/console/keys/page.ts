import { z } from 'zod';
import { html } from '../../kernel/markup/html.ts';
import { consoleAction, consolePage } from '../page.ts';
import { readKeys } from './query.ts';
import { keysView, secretView } from './view.ts';

const made = z.object({ token: z.string() });
const endpoint = z.looseObject({ secret: z.string() });
const pinged = z.looseObject({ outcome: z.string().optional() });

/** Access: tokens for programs, webhooks of v3, and endpoints that are told of the mirror's changes. */
export const keysPage = consolePage({
  path: 'access',
  right: 'setup',
  title: (texts) => texts.keys.title,
  question: z.object({}),
  actions: [
    consoleAction({
      name: 'token',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ name: z.string().trim().min(1).max(100), scope: z.enum(['read', 'write']) }),
      async run(visit, fields) {
        const { token } = made.parse(await visit.portal('POST /portal/tokens', fields));
        const words = visit.texts.keys;
        return { said: words.tokenMade(fields.name), shows: secretView(visit, words.tokenOnce, token) };
      },
    }),
    consoleAction({
      name: 'revoke',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ id: z.coerce.number().int() }),
      async run(visit, { id }) {
        await visit.portal('DELETE /portal/tokens/:id', { id });
        return { said: visit.texts.keys.revoked };
      },
    }),
    consoleAction({
      name: 'remove-webhook',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ id: z.coerce.number().int() }),
      async run(visit, { id }) {
        await visit.portal('DELETE /portal/webhooks/:id', { id });
        return { said: visit.texts.keys.webhookRemoved };
      },
    }),
    consoleAction({
      name: 'endpoint',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ url: z.string(), persons: z.literal('on').optional() }),
      async run(visit, { url, persons }) {
        const answer = await visit.portal('POST /portal/endpoints', { url, persons: persons === 'on' });
        const words = visit.texts.keys;
        return {
          said: words.endpointMade(url),
          shows: secretView(visit, words.secretOnce, endpoint.parse(answer).secret),
        };
      },
    }),
    consoleAction({
      name: 'ping',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ endpoint_id: z.string() }),
      async run(visit, fields) {
        const { outcome = '' } = pinged.parse(await visit.portal('POST /portal/endpoints/:endpoint_id/ping', fields));
        return { said: visit.texts.keys.pinged(outcome) };
      },
    }),
    consoleAction({
      name: 'remove-endpoint',
      right: 'setup',
      isQuiet: true,
      fields: z.object({ endpoint_id: z.string() }),
      async run(visit, fields) {
        await visit.portal('DELETE /portal/endpoints/:endpoint_id', fields);
        return { said: visit.texts.keys.endpointRemoved };
      },
    }),
  ],
  render: async (visit) => html`${keysView(visit, await readKeys(visit))}`,
});

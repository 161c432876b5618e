import { z } from 'zod';
import { consoleAction } from '../page.ts';
import type { Visit } from '../visit.ts';

const id = z.coerce.number().int();
const property_id = z.coerce.number().int();
const name = z.string().trim().min(1).max(60);
const url = z.string().trim().optional();
const shows = z.union([z.array(z.string()), z.string().transform((one) => [one])]).default([]);

const stored = z.object({ id: z.int(), name: z.string() });
const outcome = z.discriminatedUnion('read', [
  z.object({
    read: z.literal('good'),
    events: z.int(),
    booked: z.int(),
    altered: z.int(),
    cancelled: z.int(),
    nights_closed: z.int(),
  }),
  z.object({ read: z.literal('failed'), problem: z.string() }),
  z.object({ read: z.literal('gone') }),
]);
const readOnce = stored.extend({ outcome: outcome.nullable() });

export const channelActions = [
  consoleAction({
    name: 'add',
    right: 'setup',
    fields: z.object({ property_id, name, url }),
    async run(visit, fields) {
      const added = readOnce.parse(await visit.portal('POST /portal/feeds', { ...fields, audience: 'channel' }));
      const said = [visit.texts.feeds.connected(added.name), ...sayOutcome(visit, added.outcome)];
      return { said: said.join(' '), to: visit.address('channels', { feed: added.id }) };
    },
  }),
  consoleAction({
    name: 'add-private',
    right: 'setup',
    isQuiet: true,
    fields: z.object({ property_id, name, shows }),
    async run(visit, fields) {
      const added = stored.parse(await visit.portal('POST /portal/feeds', { ...fields, audience: 'private' }));
      return { said: visit.texts.feeds.privateMade(added.name), to: visit.address('channels', { feed: added.id }) };
    },
  }),
  consoleAction({
    name: 'read',
    right: 'setup',
    fields: z.object({ id }),
    async run(visit, fields) {
      const read = readOnce.parse(await visit.portal('POST /portal/feeds/:id/read', fields));
      return { said: sayOutcome(visit, read.outcome).join(' ') };
    },
  }),
  consoleAction({
    name: 'change',
    right: 'setup',
    isQuiet: true,
    fields: z.object({ id, name, url, shows }),
    async run(visit, fields) {
      const changed = await change(visit, fields);
      return { said: visit.texts.feeds.changed(changed.name) };
    },
  }),
  consoleAction({
    name: 'set-state',
    right: 'setup',
    isQuiet: true,
    fields: z.object({ id, state: z.enum(['active', 'paused']) }),
    async run(visit, fields) {
      const changed = await change(visit, fields);
      const { paused, resumed } = visit.texts.feeds;
      return { said: fields.state === 'paused' ? paused(changed.name) : resumed(changed.name) };
    },
  }),
  consoleAction({
    name: 'renew',
    right: 'setup',
    isQuiet: true,
    fields: z.object({ id }),
    async run(visit, fields) {
      await change(visit, { ...fields, new_token: true });
      return { said: visit.texts.feeds.renewed };
    },
  }),
  consoleAction({
    name: 'remove',
    right: 'setup',
    fields: z.object({ id, name, cancel: z.literal('1').optional() }),
    async run(visit, fields) {
      const order = { id: fields.id, cancel_reservations: fields.cancel !== undefined };
      await visit.portal('DELETE /portal/feeds/:id', order);
      return { said: visit.texts.feeds.removed(fields.name), to: visit.address('channels') };
    },
  }),
  consoleAction({
    name: 'cancel',
    right: 'setup',
    fields: z.object({ id, entry: z.coerce.number().int() }),
    async run(visit, fields) {
      await visit.portal('POST /portal/feeds/:id/entries/:entry/cancel', fields);
      return { said: visit.texts.feeds.cancelled };
    },
  }),
  consoleAction({
    name: 'settle',
    right: 'setup',
    isQuiet: true,
    fields: z.object({ id, entry: z.coerce.number().int() }),
    async run(visit, fields) {
      await visit.portal('POST /portal/feeds/:id/entries/:entry/settle', fields);
      return { said: visit.texts.feeds.settled };
    },
  }),
];

async function change(visit: Visit, fields: Readonly<Record<string, unknown>>): Promise<z.output<typeof stored>> {
  return stored.parse(await visit.portal('PATCH /portal/feeds/:id', fields));
}

/** Returns one sentence on what was read; none if nothing was to be read. */
function sayOutcome({ texts }: Visit, read: z.output<typeof outcome> | null): string[] {
  const words = texts.feeds;
  if (read === null) return [];
  if (read.read === 'good') return [words.readWell(read)];
  return [read.read === 'failed' ? words.readFailed(read.problem) : words.readGone];
}

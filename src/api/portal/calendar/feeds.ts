import { z } from 'zod';
import { id as idOf } from '../../../contract/fields.ts';
import {
  addFeedOf,
  cancelEntryOf,
  changeFeedOf,
  type FeedKeeper,
  readFeedOf,
  removeFeedOf,
  requireFeed,
  settleClashOf,
} from '../../../channels/feeds/manage.ts';
import type { FeedOutcome } from '../../../channels/feeds/poll.ts';
import { presentClashes, presentEntry, presentFeed } from '../../../channels/feeds/present.ts';
import { privateDetails } from '../../../channels/feeds/shown.ts';
import { sourceChoices } from '../../../channels/feeds/sources.ts';
import { clashesOf, entriesOf, feedsOf } from '../../../channels/feeds/table.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { Caller } from '../../access.ts';
import { type PortalServices, portalRoute } from '../route.ts';
import { accountOf, operatorOf, visibleTo } from '../who.ts';

const account = z.string().min(1).optional();
const id = idOf('A feed.');
const name = z.string().trim().min(1).max(60);
const url = z.string().trim().min(1).max(2_048);
const source = z.enum(sourceChoices, { error: `must be one of ${sourceChoices.join(', ')}` });
const shows = z.array(z.enum(privateDetails)).max(privateDetails.length);

/** Calendars of units at marketplaces that have no API, and those of people. */
export const feedRoutes = [
  portalRoute({
    method: 'GET',
    path: '/portal/feeds',
    access: 'read',
    input: z.object({ account, property_id: z.coerce.number().int().positive().optional() }),
    run: async ({ services, caller, input }) => {
      const { who, core } = await keeperOf(services, caller, input.account);
      const asked = input.property_id === undefined ? null : [input.property_id];
      const properties = asked?.filter((one) => who.visible?.includes(one) ?? true) ?? who.visible;
      const rows = await feedsOf(core.store.db, { accountId: who.account.account_id, properties });
      const clashes = await clashesOf(core.store.db, who.account.account_id);
      const zone = who.account.time_zone;
      return {
        feeds: rows.map((row) => ({
          ...presentFeed(core, row, zone),
          clashes: presentClashes(core, row, zone, clashes),
        })),
      };
    },
  }),
  portalRoute({
    method: 'GET',
    path: '/portal/feeds/:id',
    access: 'read',
    input: z.object({ account, id: z.coerce.number().int().positive() }),
    run: async ({ services, caller, input }) => {
      const { who, core } = await keeperOf(services, caller, input.account);
      const feed = await requireFeed(core, who, input.id);
      const entries = await entriesOf(core.store.db, feed);
      return { ...presentFeed(core, feed, who.account.time_zone), entries: entries.map(presentEntry) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/feeds',
    access: 'write',
    input: z.object({
      account,
      property_id: idOf('Whose calendar it is.'),
      name,
      audience: z.enum(['channel', 'private']).default('channel'),
      url: url.optional(),
      source: source.optional(),
      shows: shows.optional(),
    }),
    run: async ({ services, caller, input: { account: named, ...draft } }) => {
      const { who, core, reader } = await keeperOf(services, caller, named);
      const { feed, outcome } = await addFeedOf(core, reader, who, draft);
      return { ...presentFeed(core, feed, who.account.time_zone), outcome: outcome && presentOutcome(outcome) };
    },
  }),
  portalRoute({
    method: 'PATCH',
    path: '/portal/feeds/:id',
    access: 'write',
    input: z.object({
      account,
      id,
      name: name.optional(),
      url: url.optional(),
      source: source.optional(),
      shows: shows.optional(),
      state: z.enum(['active', 'paused']).optional(),
      new_token: z.boolean().optional(),
    }),
    run: async ({ services, caller, input: { account: named, ...wanted } }) => {
      const { who, core, reader } = await keeperOf(services, caller, named);
      return presentFeed(core, await changeFeedOf(core, reader, who, wanted), who.account.time_zone);
    },
  }),
  portalRoute({
    method: 'DELETE',
    path: '/portal/feeds/:id',
    access: 'write',
    input: z.object({ account, id, cancel_reservations: z.boolean().default(false) }),
    run: async ({ services, caller, input }) => {
      const { who, core } = await keeperOf(services, caller, input.account);
      await removeFeedOf(core, who, input.id, input.cancel_reservations);
      return { id: input.id };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/feeds/:id/read',
    access: 'write',
    input: z.object({ account, id }),
    run: async ({ services, caller, input }) => {
      const { who, core, reader } = await keeperOf(services, caller, input.account);
      const { feed, outcome } = await readFeedOf(core, reader, who, input.id);
      return { ...presentFeed(core, feed, who.account.time_zone), outcome: presentOutcome(outcome) };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/feeds/:id/entries/:entry/cancel',
    access: 'write',
    input: z.object({ account, id, entry: idOf('An event of the feed.') }),
    run: async ({ services, caller, input }) => {
      const { who, core } = await keeperOf(services, caller, input.account);
      await cancelEntryOf(core, who, input.id, input.entry);
      return { id: input.id, entry: input.entry };
    },
  }),
  portalRoute({
    method: 'POST',
    path: '/portal/feeds/:id/entries/:entry/settle',
    access: 'write',
    input: z.object({ account, id, entry: idOf('An event of the feed.') }),
    run: async ({ services, caller, input }) => {
      const { who, core } = await keeperOf(services, caller, input.account);
      await settleClashOf(core, who, input.id, input.entry);
      return { id: input.id, entry: input.entry };
    },
  }),
];

/** Returns who asks, and what reads feeds. @throws ApiError 409 where no core runs */
async function keeperOf(services: PortalServices, caller: Caller, named: string | undefined) {
  const { core, feeds } = services;
  if (feeds === null) throw new ApiError(409, 'Calendar feeds belong to a core, and none runs here.');
  const account = await accountOf(services, caller, named);
  const who: FeedKeeper = { account, operator: operatorOf(caller), visible: visibleTo(caller) };
  return { who, core, reader: feeds };
}

function presentOutcome(outcome: FeedOutcome): object {
  if (outcome.read !== 'good') return outcome;
  const count = (what: string) => outcome.steps.filter((step) => step.do === what).length;
  return {
    read: 'good',
    events: outcome.events,
    booked: count('book'),
    altered: count('alter'),
    cancelled: count('cancel'),
    nights_closed: outcome.closed,
  };
}

import { z } from 'zod';
import type { Visit } from '../visit.ts';

const feed = z.object({
  id: z.int(),
  property_id: z.int(),
  name: z.string(),
  source: z.string(),
  source_name: z.string(),
  audience: z.enum(['channel', 'private']),
  state: z.enum(['active', 'paused']),
  host: z.string().nullable(),
  calendar_url: z.string(),
  shows: z.array(z.string()),
  read: z.object({
    good_at: z.string().nullable(),
    tried_at: z.string().nullable(),
    problem: z.string().nullable(),
    events: z.int().nullable(),
    unreadable: z.string().nullable(),
  }),
  fetched: z.object({ at: z.string().nullable(), by: z.string().nullable() }),
});
const listedFeed = feed.extend({ clashes: z.object({ events: z.int(), nights: z.int() }) });
const listed = z.object({ feeds: z.array(listedFeed) });
const entry = z.object({
  entry: z.int(),
  start_date: z.string(),
  end_date: z.string(),
  kind: z.string(),
  reference: z.string().nullable(),
  reservation_code: z.string().nullable(),
  missing_since: z.string().nullable(),
  needs_a_look: z.boolean(),
});
const opened = feed.extend({ entries: z.array(entry) });

/** A calendar that a property shares with a marketplace or a person. */
export type Feed = z.output<typeof feed>;
/** The same in the list of all: with what may be sold twice. */
export type ListedFeed = z.output<typeof listedFeed>;
/** A feed with the events that it shows. */
export type OpenFeed = z.output<typeof opened>;
export type FeedEntry = OpenFeed['entries'][number];

/** @param property left out: of all properties */
export async function readFeeds(visit: Visit, property: number | undefined): Promise<ListedFeed[]> {
  return listed.parse(await visit.portal('GET /portal/feeds', { property_id: property })).feeds;
}

/** @throws ApiError 404 */
export async function readOpenFeed(visit: Visit, id: number): Promise<OpenFeed> {
  return opened.parse(await visit.portal('GET /portal/feeds/:id', { id }));
}

/** Returns how a feed fares; `given`: nothing is read from it, ours is given. */
export function stateOf({ host, state, read }: Feed): 'given' | 'paused' | 'failing' | 'active' {
  if (host === null) return 'given';
  if (state === 'paused') return 'paused';
  return read.problem === null ? 'active' : 'failing';
}

import { z } from 'zod';
import type { Change } from '../../core/context.ts';
import type { FeedEntry } from './decide.ts';
import type { FeedEntryRow, FeedRow } from './rows.ts';
import { staysHolding, staysOfFeed } from './table.ts';

const stayIds = z.array(z.int());

/** Stays on nights that a feed closes. */
export interface Overlaps {
  /** Ids of the stays, by the number of the entry. */
  readonly stays: ReadonlyMap<number, readonly number[]>;
  /** Entries that close nights of a stay which no entry of the feed closed before. */
  readonly clashing: ReadonlySet<number>;
}

/**
 * Holds entries that close nights against the stays of others. Whichever came first: nobody can tell from the feed
 * whether it is the same stay. What is there when a feed is read for the first time is taken as known.
 */
export async function overlapsOf(
  { trx }: Change,
  feed: FeedRow,
  { rows, entries }: { rows: readonly FeedEntryRow[]; entries: readonly FeedEntry[] },
): Promise<Overlaps> {
  const claims = entries.filter(({ echo, booked }) => !echo && !booked);
  const [first] = claims;
  if (!first) return { stays: new Map(), clashing: new Set() };
  const from = claims.reduce((least, { start }) => (start < least ? start : least), first.start);
  const to = claims.reduce((most, { end }) => (end > most ? end : most), first.end);
  const own = new Set((await staysOfFeed(trx, feed)).map((stay) => stay.id));
  const window = { accountId: feed.account_id, propertyId: feed.property_id, from, to };
  const others = (await staysHolding(trx, window)).filter(({ id }) => !own.has(id));
  const stays = new Map(
    claims.map(({ entry, start, end }) => {
      const there = others.filter((stay) => stay.check_in_date < end && start < stay.check_out_date);
      return [entry, there.map(({ id }) => id)];
    }),
  );
  const isFirst = feed.good_reads === 0 || (rows.length > 0 && rows.every((row) => row.overlapping_stays === null));
  const known = new Set(rows.flatMap((row) => stayIds.parse(JSON.parse(row.overlapping_stays ?? '[]'))));
  const clashing = isFirst ? [] : claims.filter(({ entry }) => stays.get(entry)?.some((id) => !known.has(id)));
  return { stays, clashing: new Set(clashing.map(({ entry }) => entry)) };
}

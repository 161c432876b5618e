import { addDays, type PlainDate } from '../../../kernel/dates.ts';
import type { z } from 'zod';
import type { Known } from '../../../client/known.ts';
import { CALENDAR_LISTINGS, type calendarDay } from '../../../contract/listings.ts';
import type { Automating } from '../../context.ts';
import { noFacts } from '../../facts/facts.ts';
import { isDated, propertiesById } from '../../facts/mirrorFacts.ts';
import { failingCondition } from '../../rules/conditions.ts';
import type { LoadedRule } from '../../rules/ruleBook.ts';
import type { Taken } from './gaps.ts';

/** Days after the last examined night that can still affect it as neighbours. */
const EDGE_DAYS = 30;

export type WireDay = Known<z.output<typeof calendarDay>>;

/** A property that a round of a rule covers. */
export interface Covered {
  property_id: number;
  /** Accepted stays, including those around the edges. */
  stays: readonly Taken[];
  /** `channel/id` of each listing on a channel of the rule. */
  listings: readonly string[];
}

/** The days of a round, both included. */
export interface Days {
  today: PlainDate;
  last: PlainDate;
}

export function splitListing(listing: string): { channel_type: string; listing_id: string } {
  const at = listing.indexOf('/');
  return { channel_type: listing.slice(0, at), listing_id: listing.slice(at + 1) };
}

/** Returns the listed properties that meet the conditions of a rule. */
export async function coveredProperties(context: Automating, rule: LoadedRule, days: Days): Promise<Covered[]> {
  const { store, connection } = context;
  const posted = await store.db
    .selectFrom('property_listings')
    .select(['property_id', 'listing'])
    .where('connection', '=', connection)
    .orderBy('listing')
    .execute();
  const properties = await propertiesById(store.db, context, [...new Set(posted.map((row) => row.property_id))]);
  const found: Covered[] = [];
  for (const property of properties.values()) {
    const listings = posted
      .filter(({ property_id }) => property_id === property.id)
      .map(({ listing }) => listing)
      .filter((listing) => {
        const { channel_type } = splitListing(listing);
        const facts = { ...noFacts, channel_type, property, day: days.today };
        return failingCondition(rule.if, facts) === undefined;
      });
    if (listings.length === 0) continue;
    found.push({ property_id: property.id, listings, stays: await staysNear(context, property.id, days) });
  }
  return found;
}

async function staysNear(
  { store, connection }: Automating,
  property_id: number,
  { today, last }: Days,
): Promise<Taken[]> {
  const stays = await store.db
    .selectFrom('stays')
    .select(['check_in_date', 'check_out_date'])
    .where('connection', '=', connection)
    .where('property_id', '=', property_id)
    .where('status', '=', 'accepted')
    .where('check_out_date', '>=', addDays(today, -EDGE_DAYS))
    .where('check_in_date', '<=', addDays(last, EDGE_DAYS))
    .where('deleted_at', 'is', null)
    .execute();
  return stays.filter(isDated);
}

/** Reads the calendars of listings as their channels show them now. */
export async function readCalendars(
  { client, signal }: Pick<Automating, 'client' | 'signal'>,
  listings: readonly string[],
  { today, last }: Days,
): Promise<{ listing: string; days: readonly WireDay[] }[]> {
  const found: { listing: string; days: readonly WireDay[] }[] = [];
  for (let start = 0; start < listings.length; start += CALENDAR_LISTINGS) {
    const named = listings.slice(start, start + CALENDAR_LISTINGS).map(splitListing);
    const asked = { listings: named, start_date: today, end_date: last };
    const { data } = await client.call('listCalendars', asked, { purpose: 'reply', signal });
    for (const { channel_type, listing_id, calendar } of data.listings) {
      found.push({ listing: `${channel_type}/${listing_id}`, days: calendar ?? [] });
    }
  }
  return found;
}

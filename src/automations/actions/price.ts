import { addDays, dateIn, type PlainDate } from '../../kernel/dates.ts';
import type { z } from 'zod';
import type { Known } from '../../client/known.ts';
import { CALENDAR_LISTINGS, type calendarDay } from '../../contract/listings.ts';
import { inList } from '../../store/inList.ts';
import type { Automating } from '../context.ts';
import { noFacts } from '../facts.ts';
import { isDated, propertiesById } from '../mirrorFacts.ts';
import { Stopped } from '../perform/stopped.ts';
import type { Plan } from '../plans/table.ts';
import { failingCondition } from '../rules/conditions.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import type { Deed, Situation } from './deed.ts';
import { gapNights, type PriceChange, priceChanges, type PriceMemory } from './gaps.ts';

type WireDay = Known<z.output<typeof calendarDay>>;

/** Its calendar shows what is left for the host: a price cannot be compared with what guests pay. */
const FLOOR_PRICED = 'regional_marketplace';
/** A round sets no more prices than this; the rest comes with the next. */
const MOST_CHANGES = 500;
/** Nights behind the last one that is looked at can still be an edge. */
const EDGE_DAYS = 30;

/** Prices the free nights between two stays, and takes that back when they are none any more. */
export const price: Deed<'price'> = {
  isRepeatable: () => true,
  speaks: false,
  async prepare(situation) {
    const changes = (await changesOf(situation)).slice(0, MOST_CHANGES);
    if (changes.length === 0) throw new Stopped('skipped', 'nothing_to_do');
    const entries = changes.map(({ listing, date, to }) => {
      const [channel_type, listing_id] = splitListing(listing);
      return { channel_type, listing_id, start_date: date, end_date: date, price: to };
    });
    return {
      text: changes.map(({ listing, date, from, to }) => `${listing} ${date}: ${from} → ${to}`).join('\n'),
      async run(guard) {
        await situation.context.client.call('updatePrices', { entries }, guard);
        return { prices: changes };
      },
    };
  },
};

function splitListing(listing: string): [channel: string, id: string] {
  const at = listing.indexOf('/');
  return [listing.slice(0, at), listing.slice(at + 1)];
}

async function changesOf({ context, plan, rule, spec }: Situation<'price'>): Promise<PriceChange[]> {
  const { client, signal, clock, zone } = context;
  const today = dateIn(zone(), clock.now());
  const last = addDays(today, spec.days_ahead);
  const memory = await memoryOf(context, plan);
  const changes: PriceChange[] = [];
  for (const { listings, gaps } of await propertiesWithGaps(context, rule, {
    today,
    last,
    longest: spec.longest_gap,
  })) {
    const wanted = listings.filter(
      (one) => gaps.size > 0 || [...memory.keys()].some((key) => key.startsWith(`${one} `)),
    );
    for (let start = 0; start < wanted.length; start += CALENDAR_LISTINGS) {
      const named = wanted.slice(start, start + CALENDAR_LISTINGS).map((listing) => {
        const [channel_type, listing_id] = splitListing(listing);
        return { channel_type, listing_id };
      });
      const asked = { listings: named, start_date: today, end_date: last };
      const { data } = await client.call('listCalendars', asked, { purpose: 'reply', signal });
      for (const { channel_type, listing_id, calendar } of data.listings) {
        changes.push(...priceChanges(`${channel_type}/${listing_id}`, pricedDays(calendar), gaps, memory, spec));
      }
    }
  }
  return changes;
}

/** A night is priced where its price, and how many units are left, are known. */
function pricedDays(days: readonly WireDay[] | null): { date: PlainDate; price: number | null; inventory: number }[] {
  return (days ?? []).flatMap(({ date, price, inventory }) =>
    date === null || inventory === null ? [] : [{ date, price, inventory }],
  );
}

interface PricedProperty {
  /** Those whose prices can be set from here. */
  listings: string[];
  gaps: ReadonlySet<PlainDate>;
}

async function propertiesWithGaps(
  context: Automating,
  rule: LoadedRule,
  { today, last, longest }: { today: PlainDate; last: PlainDate; longest: number },
): Promise<PricedProperty[]> {
  const { store, connection } = context;
  const posted = await store.db
    .selectFrom('property_listings')
    .select(['property_id', 'listing'])
    .where('connection', '=', connection)
    .execute();
  const properties = await propertiesById(store.db, context, [...new Set(posted.map((row) => row.property_id))]);
  const found: PricedProperty[] = [];
  for (const property of properties.values()) {
    const facts = { ...noFacts, property };
    const { property: _ids, property_tag: _tags, ...others } = rule.if;
    if (failingCondition({ property: rule.if.property, property_tag: rule.if.property_tag }, facts)) continue;
    const stays = await store.db
      .selectFrom('stays')
      .select(['check_in_date', 'check_out_date'])
      .where('connection', '=', connection)
      .where('property_id', '=', property.id)
      .where('status', '=', 'accepted')
      .where('check_out_date', '>=', addDays(today, -EDGE_DAYS))
      .where('check_in_date', '<=', addDays(last, EDGE_DAYS))
      .where('deleted_at', 'is', null)
      .execute();
    const gaps = new Set(gapNights(stays.filter(isDated), today, last, longest));
    const readonly = await readonlyListings(context, property.id, gaps.size > 0);
    const channels = others.channel;
    const listings = posted
      .filter(({ property_id, listing }) => property_id === property.id && !readonly.has(listing))
      .map(({ listing }) => listing)
      .filter((listing) => !listing.startsWith(`${FLOOR_PRICED}/`))
      .filter((listing) => channels === undefined || channels.includes(splitListing(listing)[0]));
    found.push({ listings, gaps });
  }
  return found;
}

async function readonlyListings(
  { client, signal }: Automating,
  property_id: number,
  isNeeded: boolean,
): Promise<Set<string>> {
  if (!isNeeded) return new Set();
  const { data } = await client.call('getPricingRatios', { property_id }, { purpose: 'reply', signal });
  const closed = data.channels.filter((one) => one.readonly);
  return new Set(closed.map(({ channel_type, listing_id }) => `${channel_type}/${listing_id}`));
}

/** What earlier rounds of the rule have made of nights: what they cost before, and what they were set to last. */
async function memoryOf({ store, connection }: Automating, { rule }: Plan): Promise<PriceMemory> {
  const rows = await store.db
    .selectFrom('automation_plans')
    .select(['plan_id', 'result'])
    .where('connection', '=', connection)
    .where('rule', '=', rule)
    .where((eb) => inList(eb.ref('state'), ['sent']))
    .orderBy('plan_id')
    .execute();
  const memory = new Map<string, { from: number; to: number }>();
  for (const { result } of rows) {
    const { prices = [] } = JSON.parse(result ?? '{}') as { prices?: PriceChange[] };
    for (const { listing, date, from, to } of prices) {
      const key = `${listing} ${date}`;
      const known = memory.get(key);
      // Set back: the night is as it was, and may be priced again.
      if (known?.from === to) memory.delete(key);
      else memory.set(key, { from: known?.from ?? from, to });
    }
  }
  return memory;
}

import { addDays, dateIn, daysBetween, type PlainDate } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import { Stopped } from '../perform/stopped.ts';
import type { ActionOf } from '../rules/actions.ts';
import {
  type Covered,
  coveredProperties,
  type Days,
  readCalendars,
  splitListing,
  type WireDay,
} from './nights/covered.ts';
import type { Action, ActionContext } from './action.ts';
import { gapNights, priceChanges } from './nights/gaps.ts';
import { changesIn, memoryOf, type NightChange, type NightMemories } from './nights/memory.ts';
import { occupancyOf, percentsFor, steppedChanges } from './nights/steps.ts';

type Spec = ActionOf<'price'>['with'];
type Memory = NightMemories<number>;
type Change = NightChange<number>;

/** The calendar of this channel shows the host's net amount, which cannot be compared with guest prices. */
const FLOOR_PRICED = 'regional_marketplace';
/** Most prices that a round sets; the next round sets the rest. */
const MOST_CHANGES = 500;

/**
 * Sets the prices of gap nights and restores them when the gap ends, or sets those of all free nights by occupancy and
 * by the days until each night.
 */
export const price: Action<'price'> = {
  isRepeatable: () => true,
  speaks: false,
  asksConditions: true,
  async prepare(actionContext) {
    const changes = (await changesOf(actionContext)).slice(0, MOST_CHANGES);
    if (changes.length === 0) throw new Stopped('skipped', 'nothing_to_do');
    const entries = changes.map(({ listing, date, to }) => {
      return { ...splitListing(listing), start_date: date, end_date: date, price: to };
    });
    // A price that an earlier attempt may have set must stay remembered; it is no base for a new one.
    const prices = [...changesIn<number>(actionContext.plan), ...changes];
    return {
      text: changes.map(({ listing, date, from, to }) => `${listing} ${date}: ${from} → ${to}`).join('\n'),
      intent: { prices },
      async run(guard) {
        await actionContext.context.client.call('updatePrices', { entries }, guard);
        return { prices };
      },
    };
  },
};

async function changesOf(actionContext: ActionContext<'price'>): Promise<Change[]> {
  const { context, plan, rule, spec } = actionContext;
  const today = dateIn(context.zone(), context.clock.now());
  const days = { today, last: addDays(today, spec.days_ahead) };
  const memory = await memoryOf<number>(context, plan, { forgets: spec.nights === 'gaps' });
  const all = await coveredProperties(context, rule, days);
  const changes: Change[] = [];
  const judgeFor = judging(spec, all, memory, days);
  for (const covered of all) {
    const judge = judgeFor(covered);
    const listings = await pricedListings(context, covered, judge.isAbout);
    for (const { listing, days: calendar } of await readCalendars(context, listings, days)) {
      changes.push(...judge.changes(listing, pricedDays(calendar)));
    }
  }
  return changes;
}

interface PricedDay {
  date: PlainDate;
  price: number | null;
  inventory: number;
}

/** Decides the prices of a property's nights. */
interface Judge {
  /** Returns true if a price of the listing may need a change. */
  isAbout(listing: string): boolean;
  changes(listing: string, calendar: readonly PricedDay[]): Change[];
}

function judging(spec: Spec, all: readonly Covered[], memory: Memory, days: Days): (covered: Covered) => Judge {
  if (spec.nights === 'free') {
    const judge = stepJudge(spec, all, memory, days);
    return () => judge;
  }
  return (covered) => gapJudge(spec, covered, memory, days);
}

function gapJudge(
  spec: Extract<Spec, { nights: 'gaps' }>,
  { stays }: Covered,
  memory: Memory,
  { today, last }: Days,
): Judge {
  const gaps = new Set(gapNights(stays, today, last, spec.longest_gap));
  return {
    isAbout: (listing) => gaps.size > 0 || [...memory.own.keys()].some((key) => key.startsWith(`${listing} `)),
    changes: (listing, calendar) => priceChanges(listing, calendar, gaps, memory, spec),
  };
}

function stepJudge(
  spec: Extract<Spec, { nights: 'free' }>,
  all: readonly Covered[],
  memory: Memory,
  { today, last }: Days,
): Judge {
  const stays = all.map((one) => one.stays);
  const occupancy = occupancyOf(stays, spec.occupancy_days, { first: today, last });
  const percentsOn = (date: PlainDate) =>
    percentsFor(spec, { occupancy: occupancy(date), leadDays: daysBetween(today, date) });
  return {
    isAbout: () => true,
    changes: (listing, calendar) => steppedChanges(listing, calendar, percentsOn, memory, spec),
  };
}

/** Returns the days with a known price and a known number of free units. */
function pricedDays(days: readonly WireDay[]): PricedDay[] {
  return days.flatMap(({ date, price: amount, inventory }) =>
    date === null || inventory === null ? [] : [{ date, price: amount, inventory }],
  );
}

/** Returns the listings whose prices can be set here and compared with guest prices. */
async function pricedListings(
  { client, signal }: Automating,
  { property_id, listings }: Covered,
  isAbout: (listing: string) => boolean,
): Promise<string[]> {
  const wanted = listings.filter((one) => splitListing(one).channel_type !== FLOOR_PRICED && isAbout(one));
  if (wanted.length === 0) return [];
  const { data } = await client.call('getPricingRatios', { property_id }, { purpose: 'reply', signal });
  const closed = new Set(
    data.channels.filter((one) => one.readonly).map(({ channel_type, listing_id }) => `${channel_type}/${listing_id}`),
  );
  return wanted.filter((one) => !closed.has(one));
}

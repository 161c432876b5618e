import { addDaysWithin, nightsOf, type PlainDate } from '../../../kernel/dates.ts';
import type { Taken } from './gaps.ts';
import { baseOf, nightKey, type NightChange, type NightMemories } from './memory.ts';

/** Price changes by the occupancy of the properties and by the days until a night. */
interface Steps {
  by_occupancy: readonly { at_least: number; change_percent: number }[];
  by_lead_days: readonly { at_most: number; change_percent: number }[];
}

/** The known facts of a night; null means unknown. */
interface NightFacts {
  occupancy: number | null;
  leadDays: number;
}

/** Returns the changes for a night: the highest reached step by occupancy, and the nearest step by days. */
export function percentsFor({ by_occupancy, by_lead_days }: Steps, { occupancy, leadDays }: NightFacts): number[] {
  const full = by_occupancy
    .filter(({ at_least }) => occupancy !== null && occupancy >= at_least)
    .toSorted((a, b) => b.at_least - a.at_least)[0];
  return [full, nearest(by_lead_days, leadDays)].flatMap((step) => step?.change_percent ?? []);
}

/** Returns the nearest step by days that still includes the night. */
export function nearest<Step extends { at_most: number }>(steps: readonly Step[], leadDays: number): Step | undefined {
  return steps.filter(({ at_most }) => leadDays <= at_most).toSorted((a, b) => a.at_most - b.at_most)[0];
}

/**
 * Returns a price after successive changes, in whole units and within the bounds; without a change, the price itself.
 * The bounds never turn a discount into a surcharge or the reverse.
 */
export function steppedPrice(
  base: number,
  percents: readonly number[],
  { floor, ceiling }: { floor: number; ceiling: number },
): number {
  const factor = percents.reduce((product, percent) => product * (100 + percent), 1);
  const whole = 100 ** percents.length;
  if (factor === whole) return base;
  const wanted = Math.min(ceiling, Math.max(floor, Math.round((base * factor) / whole)));
  return factor < whole ? Math.min(base, wanted) : Math.max(base, wanted);
}

/**
 * Returns a function that gives the percentage of taken nights around a night, over all properties; null without any
 * nights.
 * @param days number of days around a night
 * @param between the nights that will be asked for, both included
 */
export function occupancyOf(
  properties: readonly (readonly Taken[])[],
  days: number,
  between: { first: PlainDate; last: PlainDate },
): (night: PlainDate) => number | null {
  const before = Math.floor(days / 2);
  const [first, end] = [addDaysWithin(between.first, -before), addDaysWithin(between.last, days)];
  const taken = new Map<PlainDate, number>();
  for (const stays of properties) {
    const nights = stays.flatMap(({ check_in_date, check_out_date }) =>
      nightsOf(later(check_in_date, first), earlier(check_out_date, end)),
    );
    for (const night of new Set(nights)) taken.set(night, (taken.get(night) ?? 0) + 1);
  }
  return (night) => {
    if (properties.length === 0) return null;
    const from = addDaysWithin(night, -before);
    const counts = nightsOf(from, addDaysWithin(from, days)).map((one) => taken.get(one) ?? 0);
    return (100 * counts.reduce((sum, count) => sum + count, 0)) / (days * properties.length);
  };
}

const later = (a: PlainDate, b: PlainDate) => (a > b ? a : b);
const earlier = (a: PlainDate, b: PlainDate) => (a < b ? a : b);

/** Returns the prices to set for free nights, each derived from its price without the rule. */
export function steppedChanges(
  listing: string,
  calendar: readonly { date: PlainDate; price: number | null; inventory: number }[],
  percentsOn: (date: PlainDate) => readonly number[],
  { own, gone }: NightMemories<number>,
  bounds: { floor: number; ceiling: number },
): NightChange<number>[] {
  return calendar.flatMap(({ date, price, inventory }) => {
    if (price === null || price <= 0 || inventory < 1) return [];
    const key = nightKey(listing, date);
    const known = baseOf(price, own.get(key), gone.get(key));
    if (!known) return [];
    const to = steppedPrice(known.base, percentsOn(date), bounds);
    return to === price ? [] : [{ listing, date, from: known.base, to }];
  });
}

import { daysBetween, nightsOf, type PlainDate } from '../../../kernel/dates.ts';
import { nightKey, type NightChange, type NightMemories } from './memory.ts';

/** Taken nights, from the first one to the day of departure. */
export interface Taken {
  check_in_date: PlainDate;
  check_out_date: PlainDate;
}

/** Free nights between two stays, from the first one to the day on which the next stay begins. */
interface Gap {
  first: PlainDate;
  end: PlainDate;
}

/**
 * Returns the gaps of a property: free nights between two stays, too few for most guests. Nights before the first stay
 * and after the last are no gap.
 */
export function gapsBetween(stays: readonly Taken[], longest: number): Gap[] {
  const gaps: Gap[] = [];
  const sorted = stays.toSorted((a, b) => (a.check_in_date < b.check_in_date ? -1 : 1));
  let end: PlainDate | undefined;
  for (const { check_in_date, check_out_date } of sorted) {
    const length = end === undefined ? 0 : daysBetween(end, check_in_date);
    if (end !== undefined && length > 0 && length <= longest) gaps.push({ first: end, end: check_in_date });
    if (end === undefined || check_out_date > end) end = check_out_date;
  }
  return gaps;
}

/** Returns the gap nights between two days, both included. */
export function gapNights(stays: readonly Taken[], from: PlainDate, to: PlainDate, longest: number): PlainDate[] {
  return gapsBetween(stays, longest)
    .flatMap(({ first, end }) => nightsOf(first, end))
    .filter((night) => night >= from && night <= to);
}

/** Returns the price of a gap night: changed by a percentage, in whole units, within the bounds. */
function gapPrice(price: number, percent: number, floor: number, ceiling: number): number {
  const wanted = Math.round(price * (1 + percent / 100));
  return Math.min(ceiling, Math.max(floor, wanted));
}

/**
 * Returns the prices to set: for gap nights that were not changed before, and for former gap nights that still have the
 * price set for them. A night that someone else has priced since is left alone. If it is uncertain that an earlier
 * price arrived, the calendar decides.
 */
export function priceChanges(
  listing: string,
  calendar: readonly { date: PlainDate; price: number | null; inventory: number }[],
  gaps: ReadonlySet<PlainDate>,
  { own, gone }: NightMemories<number>,
  spec: { change_percent: number; floor: number; ceiling: number },
): NightChange<number>[] {
  return calendar.flatMap(({ date, price, inventory }) => {
    if (price === null || inventory < 1) return [];
    const key = nightKey(listing, date);
    const done = own.get(key);
    if (gaps.has(date)) {
      // A rule that no longer exists has changed it already.
      if (!done && gone.get(key)?.ours.has(price)) return [];
      const isDone = done !== undefined && (done.isSure || price !== done.from);
      const to = gapPrice(price, spec.change_percent, spec.floor, spec.ceiling);
      return isDone || to === price ? [] : [{ listing, date, from: price, to }];
    }
    if (!done || price === done.from) return [];
    const isOurs = done.isSure ? price === done.to : done.ours.has(price);
    return isOurs ? [{ listing, date, from: price, to: done.from }] : [];
  });
}

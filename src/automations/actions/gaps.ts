import { addDays, daysBetween, type PlainDate } from '../../kernel/dates.ts';

/** Nights that somebody has, from the first to the day of leaving. */
export interface Taken {
  check_in_date: PlainDate;
  check_out_date: PlainDate;
}

/**
 * The free nights between two stays of a property that are so few that hardly anybody books them. Nights before the
 * first stay and behind the last are no gap.
 */
export function gapNights(stays: readonly Taken[], from: PlainDate, to: PlainDate, longest: number): PlainDate[] {
  const nights: PlainDate[] = [];
  const sorted = stays.toSorted((a, b) => (a.check_in_date < b.check_in_date ? -1 : 1));
  let end: PlainDate | undefined;
  for (const { check_in_date, check_out_date } of sorted) {
    const length = end === undefined ? 0 : daysBetween(end, check_in_date);
    if (end !== undefined && length > 0 && length <= longest) {
      for (let day = 0; day < length; day += 1) {
        const night = addDays(end, day);
        if (night >= from && night <= to) nights.push(night);
      }
    }
    if (end === undefined || check_out_date > end) end = check_out_date;
  }
  return nights;
}

/** What a night is to cost: changed by so many per cent, whole units, within the bounds. */
function gapPrice(price: number, percent: number, floor: number, ceiling: number): number {
  const wanted = Math.round(price * (1 + percent / 100));
  return Math.min(ceiling, Math.max(floor, wanted));
}

/** What was done to a night, by listing and date. */
export type PriceMemory = ReadonlyMap<string, { from: number; to: number }>;

export interface PriceChange {
  listing: string;
  date: PlainDate;
  from: number;
  to: number;
}

/**
 * The prices to set: of nights that are gaps and were not touched before, and of nights that are none any more and
 * still cost what they were set to. A night that somebody else has priced since is left alone.
 */
export function priceChanges(
  listing: string,
  calendar: readonly { date: PlainDate; price: number | null; inventory: number }[],
  gaps: ReadonlySet<PlainDate>,
  memory: PriceMemory,
  spec: { change_percent: number; floor: number; ceiling: number },
): PriceChange[] {
  return calendar.flatMap(({ date, price, inventory }) => {
    if (price === null || inventory < 1) return [];
    const done = memory.get(`${listing} ${date}`);
    if (gaps.has(date)) {
      const to = gapPrice(price, spec.change_percent, spec.floor, spec.ceiling);
      return done || to === price ? [] : [{ listing, date, from: price, to }];
    }
    return done && price === done.to && done.from !== done.to ? [{ listing, date, from: price, to: done.from }] : [];
  });
}

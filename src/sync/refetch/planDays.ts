import { addDays, daysBetween, type PlainDate } from '../../kernel/dates.ts';
import { type DateRange, mergeRanges, readRanges } from '../tables/rows/dateHints.ts';

/** The longest span of dates of several properties in one request. */
const UNION_DAYS = 31;
/** The longest range of one request. */
const RANGE_DAYS = 92;
const MOST_PROPERTIES = 100;

/** The dates to read of one property. */
export interface DaysWanted {
  property: number;
  ranges: readonly DateRange[];
}

/** One request: the same dates of several properties. */
export interface DaysRequest {
  properties: number[];
  range: DateRange;
}

/** Returns the readable dates that a hint names; `beyond` says that it named others, too. */
export function readable(
  hint: { hint: string | null; hint_from: PlainDate | null; hint_to: PlainDate | null },
  limits: DateRange,
): { ranges: DateRange[]; beyond: boolean } {
  if (hint.hint === null || hint.hint_from === null || hint.hint_to === null)
    return { ranges: [limits], beyond: false };
  const named = readRanges(hint.hint) ?? [{ from: hint.hint_from, to: hint.hint_to }];
  const ranges = named
    .map(({ from, to }) => ({ from: from > limits.from ? from : limits.from, to: to < limits.to ? to : limits.to }))
    .filter(({ from, to }) => from <= to);
  return { ranges: mergeRanges(ranges), beyond: hint.hint_from < limits.from || hint.hint_to > limits.to };
}

/**
 * Plans as few requests as hold all wanted dates, without requesting many others: properties whose dates are within a
 * month of each other share a request.
 */
export function planDays(wanted: readonly DaysWanted[]): DaysRequest[] {
  const units = wanted
    .flatMap(({ property, ranges }) => ranges.flatMap(cut).map((range) => ({ property, range })))
    .toSorted((a, b) => (a.range.from < b.range.from ? -1 : a.range.from > b.range.from ? 1 : a.property - b.property));
  const requests: DaysRequest[] = [];
  for (const { property, range } of units) {
    const open = requests.find((request) => fits(request, property, range));
    if (open) {
      if (!open.properties.includes(property)) open.properties.push(property);
      open.range = union(open.range, range);
    } else {
      requests.push({ properties: [property], range });
    }
  }
  return requests;
}

function cut({ from, to }: DateRange): DateRange[] {
  const parts: DateRange[] = [];
  for (let start = from; start <= to; start = addDays(start, RANGE_DAYS)) {
    const end = addDays(start, RANGE_DAYS - 1);
    parts.push({ from: start, to: end < to ? end : to });
  }
  return parts;
}

function fits(request: DaysRequest, property: number, range: DateRange): boolean {
  if (request.properties.length >= MOST_PROPERTIES && !request.properties.includes(property)) return false;
  const { from, to } = union(request.range, range);
  const own = Math.max(daysBetween(range.from, range.to), daysBetween(request.range.from, request.range.to)) + 1;
  return daysBetween(from, to) + 1 <= Math.max(own, UNION_DAYS);
}

function union(a: DateRange, b: DateRange): DateRange {
  return { from: a.from < b.from ? a.from : b.from, to: a.to > b.to ? a.to : b.to };
}

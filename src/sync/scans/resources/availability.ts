import { AVAILABILITY_PROPERTIES, AVAILABILITY_YEARS } from '../../../contract/availabilities.ts';
import { CallError } from '../../../client/callError.ts';
import { addDays, addYears, dateIn, type PlainDate } from '../../../kernel/dates.ts';
import type { DateRange } from '../../tables/rows/dateHints.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { AVAILABILITY, type DaysAnswer, NEAR_NIGHTS, readDays } from '../../tables/listings/availability.ts';
import { properties } from '../../tables/portfolio/properties.ts';
import { type DaysBookmark, leftOutOf, windowsWithin } from '../days.ts';
import { type Asking, numbered, type Scan } from '../scan.ts';

/** Makes a scan of nights of all known properties, 100 properties at a time. */
function nightsScan(part: string | undefined, datesOf: (today: PlainDate) => DateRange): Scan {
  return {
    resource: AVAILABILITY,
    ...(part !== undefined && { part }),
    rows: null,
    of: properties,
    cost: (properties) => Math.ceil(properties / AVAILABILITY_PROPERTIES) * windowsWithin(datesOf('2024-01-01')).length,
    async *steps(asking, bookmark) {
      const { connection, zone } = asking.reading;
      const windows = windowsWithin(datesOf(dateIn(zone, asking.clock.now())));
      let cut = bookmark as DaysBookmark<number> | undefined;
      let total = 0;
      let after = cut?.after ?? 0;
      for (;;) {
        const ids = await propertyIds(asking.db, connection, after);
        const last = ids.at(-1);
        if (last === undefined) return { total };
        let { since, leftOut } = cut ?? {};
        const refused = new Map<number, CallError>();
        const doneTo = cut?.doneTo ?? '';
        cut = undefined;
        for (const range of windows.filter(({ to }) => to > doneTo)) {
          const asked = ids.filter((id) => !refused.has(id));
          const { answer, number } = await askNights(asking, asked, range, refused);
          const error = ids.every((id) => refused.has(id)) && refused.get(last);
          if (error) throw error;
          const days = answer.reduce((sum, property) => sum + property.days.length, 0);
          total += days;
          since ??= number;
          const answered = answer.map(({ id }) => id);
          leftOut = leftOutOf(ids, answered, leftOut);
          const isLast = range === windows.at(-1);
          // A part of the nights does not settle the others.
          const complete = new Set(answered.filter((id) => !leftOut?.includes(id)));
          const end = isLast && part === undefined ? { end: { since, complete } } : {};
          const place: DaysBookmark<number> = isLast ? { after: last } : { after, doneTo: range.to, since, leftOut };
          yield {
            rows: days,
            visit: (visitor) => visitor.days({ number, range, properties: answer, ...end }),
            bookmark: place,
          };
        }
        after = last;
      }
    },
  };
}

/** The most properties that may be refused. With more, the fault is not theirs. */
const MOST_REFUSED = 5;

interface Nights {
  answer: DaysAnswer['properties'];
  /** The number of the first of several requests: nothing is older. */
  number: number;
}

/** Reads nights. A refused request is halved until the properties at fault are found; the others are read. */
async function askNights(
  asking: Asking,
  ids: readonly number[],
  range: DateRange,
  refused: Map<number, CallError>,
): Promise<Nights> {
  if (ids.length === 0) return { answer: [], number: await asking.numbers.take() };
  try {
    return await numbered(asking, (options) => readDays(asking.client, ids, range, options));
  } catch (error) {
    if (!(error instanceof CallError) || error.client !== 'fix' || refused.size >= MOST_REFUSED) throw error;
    const [only, ...others] = ids;
    if (only !== undefined && others.length === 0) {
      refused.set(only, error);
      return { answer: [], number: await asking.numbers.take() };
    }
    const half = Math.ceil(ids.length / 2);
    const first = await askNights(asking, ids.slice(0, half), range, refused);
    const second = await askNights(asking, ids.slice(half), range, refused);
    return { answer: [...first.answer, ...second.answer], number: first.number };
  }
}

/**
 * Returns all nights that can be read: from a year back to three years ahead, one day less on each side, since the
 * dates of two places can differ by a day.
 */
export function availabilityDates(today: PlainDate): DateRange {
  return {
    from: addDays(addYears(today, -AVAILABILITY_YEARS.back), 1),
    to: addDays(addYears(today, AVAILABILITY_YEARS.ahead), -1),
  };
}

export const availabilityScan = nightsScan(undefined, availabilityDates);

export const nearNightsScan = nightsScan('near', (today) => ({
  from: addDays(today, -NEAR_NIGHTS.back),
  to: addDays(today, NEAR_NIGHTS.ahead),
}));

async function propertyIds(db: MirrorDb, connection: string, after: number): Promise<number[]> {
  const rows = await db
    .selectFrom('properties')
    .select('id')
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(AVAILABILITY_PROPERTIES)
    .execute();
  return rows.map((row) => row.id);
}

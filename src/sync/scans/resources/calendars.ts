import { CALENDAR_LISTINGS, CALENDAR_YEARS_AHEAD } from '../../../contract/listings.ts';
import { addDays, addYears, dateIn, type PlainDate } from '../../../kernel/dates.ts';
import { absentAmong } from '../absences.ts';
import { askCalendars } from './askCalendars.ts';
import type { DateRange } from '../../tables/rows/dateHints.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { CALENDAR, type CalendarsAnswer, NEAR_CALENDAR } from '../../tables/listings/calendar.ts';
import { listings } from '../../tables/listings/listings.ts';
import { type DaysBookmark, leftOutOf, windowsWithin } from '../days.ts';
import type { Asking, Scan } from '../scan.ts';

/** Returns the dates for which calendars are mirrored. */
export function calendarDates(today: PlainDate): DateRange {
  return { from: addDays(today, -NEAR_CALENDAR.back), to: addYears(today, CALENDAR_YEARS_AHEAD) };
}

/** Makes a scan of days of all known listings, 100 listings at a time. */
function daysScan(part: string | undefined, datesOf: (today: PlainDate) => DateRange): Scan {
  return {
    resource: CALENDAR,
    ...(part !== undefined && { part }),
    rows: null,
    of: listings,
    cost: (rows) => Math.ceil(rows / CALENDAR_LISTINGS) * windowsWithin(datesOf('2024-01-01')).length,
    async *steps(asking, bookmark) {
      const { connection, zone } = asking.reading;
      const windows = windowsWithin(datesOf(dateIn(zone, asking.clock.now())));
      let cut = bookmark as DaysBookmark<string> | undefined;
      let total = 0;
      let after = cut?.after ?? '';
      for (;;) {
        const known = await listingKeys(asking.db, connection, after);
        const last = known.at(-1);
        if (last === undefined) return { total };
        let { since, leftOut } = cut ?? {};
        const doneTo = cut?.doneTo ?? '';
        cut = undefined;
        for (const range of windows.filter(({ to }) => to > doneTo)) {
          // A listing that upstream no longer knows fails the whole request, and each failure counts.
          const keys = await askable(asking, known);
          if (keys.length === 0) break;
          const refused = new Map<string, unknown>();
          const answers = await askCalendars(asking, keys, range, refused);
          for (const error of refused.values()) throw error;
          const isLast = range === windows.at(-1);
          const listingsOf = ({ calendars }: CalendarsAnswer) => calendars.map(({ listing }) => listing);
          leftOut = leftOutOf(known, answers.flatMap(listingsOf), leftOut);
          for (const answer of answers) {
            since = Math.min(since ?? answer.number, answer.number);
            const days = answer.calendars.reduce((sum, { days: own }) => sum + own.length, 0);
            total += days;
            // A part of the days does not settle the others.
            const complete = new Set(listingsOf(answer).filter((key) => !leftOut?.includes(key)));
            const end = isLast && part === undefined ? { end: { since, complete } } : {};
            const isDone = answer === answers.at(-1);
            const place: DaysBookmark<string> = isLast ? { after: last } : { after, doneTo: range.to, since, leftOut };
            yield {
              rows: days,
              visit: (visitor) => visitor.calendars({ ...answer, ...end }),
              ...(isDone && { bookmark: place }),
            };
          }
        }
        after = last;
      }
    },
  };
}

/** Reads all days of all known listings from today to three years ahead. */
export const calendarsScan = daysScan(undefined, calendarDates);

/** Reads the days that are being sold. */
export const nearDaysScan = daysScan('near', (today) => ({
  from: addDays(today, -NEAR_CALENDAR.back),
  to: addDays(today, NEAR_CALENDAR.ahead),
}));

async function askable({ db, reading, clock }: Asking, keys: readonly string[]): Promise<string[]> {
  const absent = await absentAmong(db, { connection: reading.connection, resource: CALENDAR, keys }, clock.now());
  return keys.filter((key) => !absent.has(key));
}

async function listingKeys(db: MirrorDb, connection: string, after: string): Promise<string[]> {
  const rows = await db
    .selectFrom('listings')
    .select('listing')
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .where('listing', '>', after)
    .orderBy('listing')
    .limit(CALENDAR_LISTINGS)
    .execute();
  return rows.map((row) => row.listing);
}

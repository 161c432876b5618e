import { CALENDAR_LISTINGS, CALENDAR_YEARS_AHEAD } from '../../contract/listings.ts';
import { addDays, addYears, dateIn, type PlainDate } from '../../kernel/dates.ts';
import { askCalendars } from '../askCalendars.ts';
import type { DateRange } from '../dateHints.ts';
import type { MirrorDb } from '../database.ts';
import { CALENDAR } from '../mirror/calendar.ts';
import { listings } from '../mirror/listings.ts';
import type { Walk } from './walk.ts';

/** 100 listings times as many days is an answer of some 9,000 days. */
const WINDOW_DAYS = 92;
/** What is gone is read this far back: a day can lie in the past here and not yet where the listing is. */
const DAYS_BACK = 1;

/** The dates of calendars that are kept up to date. */
export function calendarDates(today: PlainDate): DateRange {
  return { from: addDays(today, -DAYS_BACK), to: addYears(today, CALENDAR_YEARS_AHEAD) };
}

/** All days of all known listings from today to three years ahead. */
export const calendarsWalk: Walk = {
  resource: CALENDAR,
  rows: null,
  of: listings,
  cost: (rows) => Math.ceil(rows / CALENDAR_LISTINGS) * windowsOf('2024-01-01').length,
  async *steps(asking) {
    const { connection, zone } = asking.reading;
    const windows = windowsOf(dateIn(zone, asking.clock.now()));
    let total = 0;
    let after = '';
    for (;;) {
      const keys = await listingKeys(asking.db, connection, after);
      const last = keys.at(-1);
      if (last === undefined) return { total };
      let since: number | undefined;
      for (const range of windows) {
        const refused = new Map<string, unknown>();
        const answers = await askCalendars(asking, keys, range, refused);
        for (const error of refused.values()) throw error;
        for (const answer of answers) {
          since = Math.min(since ?? answer.number, answer.number);
          const days = answer.calendars.reduce((sum, { days: own }) => sum + own.length, 0);
          total += days;
          const end = range === windows.at(-1) ? { end: { since } } : {};
          yield { rows: days, visit: (visitor) => visitor.calendars({ ...answer, ...end }) };
        }
      }
      after = last;
    }
  },
};

function windowsOf(today: PlainDate): DateRange[] {
  const { from: first, to: last } = calendarDates(today);
  const windows: DateRange[] = [];
  for (let from = first; from <= last; from = addDays(from, WINDOW_DAYS)) {
    const end = addDays(from, WINDOW_DAYS - 1);
    windows.push({ from, to: end < last ? end : last });
  }
  return windows;
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

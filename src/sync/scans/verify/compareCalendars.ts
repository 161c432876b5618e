import { turn } from '../../../kernel/clock.ts';
import { otherValues, storedCalendars } from '../../apply/applyCalendars.ts';
import type { CalendarsAnswer, DayValues, ListingDays } from '../../tables/listings/calendar.ts';
import type { Finding } from './findings.ts';
import { type Comparing, daysInReach } from './horizon.ts';

const MOST_PATHS = 10;
/** The number of listings that are compared before the event loop has its turn. */
const BATCH = 5;

/** Compares the days of an answer with the mirror. */
export async function compareCalendars(
  context: Comparing,
  { calendars, range }: Pick<CalendarsAnswer, 'calendars' | 'range'>,
): Promise<Finding[]> {
  const { store, connection } = context;
  const findings: Finding[] = [];
  for (let start = 0; start < calendars.length; start += BATCH) {
    const batch = calendars.slice(start, start + BATCH);
    const stored = new Map(batch.map(({ listing }) => [listing, new Map<string, DayValues>()]));
    const listings = [...stored.keys()];
    for (const row of await storedCalendars(store.db, { connection, listings, ...range })) {
      stored.get(row.listing)?.set(row.date, row);
    }
    const isInReach = await daysInReach(context, listings);
    for (const one of batch) {
      const owed = (day: string) => isInReach(one.listing, day);
      findings.push(...compareOne(one, { known: stored.get(one.listing) ?? new Map(), range, owed }));
    }
    await turn();
  }
  return findings;
}

interface Own {
  known: ReadonlyMap<string, DayValues>;
  range: CalendarsAnswer['range'];
  /** Returns true if the mirror should have a day already. */
  owed(day: string): boolean;
}

function compareOne({ listing, days }: ListingDays, { known, range, owed }: Own): Finding[] {
  const answered = new Set(days.map((day) => day.date));
  const different = days
    .map(({ date, values }) => {
      const own = known.get(date);
      return own ? otherValues(own, values).map((name) => `${date} ${name}`) : [];
    })
    .filter((names) => names.length > 0);
  const missing = days.filter(({ date }) => !known.has(date) && owed(date)).map(({ date }) => date);
  const extra = [...known.keys()].filter((date) => !answered.has(date));
  const row = `${range.from}/${range.to}`;
  const finding = (kind: Finding['kind'], days: number, paths: readonly string[]): Finding[] =>
    days === 0 ? [] : [{ kind, key: listing, row, paths: paths.slice(0, MOST_PATHS), days }];
  return [
    ...finding('missing', missing.length, missing),
    ...finding('different', different.length, different.flat()),
    ...finding('extra', extra.length, extra),
  ];
}

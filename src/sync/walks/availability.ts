import { AVAILABILITY_PROPERTIES, AVAILABILITY_YEARS } from '../../contract/availabilities.ts';
import { addDays, addYears, dateIn } from '../../kernel/dates.ts';
import type { DateRange } from '../dateHints.ts';
import type { MirrorDb } from '../database.ts';
import { AVAILABILITY, readDays } from '../mirror/availability.ts';
import { properties } from '../mirror/properties.ts';
import { numbered, type Walk } from './walk.ts';

/** 100 properties times as many days is an answer of some 9,000 nights. */
const WINDOW_DAYS = 92;

/** All nights of all known properties that can be read: from a year back to three years ahead. */
export const availabilityWalk: Walk = {
  resource: AVAILABILITY,
  rows: null,
  of: properties,
  cost: (properties) => Math.ceil(properties / AVAILABILITY_PROPERTIES) * windowsOf('2024-01-01').length,
  async *steps(asking) {
    const { connection, zone } = asking.reading;
    const windows = windowsOf(dateIn(zone, asking.clock.now()));
    let total = 0;
    let after = 0;
    for (;;) {
      const ids = await propertyIds(asking.db, connection, after);
      const last = ids.at(-1);
      if (last === undefined) return { total };
      let since: number | undefined;
      for (const range of windows) {
        const { answer, number } = await numbered(asking, (options) => readDays(asking.client, ids, range, options));
        const days = answer.reduce((sum, property) => sum + property.days.length, 0);
        total += days;
        since ??= number;
        const end = range === windows.at(-1) ? { end: { since } } : {};
        yield { rows: days, visit: (visitor) => visitor.days({ number, range, properties: answer, ...end }) };
      }
      after = last;
    }
  },
};

/** The readable dates in windows, a day inside both limits, since properties can be a day apart. */
export function windowsOf(today: string): DateRange[] {
  const first = addDays(addYears(today, -AVAILABILITY_YEARS.back), 1);
  const last = addDays(addYears(today, AVAILABILITY_YEARS.ahead), -1);
  const windows: DateRange[] = [];
  for (let from = first; from <= last; from = addDays(from, WINDOW_DAYS)) {
    const end = addDays(from, WINDOW_DAYS - 1);
    windows.push({ from, to: end < last ? end : last });
  }
  return windows;
}

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

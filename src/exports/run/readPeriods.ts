import { addDays, type PlainDate } from '../../kernel/dates.ts';
import type { Ask } from '../journal/readFacts.ts';

/** The last day of the newest locked month; null: none is locked. Months are locked one after the other. */
export async function lastLockedDay(ask: Ask, connection: string): Promise<PlainDate | null> {
  const [row] = await ask<{ period: string | null }>(
    `select max(period) as period from export_periods where connection = $1 and state = 'locked'`,
    [connection],
  );
  return row?.period ? lastDayOf(row.period) : null;
}

export async function softPeriods(ask: Ask, connection: string): Promise<string[]> {
  const rows = await ask<{ period: string }>(
    `select period from export_periods where connection = $1 and state = 'soft' order by period`,
    [connection],
  );
  return rows.map((row) => row.period);
}

/** The last day of a month, `2027-03`. */
export function lastDayOf(period: string): PlainDate {
  return addDays(`${monthAfter(period)}-01`, -1);
}

export function monthAfter(period: string): string {
  return addDays(`${period}-28`, 4).slice(0, 7);
}

import { dateIn, type Instant, lastDayOfMonth, msOf, type PlainDate } from '../../kernel/dates.ts';
import type { LockedMonth } from '../journal/entry.ts';
import type { Ask } from '../journal/read/readFacts.ts';

/** Returns the locked months, oldest first. They have no gaps. */
export async function lockedMonths(ask: Ask, connection: string, zone: string): Promise<LockedMonth[]> {
  const rows = await ask<{ period: string; at: Instant }>(
    `select period, at from export_periods where connection = $1 and state = 'locked' order by period`,
    [connection],
  );
  return rows.map(({ period, at }) => ({ period, on: dateIn(zone, msOf(at)) }));
}

/** Returns the last day of the newest locked month, or null if none is locked. */
export function lastLockedDay(locked: readonly LockedMonth[]): PlainDate | null {
  const newest = locked.at(-1);
  return newest ? lastDayOfMonth(newest.period) : null;
}

/** Returns the soft-closed months in order. */
export async function softPeriods(ask: Ask, connection: string): Promise<string[]> {
  const rows = await ask<{ period: string }>(
    `select period from export_periods where connection = $1 and state = 'soft' order by period`,
    [connection],
  );
  return rows.map((row) => row.period);
}

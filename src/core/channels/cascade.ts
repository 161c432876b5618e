import { daysBetween, type PlainDate } from '../../kernel/dates.ts';
import type { Change } from '../context.ts';
import type { Days } from './adapter.ts';
import { listingsOf } from './table.ts';
import { queueTasks } from './tasks/queue.ts';

/** Queues these nights for every listing of a property, so that its channel shows which are free. */
export async function cascadeNights(change: Change, propertyId: number, nights: readonly PlainDate[]): Promise<void> {
  if (nights.length === 0) return;
  const listings = await listingsOf(change.trx, change.account.account_id, [propertyId]);
  const ranges = stretchesOf(nights);
  await queueTasks(
    change,
    listings.map(({ id }) => ({ subject: 'listing', subject_id: id, work: { kind: 'availability', ranges } })),
  );
}

/** Returns dates as ranges, in order, with adjacent days joined. */
export function stretchesOf(dates: readonly PlainDate[]): Days[] {
  const ranges: Days[] = [];
  for (const date of [...new Set(dates)].toSorted()) {
    const last = ranges.at(-1);
    if (last && daysBetween(last.end_date, date) === 1) last.end_date = date;
    else ranges.push({ start_date: date, end_date: date });
  }
  return ranges;
}

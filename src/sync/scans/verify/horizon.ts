import { dateIn, msOf, type Instant, type PlainDate } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { ScanContext } from '../purpose.ts';
import { availabilityDates } from '../resources/availability.ts';
import { calendarDates } from '../resources/calendars.ts';

export type Comparing = Pick<ScanContext, 'store' | 'connection' | 'zone'>;

/**
 * Whether a night was within reach when the nights of its property were last read completely. Each midnight brings one
 * that was not: until the next reading the mirror owes nothing of it.
 */
export async function nightsInReach(comparing: Comparing, ids: readonly number[]) {
  const rows = await comparing.store.db
    .selectFrom('availability_reads')
    .select(['property_id', 'complete_read_at'])
    .where('connection', '=', comparing.connection)
    .where((eb) => inList(eb.ref('property_id'), ids))
    .execute();
  const reads = new Map(rows.map((row) => [row.property_id, row.complete_read_at]));
  return (id: number, night: PlainDate) => isInReach(comparing, reads.get(id), availabilityDates, night);
}

/** The same of a day in the calendar of a listing. */
export async function daysInReach(comparing: Comparing, listings: readonly string[]) {
  const rows = await comparing.store.db
    .selectFrom('calendar_reads')
    .select(['listing', 'complete_read_at'])
    .where('connection', '=', comparing.connection)
    .where((eb) => inList(eb.ref('listing'), listings))
    .execute();
  const reads = new Map(rows.map((row) => [row.listing, row.complete_read_at]));
  return (listing: string, day: PlainDate) => isInReach(comparing, reads.get(listing), calendarDates, day);
}

/** What was never read completely is owed whole. */
function isInReach(
  { zone }: Comparing,
  readAt: Instant | null | undefined,
  datesOf: (today: PlainDate) => { to: PlainDate },
  date: PlainDate,
): boolean {
  return !readAt || date <= datesOf(dateIn(zone(), msOf(readAt))).to;
}

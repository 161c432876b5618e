import { dateIn, msOf, type Instant, type PlainDate } from '../../../kernel/dates.ts';
import { inList } from '../../../store/queries/inList.ts';
import type { ScanContext } from '../purpose.ts';
import { availabilityDates } from '../resources/availability.ts';
import { calendarDates } from '../resources/calendars.ts';

export type Comparing = Pick<ScanContext, 'store' | 'connection' | 'zone'>;

/**
 * Returns a test for nights that were within reach when the nights of their property were last read completely. Each
 * midnight brings one that was not: until the next read the mirror need not have it.
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

/** Does the same as {@link nightsInReach} for days in the calendar of a listing. */
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

/** Returns true for every date if the calendar was never read completely: then the mirror should have all of it. */
function isInReach(
  { zone }: Comparing,
  readAt: Instant | null | undefined,
  datesOf: (today: PlainDate) => { to: PlainDate },
  date: PlainDate,
): boolean {
  return !readAt || date <= datesOf(dateIn(zone(), msOf(readAt))).to;
}

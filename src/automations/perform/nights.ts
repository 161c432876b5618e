import { nightRemarks } from '../../contract/availabilities.ts';
import { addDaysWithin, type PlainDate } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import type { NextNights, StayFacts } from '../facts/facts.ts';

/**
 * The state of a night. `stay` means held by a stay, `closed` blocked by hand or for good, `unknown` taken for an
 * unknown reason.
 */
export type NightState = 'free' | 'stay' | 'closed' | 'unknown';

/**
 * Reads the nights of a property between two dates from its master calendar. Leaves out nights that the calendar does
 * not contain.
 */
export async function readNights(
  { client, signal }: Pick<Automating, 'client' | 'signal'>,
  property_id: number,
  { first, last }: { first: PlainDate; last: PlainDate },
): Promise<Map<PlainDate, NightState>> {
  const asked = { property_ids: String(property_id), start_date: first, end_date: last };
  const { data } = await client.call('listAvailabilities', asked, { purpose: 'reply', signal });
  const days = data.properties.find(({ id }) => id === property_id)?.availabilities ?? [];
  return new Map(
    days.flatMap(({ date, available, remarks }) =>
      date === null || available === null ? [] : [[date, stateOf(available, remarks)] as const],
    ),
  );
}

function stateOf(available: boolean, remarks: string | null): NightState {
  if (available) return 'free';
  if (remarks === nightRemarks.stay) return 'stay';
  return remarks === nightRemarks.block ? 'closed' : 'unknown';
}

type Dated = Pick<StayFacts, 'property_id' | 'check_in_date' | 'check_out_date'>;

/** Reads the availability of the nights before and after a stay. */
export async function nextNights(context: Pick<Automating, 'client' | 'signal'>, stay: Dated): Promise<NextNights> {
  // A stay in the reservation box has no neighbours.
  if (!stay.property_id) return { before: null, after: null };
  const [first, last] = edgesOf(stay);
  const nights = await readNights(context, stay.property_id, { first, last });
  return { before: isFree(nights.get(first)), after: isFree(nights.get(last)) };
}

/** Returns the same as {@link nextNights}, from the mirror. */
export async function mirroredNextNights(
  { store, connection }: Pick<Automating, 'store' | 'connection'>,
  stay: Dated,
): Promise<NextNights> {
  const [first, last] = edgesOf(stay);
  const rows = await store.db
    .selectFrom('availability_days')
    .select(['date', 'available'])
    .where('connection', '=', connection)
    .where('property_id', '=', stay.property_id ?? 0)
    .where('date', 'in', [first, last])
    .execute();
  const known = (date: PlainDate) => {
    const row = rows.find((one) => one.date === date);
    return row ? row.available === 1 : null;
  };
  return { before: known(first), after: known(last) };
}

function edgesOf({ check_in_date, check_out_date }: Dated): [before: PlainDate, after: PlainDate] {
  return [addDaysWithin(check_in_date, -1), check_out_date];
}

function isFree(night: NightState | undefined): boolean | null {
  return night === undefined ? null : night === 'free';
}

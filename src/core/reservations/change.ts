import type { SubEvent } from '../../contract/events.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { Minor } from '../../kernel/money.ts';
import { holdNights, releaseNights } from '../availabilities/nights.ts';
import type { Change } from '../context.ts';
import type { ReservationRow, StayRow } from '../database.ts';
import { editEntry, findEntryById, removeEntry } from '../transactions/entries.ts';
import { addIncome, eventFields } from './book.ts';
import { holdsNights, moved } from './rules.ts';

/** Queues a reservation_updated; without a sub_event the change is a general one. */
export function announceStay(change: Change, stay: StayRow, sub?: SubEvent): void {
  change.emit({ event: 'reservation_updated', ...(sub && { sub_event: sub }), ...eventFields(stay) });
}

/** Cancels every stay of a direct booking and frees its nights at once. */
export async function cancelStays(change: Change, stays: readonly StayRow[]): Promise<void> {
  for (const stay of stays) {
    const status = moved(stay.status, 'cancel_direct');
    await writeStay(change, stay, { status, cancelled_at: instantOf(change.now) });
    await releaseNights(change, stay);
    announceStay(change, stay);
  }
}

/** Moves a stay to other dates. @throws ApiError 409 when a night is taken; nothing has moved then */
export async function moveDates(
  change: Change,
  stay: StayRow,
  dates: Pick<StayRow, 'check_in_date' | 'check_out_date'>,
): Promise<void> {
  if (dates.check_in_date === stay.check_in_date && dates.check_out_date === stay.check_out_date) return;
  await writeStay(change, stay, dates);
  if (holdsNights(stay.status) && stay.property_id !== 0) {
    // Taken after the release, so that a night held before and after is told as taken only.
    const before = await releaseNights(change, stay);
    await holdNights(change, { ...stay, ...dates }, before);
  }
  announceStay(change, stay);
}

export function writeStay(change: Change, stay: StayRow, columns: Partial<StayRow>): Promise<unknown> {
  return change.trx
    .updateTable('stays')
    .set(columns)
    .where('account_id', '=', stay.account_id)
    .where('id', '=', stay.id)
    .execute();
}

export function writeReservation(
  change: Change,
  reservation: ReservationRow,
  columns: Partial<ReservationRow>,
): Promise<unknown> {
  return change.trx
    .updateTable('reservations')
    .set(columns)
    .where('account_id', '=', reservation.account_id)
    .where('reservation_code', '=', reservation.reservation_code)
    .execute();
}

/** Makes, edits or (at zero) removes the one income entry that stands for the received amount. */
export async function setReceived(change: Change, reservation: ReservationRow, amount: Minor): Promise<void> {
  const { income_transaction_id: entryId } = reservation;
  const entry = entryId === null ? undefined : await findEntryById(change, entryId);
  if (!entry) {
    if (amount > 0) {
      const income = { amount, action_at: instantOf(change.now) };
      await addIncome(change, reservation.currency, reservation.reservation_code, income);
    }
    return;
  }
  if (entry.amount === amount) return;
  if (amount === 0) {
    await removeEntry(change, entry);
    await writeReservation(change, reservation, { income_transaction_id: null });
    return;
  }
  await editEntry(change, entry, { amount });
}

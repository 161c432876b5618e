import type { SubEvent } from '../../contract/events.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import type { Minor } from '../../kernel/money.ts';
import { holdNights, releaseNights } from '../availabilities/nights.ts';
import type { TriggerOf } from '../../kernel/transitions.ts';
import type { Change } from '../context.ts';
import type { ReservationRow, StayRow } from '../database.ts';
import { editEntry, findEntryById, removeEntry } from '../transactions/entries.ts';
import { addIncome, eventFields } from './book.ts';
import { requireMove } from '../requireMove.ts';
import { holdsNights, reservationLife } from './rules.ts';
import { stopTimer } from './times/timers.ts';

/** Queues a reservation_updated. Without a sub_event the change is a general one. */
export function announceStay(change: Change, stay: StayRow, sub?: SubEvent): void {
  change.emit({ event: 'reservation_updated', ...(sub && { sub_event: sub }), ...eventFields(stay) });
}

/** Cancels every stay of a direct reservation and frees its nights at once. */
export function cancelStays(change: Change, stays: readonly StayRow[]): Promise<void> {
  return moveStays(change, stays, 'cancel_direct');
}

/**
 * Moves all stays of a reservation to another status and stops its timer. A stay that ends frees its nights.
 * @param at time of the cancellation as the source states it
 * @throws ApiError 400 when the trigger is impossible in their status; nothing has moved then
 */
export async function moveStays(
  change: Change,
  stays: readonly StayRow[],
  trigger: TriggerOf<typeof reservationLife>,
  at: Instant = instantOf(change.now),
): Promise<void> {
  for (const stay of stays) {
    const status = requireMove(reservationLife, stay.status, trigger);
    await writeStay(change, stay, { status, ...(status === 'cancelled' && { cancelled_at: at }) });
    if (!holdsNights(status)) await releaseNights(change, stay);
    announceStay(change, stay);
  }
  const [first] = stays;
  if (first) await stopTimer(change, first);
}

/** Moves a stay to other dates. @throws ApiError 409 when a night is taken; nothing has moved then */
export async function moveDates(
  change: Change,
  stay: StayRow,
  dates: Pick<StayRow, 'check_in_date' | 'check_out_date'>,
): Promise<void> {
  await writeStay(change, stay, dates);
  if (holdsNights(stay.status) && stay.property_id !== 0) {
    // Taken after the release, so that events report a night held before and after as taken only.
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

/** Creates, edits or (at zero) removes the one income entry of the received amount. */
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

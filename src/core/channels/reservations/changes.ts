import type { ReservationStatus } from '../../../contract/reservations.ts';
import type { Instant, PlainDate } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { releaseNights } from '../../availabilities/nights.ts';
import type { Change } from '../../context.ts';
import type { StayRow } from '../../database.ts';
import { announceStay, moveStays, writeReservation, writeStay } from '../../reservations/change.ts';
import { changedColumns } from '../../reservations/changedColumns.ts';
import { placeOrBox } from '../../reservations/place.ts';
import { refundReceived } from '../../reservations/deposits/refund.ts';
import { requireNights } from '../../reservations/require.ts';
import { holdsNights } from '../../reservations/rules.ts';
import { type ChannelIdentity, detailsOf, requireChannelReservation } from './receive.ts';
import { type RateLine, ratesOf } from '../rates.ts';

/** An alteration of one room. Fields that are left out stay. */
export interface RoomAlteration {
  /** Index of the room, in the order in which the reservation was delivered. */
  room: number;
  check_in_date?: PlainDate;
  check_out_date?: PlainDate;
  number_of_guests?: number;
  number_of_adults?: number | null;
  number_of_children?: number | null;
  number_of_infants?: number | null;
  number_of_pets?: number | null;
  lines?: readonly RateLine[];
}

/**
 * Applies an alteration that guest and channel agreed on: dates, guests or rates. A stay whose new nights are taken
 * goes to the reservation box. Repeats change nothing.
 * @throws ApiError 400 when the reservation has ended, 404 when reservation or room is unknown, 422 for impossible
 * dates
 */
export async function alterChannelReservation(
  change: Change,
  identity: ChannelIdentity,
  rooms: readonly RoomAlteration[],
): Promise<void> {
  for (const alteration of rooms) {
    const { reservation, stays } = await requireChannelReservation(change, identity);
    const stay = stays[alteration.room];
    if (!stay) throw new ApiError(404, 'The booking has no such room.');
    if (!holdsNights(stay.status)) throw new ApiError(400, `The reservation is ${stay.status}; it cannot be altered.`);
    const altered = await alterDates(change, stay, alteration);
    await alterGuests(change, altered, alteration);
    if (!alteration.lines) continue;
    const { rate, commission } = ratesOf(alteration.lines);
    const rates = changedColumns(altered, { rate, commission, rate_details: JSON.stringify(alteration.lines) });
    if (Object.keys(rates).length === 0) continue;
    await writeStay(change, altered, rates);
    await writeReservation(change, reservation, {
      total_rate: reservation.total_rate + rate - (stay.rate ?? 0),
      total_commission: reservation.total_commission + commission - (stay.commission ?? 0),
    });
    announceStay(change, altered, 'rates_updated');
  }
}

async function alterDates(change: Change, stay: StayRow, { check_in_date, check_out_date }: RoomAlteration) {
  const dates = changedColumns(stay, { check_in_date, check_out_date });
  if (Object.keys(dates).length === 0) return stay;
  const altered = { ...stay, ...dates };
  requireNights(change, altered);
  await releaseNights(change, stay);
  await writeStay(change, stay, dates);
  const placed = await placeOrBox(change, altered);
  announceStay(change, placed);
  return placed;
}

async function alterGuests(change: Change, stay: StayRow, alteration: RoomAlteration): Promise<void> {
  const { number_of_guests, number_of_adults, number_of_children, number_of_infants, number_of_pets } = alteration;
  const counts = changedColumns(stay, {
    number_of_guests,
    number_of_adults,
    number_of_children,
    number_of_infants,
    number_of_pets,
  });
  if (Object.keys(counts).length === 0) return;
  await writeStay(change, stay, counts);
  announceStay(change, stay);
}

/**
 * Cancels a reservation for the channel or its guest, including an unanswered request and an unpaid reservation. A
 * repeat changes nothing.
 * @throws ApiError 400 when the reservation was denied or timed out before, 404 when it is unknown
 */
export async function cancelChannelReservation(
  change: Change,
  identity: ChannelIdentity,
  cancelledAt?: Instant,
): Promise<ReservationStatus> {
  const { reservation, stays } = await requireChannelReservation(change, identity);
  const standing = stays.filter((stay) => stay.status !== 'cancelled');
  await moveStays(change, standing, 'cancel_on_channel', cancelledAt);
  if (standing.length > 0) {
    await refundReceived(change, reservation, stays);
    change.audit('cancelChannelReservation', stays[0].reservation_code);
  }
  return 'cancelled';
}

/** Stores the details that the channel shows from now on. No event announces them. */
export async function discloseDetails(change: Change, identity: ChannelIdentity, details: object): Promise<void> {
  const { stays } = await requireChannelReservation(change, identity);
  const channel_details = detailsOf(identity.channel_type, details);
  for (const stay of stays) await writeStay(change, stay, { channel_details });
}

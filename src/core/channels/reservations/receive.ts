import type { ReservationStatus } from '../../../contract/reservations.ts';
import { BOOKING_SITE } from '../../../contract/channelAccounts.ts';
import { DETAILED_CHANNEL } from '../../../contract/reservations.ts';
import { type Instant, instantOf, instantWithin, msOf, type PlainDate } from '../../../kernel/dates.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import type { ReservationCode, StayCode } from '../../../kernel/ids.ts';
import type { Currency, Minor } from '../../../kernel/money.ts';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { nextIds } from '../../../store/leases/sequences.ts';
import type { Change } from '../../context.ts';
import type { StayRow } from '../../database.ts';
import { addBooker, type ReservationGuest, eventFields, NOTHING_ARRANGED, stayCode } from '../../reservations/book.ts';
import { lockReservation, staysOf } from '../../reservations/lookup.ts';
import { BOX, placeOrBox } from '../../reservations/place.ts';
import { requireNights } from '../../reservations/require.ts';
import { next } from '../../../kernel/transitions.ts';
import { ANSWER_MS, channelCode, PAYMENT_MS, reservationLife } from '../../reservations/rules.ts';
import { startTimer } from '../../reservations/times/timers.ts';
import { type RateLine, ratesOf, sumOf } from '../rates.ts';

/** A reservation as its channel names it. The same pair is the same reservation for ever. */
export interface ChannelIdentity {
  channel_type: string;
  channel_id: string;
}

/** One room of a channel's reservation. */
export interface ChannelRoom {
  /** The reserved property; 0, or a property that the account does not have, for a listing without one. */
  property_id: number;
  listing_id: string;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  /** Lines of the guest's price, and the channel's share as HOST_SERVICE_FEE. Rate and commission follow from them. */
  lines: readonly RateLine[];
  number_of_guests: number;
  number_of_adults?: number | null;
  number_of_children?: number | null;
  number_of_infants?: number | null;
  number_of_pets?: number | null;
  additional_fees?: readonly { name: string; amount: Minor }[];
}

/** A reservation that a channel delivers. Amounts are in minor units of `currency`. */
export interface ChannelReservation extends ChannelIdentity {
  /**
   * request: to be approved or declined · instant: confirmed · unpaid: confirmed once paid, on the booking site only.
   */
  kind: 'request' | 'instant' | 'unpaid';
  rooms: readonly [ChannelRoom, ...ChannelRoom[]];
  guest: ReservationGuest;
  currency: Currency;
  tax?: Minor | null;
  booked_at: Instant;
  remarks?: string | null;
  conversation_id?: string | null;
  channel_details?: object | null;
  /** End of a request's wait for an answer; by default a day after it was made. */
  answer_until?: Instant;
  /** End of an unpaid reservation's wait; by default half an hour after it was made. */
  pay_until?: Instant;
}

export interface ReceivedReservation {
  reservation_code: ReservationCode;
  status: ReservationStatus;
  /** false: the channel had delivered it before, and nothing was done. */
  created: boolean;
  /** Stays whose nights were taken and that are in the reservation box. */
  boxed: StayCode[];
}

/** Trigger of each kind of reservation. */
const TRIGGERS = { request: 'request', instant: 'book_instantly', unpaid: 'book_unpaid' } as const;

/**
 * Stores a reservation that a channel delivers. It is a fact: a stay whose nights are taken goes to the reservation box
 * instead of being refused. Repeats change nothing.
 * @throws ApiError 400 for an unpaid reservation of a channel other than the booking site, 422 for impossible dates
 */
export async function receiveChannelReservation(
  change: Change,
  booking: ChannelReservation,
): Promise<ReceivedReservation> {
  requireSound(change, booking);
  const { trx, account } = change;
  const code = channelCode(change.core.random, booking.channel_id);
  const identity = {
    account_id: account.account_id,
    channel_type: booking.channel_type,
    channel_id: booking.channel_id,
  };
  const made = await insertMany(trx, 'channel_reservations', [{ ...identity, reservation_code: code }], {
    columns: ['account_id', 'channel_type', 'channel_id'],
  });
  if (made === 0) return knownReservation(change, booking);

  const rates = booking.rooms.map((room) => ratesOf(room.lines));
  await insertMany(trx, 'reservations', [
    {
      account_id: account.account_id,
      reservation_code: code,
      // The channel's own id is in channel_reservations, since two channels may use the same one.
      channel_id: code,
      currency: booking.currency,
      total_rate: sumOf(rates.map((one) => one.rate)),
      total_commission: sumOf(rates.map((one) => one.commission)),
      tax: booking.tax ?? null,
      custom_channel_id: null,
      conversation_id: booking.conversation_id ?? null,
      income_transaction_id: null,
    },
  ]);
  const stays = await addChannelStays(change, booking, code);
  await waitFor(change, booking, code);
  const placed: StayRow[] = [];
  for (const stay of stays) placed.push(await placeOrBox(change, stay));
  for (const stay of placed) change.emit({ event: 'reservation_created', ...eventFields(stay) });
  change.audit('receiveChannelReservation', code);
  return { reservation_code: code, status: statusOf(booking), created: true, boxed: boxedOf(placed) };
}

function requireSound(change: Change, booking: ChannelReservation): void {
  if (booking.channel_type === 'direct') throw invalid('channel_type', 'is that of bookings made by hand');
  if (booking.kind === 'unpaid' && booking.channel_type !== BOOKING_SITE) {
    throw new ApiError(400, 'Only bookings of the booking site wait for their payment.');
  }
  for (const room of booking.rooms) requireNights(change, room);
}

function statusOf(booking: ChannelReservation): ReservationStatus {
  return next(reservationLife, null, TRIGGERS[booking.kind]);
}

async function knownReservation(change: Change, identity: ChannelIdentity): Promise<ReceivedReservation> {
  const { stays } = await requireChannelReservation(change, identity);
  const [first] = stays;
  return { reservation_code: first.reservation_code, status: first.status, created: false, boxed: boxedOf(stays) };
}

function boxedOf(stays: readonly StayRow[]): StayCode[] {
  return stays.filter((stay) => stay.property_id === BOX).map((stay) => stay.stay_code);
}

async function addChannelStays(change: Change, booking: ChannelReservation, code: ReservationCode): Promise<StayRow[]> {
  const { account, trx } = change;
  const firstId = await nextIds(trx, 'stays', booking.rooms.length);
  const own = await ownProperties(
    change,
    booking.rooms.map((room) => room.property_id),
  );
  const stays = booking.rooms.map((room, index): StayRow => {
    const { rate, commission } = ratesOf(room.lines);
    return {
      account_id: account.account_id,
      id: firstId + index,
      stay_code: stayCode(code, index, booking.rooms.length),
      reservation_code: code,
      property_id: own.has(room.property_id) ? room.property_id : BOX,
      channel_type: booking.channel_type,
      listing_id: room.listing_id,
      status: statusOf(booking),
      stay_status: 'checkin_pending',
      check_in_date: room.check_in_date,
      check_out_date: room.check_out_date,
      number_of_guests: room.number_of_guests,
      number_of_adults: room.number_of_adults ?? null,
      number_of_children: room.number_of_children ?? null,
      number_of_infants: room.number_of_infants ?? null,
      number_of_pets: room.number_of_pets ?? null,
      rate,
      commission,
      rate_details: JSON.stringify(room.lines),
      additional_fees: JSON.stringify(room.additional_fees ?? []),
      booked_at: booking.booked_at,
      created_at: instantOf(change.now),
      cancelled_at: null,
      creator: null,
      note: null,
      channel_remarks: booking.remarks ?? null,
      channel_details: detailsOf(booking.channel_type, booking.channel_details),
      ...NOTHING_ARRANGED,
    };
  });
  await insertMany(trx, 'stays', stays);
  await addBooker(change, booking.guest, stays);
  return stays;
}

/** Returns the stored form of a channel's details; null for channels that have none. */
export function detailsOf(channelType: string, details: object | null | undefined): string | null {
  return channelType === DETAILED_CHANNEL && details ? JSON.stringify({ [DETAILED_CHANNEL]: details }) : null;
}

async function ownProperties({ trx, account }: Change, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await trx
    .selectFrom('properties')
    .where('account_id', '=', account.account_id)
    .where((where) => inList(where.ref('id'), ids))
    .select('id')
    .execute();
  return new Set(rows.map((row) => row.id));
}

async function waitFor(change: Change, booking: ChannelReservation, code: ReservationCode): Promise<void> {
  const of = { account_id: change.account.account_id, reservation_code: code };
  const after = (ms: number) => instantWithin(msOf(booking.booked_at) + ms);
  if (booking.kind === 'request') await startTimer(change, of, booking.answer_until ?? after(ANSWER_MS));
  if (booking.kind === 'unpaid') await startTimer(change, of, booking.pay_until ?? after(PAYMENT_MS));
}

/**
 * Returns a channel's reservation and its stays, locked until the change ends. @throws ApiError 404 when there is none
 */
export async function requireChannelReservation(change: Change, identity: ChannelIdentity) {
  const { trx, account } = change;
  const known = await trx
    .selectFrom('channel_reservations')
    .where('account_id', '=', account.account_id)
    .where('channel_type', '=', identity.channel_type)
    .where('channel_id', '=', identity.channel_id)
    .select('reservation_code')
    .executeTakeFirst();
  const reservation = known && (await lockReservation(trx, account.account_id, known.reservation_code));
  const [first, ...others] = known ? await staysOf(trx, account.account_id, known.reservation_code) : [];
  if (!reservation || !first) throw new ApiError(404, 'The channel has delivered no such booking.');
  return { reservation, stays: [first, ...others] as const };
}

/**
 * Records a channel's report by its reference.
 * @returns false when it was reported before and must not count twice
 */
export async function isNews(
  change: Change,
  code: ReservationCode,
  fact: { kind: string; reference: string },
): Promise<boolean> {
  const row = { account_id: change.account.account_id, reservation_code: code, ...fact };
  const columns = ['account_id', 'reservation_code', 'kind', 'reference'] as const;
  return (await insertMany(change.trx, 'channel_facts', [row], { columns })) > 0;
}

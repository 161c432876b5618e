import { type Instant, instantOf, type PlainDate } from '../kernel/dates.ts';
import { ApiError } from '../kernel/errors.ts';
import type { Minor } from '../kernel/money.ts';
import {
  alterChannelReservation,
  cancelChannelReservation,
  discloseDetails,
  type RoomAlteration,
} from '../core/channels/reservations/changes.ts';
import { type ChannelDepositEvent, receiveDepositEvent, receivePayment } from '../core/channels/reservations/money.ts';
import { quoteStay } from './channel/quote.ts';
import { answerThere, steerNextAnswer } from './channel/requests.ts';
import type { Change } from '../core/context.ts';
import type { DepositEvent } from '../core/reservations/deposits/depositRules.ts';
import { requireAmount, requireNights } from '../core/reservations/require.ts';
import { moveStays } from '../core/reservations/change.ts';
import { requireMove } from '../core/requireMove.ts';
import { paymentOf, reservationLife } from '../core/reservations/rules.ts';
import { isOverdue } from '../core/reservations/times/timers.ts';
import { receivedAmount } from '../core/reservations/views.ts';
import { reservationNamed, type NamedReservation } from './namedReservation.ts';
import { bookableListing } from './listing.ts';

/** The only marketplace that shows details of its own. */
const DETAILED = 'marketplace_a';

/** A payment: an amount in major units, or by default a share of the amount owed, in percent (100). */
interface Paid {
  amount?: number | undefined;
  share?: number | undefined;
  paid_at?: Instant | undefined;
  reference?: string | undefined;
}

/**
 * Makes the guest pay.
 * @throws ApiError 400 when nothing is owed, or the reservation can no longer be paid
 */
export async function pay(change: Change, named: NamedReservation, payment: Paid) {
  const { identity, reservation } = await reservationNamed(change, named);
  const { account_id, reservation_code, currency, total_rate: rate, total_commission: commission } = reservation;
  const received = await receivedAmount(change.trx, account_id, reservation_code);
  const amount: Minor =
    payment.amount === undefined
      ? Math.ceil((paymentOf({ rate, commission, received }).balance * (payment.share ?? 100)) / 100)
      : requireAmount('amount', payment.amount, currency);
  if (amount <= 0) throw new ApiError(400, 'Nothing is owed for this booking.');
  const reference = payment.reference ?? change.core.ids();
  const { paid_at } = payment;
  const isNews = await receivePayment(change, identity, {
    reference,
    amount,
    ...(paid_at !== undefined && { paid_at }),
  });
  return { ...(await standingOf(change, named)), counted: isNews };
}

/** Answers a request as the host in the marketplace's own app. @throws ApiError 400 for one that no longer waits */
export async function answerRequest(change: Change, named: NamedReservation, answer: 'approve' | 'decline') {
  const { identity, stays } = await reservationNamed(change, named);
  if (await isOverdue(change.trx, stays[0], instantOf(change.now)))
    throw new ApiError(400, 'The time to answer is over.');
  await moveStays(change, stays, answer);
  await answerThere(change, identity, answer);
  change.audit(`${answer}Request`, stays[0].reservation_code);
  return standingOf(change, named);
}

/** Makes the next answer to a request fail. @throws ApiError 400 for a reservation that does not wait for one */
export async function failNextAnswer(change: Change, named: NamedReservation) {
  const { identity, stays } = await reservationNamed(change, named);
  requireMove(reservationLife, stays[0].status, 'approve');
  await steerNextAnswer(change, identity);
  return { next_answer: 'failed' };
}

/** Cancels a confirmed reservation as the guest or the marketplace. */
export async function cancel(change: Change, named: NamedReservation, cancelledAt?: Instant) {
  const { identity } = await reservationNamed(change, named);
  await cancelChannelReservation(change, identity, cancelledAt);
  return standingOf(change, named);
}

/**
 * Withdraws a request, or leaves an unpaid reservation, as the guest. @throws ApiError 400 for a reservation that does
 * not wait
 */
export async function giveUp(change: Change, named: NamedReservation) {
  const { stays } = await reservationNamed(change, named);
  const { status } = stays[0];
  if (status !== 'wait_accept' && status !== 'wait_pay') {
    throw new ApiError(400, `The reservation is ${status}; there is nothing to give up.`);
  }
  return cancel(change, named);
}

type RequestedChange = Pick<
  { [Field in keyof RoomAlteration]?: RoomAlteration[Field] | undefined },
  | 'check_in_date'
  | 'check_out_date'
  | 'number_of_guests'
  | 'number_of_adults'
  | 'number_of_children'
  | 'number_of_infants'
  | 'number_of_pets'
> & { room: number; price?: number | undefined };

/**
 * Applies other dates or guests that guest and marketplace agree on. The stay is priced again, even if the nights are
 * not free.
 */
export async function alter(change: Change, named: NamedReservation, { room, price, ...wishes }: RequestedChange) {
  const { identity, reservation, stays } = await reservationNamed(change, named);
  const stay = stays[room];
  if (!stay) throw new ApiError(404, 'The booking has no such room.', { field: 'room' });
  const given = Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));
  const altered: typeof stay & { check_in_date: PlainDate } = { ...stay, ...given };
  requireNights(change, altered);
  const { channel_type, listing_id } = stay;
  const listing = await bookableListing(change, { channel_type, listing_id });
  const { check_in_date, check_out_date, number_of_guests, number_of_pets } = altered;
  const lines = await quoteStay(change, listing, {
    check_in_date,
    check_out_date,
    number_of_guests,
    number_of_pets,
    price: price === undefined ? undefined : requireAmount('price', price, reservation.currency),
    overbook: true,
  });
  await alterChannelReservation(change, identity, [{ room, ...given, lines }]);
  return standingOf(change, named);
}

/** Shows the marketplace's details of a reservation. No event announces it. */
export async function showDetails(change: Change, named: NamedReservation, details: object) {
  const { identity } = await reservationNamed(change, named);
  if (identity.channel_type !== DETAILED) {
    throw new ApiError(400, `A booking of ${identity.channel_type} has no details of its channel.`);
  }
  await discloseDetails(change, identity, details);
  return standingOf(change, named);
}

/** An event of a deposit in an action. The amount is in major units; `returned` has none. */
interface DepositStep {
  event: DepositEvent['kind'];
  room: number;
  amount?: number | undefined;
  currency?: string | undefined;
  reference?: string | undefined;
}

/**
 * Applies an event of a deposit. No event announces it. @throws ApiError 400 when it is impossible now, 422 without an
 * amount
 */
export async function moveDeposit(change: Change, named: NamedReservation, step: DepositStep) {
  const { identity, reservation } = await reservationNamed(change, named);
  const currency = step.currency ?? reservation.currency;
  const event: ChannelDepositEvent = {
    reference: step.reference ?? change.core.ids(),
    room: step.room,
    currency,
    event:
      step.event === 'returned'
        ? { kind: step.event }
        : { kind: step.event, amount: requireAmount('amount', step.amount ?? Number.NaN, currency) },
  };
  const isNews = await receiveDepositEvent(change, identity, event);
  return { ...(await standingOf(change, named)), counted: isNews };
}

/** Returns the state of a reservation after an action. */
async function standingOf(change: Change, named: NamedReservation) {
  const { identity, stays } = await reservationNamed(change, named);
  const [first] = stays;
  const boxed = stays.filter(({ property_id }) => property_id === 0).map(({ stay_code }) => stay_code);
  return { ...identity, reservation_code: first.reservation_code, status: first.status, boxed };
}

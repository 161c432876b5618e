import { type Instant, instantOf } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import type { Currency, Minor } from '../../../kernel/money.ts';
import type { Change } from '../../context.ts';
import { firstEntry } from '../../dictionaries/entries.ts';
import { moveStays } from '../../reservations/change.ts';
import { applyDepositEvent, depositOf } from '../../reservations/deposits/deposits.ts';
import type { DepositEvent } from '../../reservations/deposits/depositRules.ts';
import { paymentOf } from '../../reservations/rules.ts';
import { isOverdue } from '../../reservations/times/timers.ts';
import { receivedAmount } from '../../reservations/views.ts';
import { postEntry } from '../../transactions/entries.ts';
import { type ChannelIdentity, isNews, requireChannelReservation } from './receive.ts';

/** A payment for a reservation. */
interface ChannelPayment {
  /** Reference of the channel. A repeated reference counts once. */
  reference: string;
  /** Minor units of the reservation's currency. */
  amount: Minor;
  paid_at?: Instant;
  note?: string;
}

/**
 * Records a payment as an income entry of the reservation. A reservation that waits for payment is accepted once
 * nothing is owed. A repeat changes nothing.
 * @returns true if the payment was new
 * @throws ApiError 400 when the payment window is over or the reservation ended otherwise; 404 when it is unknown
 */
export async function receivePayment(
  change: Change,
  identity: ChannelIdentity,
  payment: ChannelPayment,
): Promise<boolean> {
  const { reservation, stays } = await requireChannelReservation(change, identity);
  const { account_id, reservation_code, currency } = reservation;
  if (!(await isNews(change, reservation_code, { kind: 'payment', reference: payment.reference }))) return false;
  const waits = stays[0].status === 'wait_pay';
  if (!waits && stays[0].status !== 'accepted') {
    throw new ApiError(400, `The reservation is ${stays[0].status}; it cannot be paid.`);
  }
  if (waits && (await isOverdue(change.trx, stays[0], instantOf(change.now))))
    throw new ApiError(400, 'The time to pay is over.');
  await postEntry(change, {
    account_id,
    direction: 'income',
    item_id: await firstEntry(change.trx, account_id, 'income_items'),
    payment_method_id: await firstEntry(change.trx, account_id, 'income_methods'),
    amount: payment.amount,
    currency,
    action_at: payment.paid_at ?? instantOf(change.now),
    note: payment.note ?? '',
    reservation_code,
    property_id: null,
    operator_id: null,
  });
  if (!waits) return true;
  const received = await receivedAmount(change.trx, account_id, reservation_code);
  const { total_rate: rate, total_commission: commission } = reservation;
  if (paymentOf({ rate, commission, received }).balance === 0) await moveStays(change, stays, 'pay');
  return true;
}

/** A channel's report on the deposit of one room. */
export interface ChannelDepositEvent {
  /** Reference of the channel. A repeated reference counts once. */
  reference: string;
  /** Index of the room, in the order in which the reservation was delivered; by default the first. */
  room?: number;
  /** Currency of a new deposit, by default the reservation's. A known deposit retains its own. */
  currency?: Currency;
  event: DepositEvent;
}

/**
 * Applies a report on a deposit. No event announces it. A repeat changes nothing.
 * @returns true if the report was new
 * @throws ApiError 400 when the report is impossible now, 404 when reservation or room is unknown
 */
export async function receiveDepositEvent(
  change: Change,
  identity: ChannelIdentity,
  received: ChannelDepositEvent,
): Promise<boolean> {
  const { reservation, stays } = await requireChannelReservation(change, identity);
  const stay = stays[received.room ?? 0];
  if (!stay) throw new ApiError(404, 'The booking has no such room.');
  if (!(await isNews(change, stay.reservation_code, { kind: 'deposit', reference: received.reference }))) return false;
  const before = await depositOf(change, stay, reservation, received.currency);
  await applyDepositEvent(change, { stay, reservation, before, reference: received.reference }, received.event);
  return true;
}

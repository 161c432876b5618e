import { runChange } from '../../../core/change.ts';
import { holdNights } from '../../../core/availabilities/nights.ts';
import type { Change, Core, Principal } from '../../../core/context.ts';
import type { AccountRow, ReservationRow, StayRow } from '../../../core/database.ts';
import { firstEntry } from '../../../core/dictionaries/entries.ts';
import { moveStays } from '../../../core/reservations/change.ts';
import { applyDepositEvent, depositOf } from '../../../core/reservations/deposits/deposits.ts';
import type { DepositEvent } from '../../../core/reservations/deposits/depositRules.ts';
import { lockReservation, staysOf } from '../../../core/reservations/lookup.ts';
import { BOX } from '../../../core/reservations/place.ts';
import { postEntry } from '../../../core/transactions/entries.ts';
import { instantOf } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { type Currency, decimalText, type Minor } from '../../../kernel/money.ts';
import { mayGo, next, type TriggerOf } from '../../../kernel/transitions.ts';
import { readFrozen } from '../bookings/frozen.ts';
import type { DirectBookingRow } from '../bookings/rows.ts';
import { accountById, bookingByCode, markSettled } from '../bookings/table.ts';
import { awaitTransfer } from './begin.ts';
import { moneyOf } from './due.ts';
import type { PaymentRow } from './rows.ts';
import { paymentLife } from './states.ts';
import { entryNamed, paymentById, paymentsOf, writePayment } from './table.ts';

/** Money that came for a payment. */
export interface Arrival {
  readonly amount: Minor;
  readonly currency: Currency;
  /** The provider's number of it. */
  readonly intentId?: string | null;
  readonly note?: string;
}

/** Names of the methods that an account has from the start. */
const METHODS = { transfer: 'Bank transfer', stripe: 'Card' } as const;

/**
 * Notes money that came: an income entry, and the reservation is accepted once the first payment is complete. A repeat
 * changes nothing. Money for a reservation that has timed out revives it if its nights are still free; else, and after
 * a cancellation, it is noted as late, and a person decides.
 */
export async function receivePayment(
  core: Core,
  key: Pick<PaymentRow, 'account_id' | 'id'>,
  arrival: Arrival,
  operator: Principal['operator'] | null = null,
): Promise<PaymentRow> {
  const account = await accountById(core.store.db, key.account_id);
  const receive = (revives: boolean) =>
    runChange(core, { account, operator }, (change) => noteArrival(change, key, arrival, revives));
  try {
    return await receive(true);
  } catch (error) {
    // The nights were sold meanwhile.
    if (error instanceof ApiError && error.code === 409) return receive(false);
    throw error;
  }
}

/** Locks everything about a payment. */
async function lockPayment(change: Change, key: Pick<PaymentRow, 'account_id' | 'id'>) {
  const found = await paymentById(change.trx, key);
  if (!found) throw new ApiError(404, 'payment not found.', { field: 'payment' });
  const { account_id, reservation_code: code } = found;
  const reservation = await lockReservation(change.trx, account_id, code);
  const stays = await staysOf(change.trx, account_id, code);
  const booking = await bookingByCode(change.trx, account_id, code);
  const row = await paymentById(change.trx, key);
  if (!reservation || !booking || !row) throw new Error(`payment ${key.id} has no booking`);
  return { row, reservation, stays, booking };
}

async function noteArrival(
  change: Change,
  key: Pick<PaymentRow, 'account_id' | 'id'>,
  arrival: Arrival,
  revives: boolean,
): Promise<PaymentRow> {
  const locked = await lockPayment(change, key);
  const { row, booking, stays } = locked;
  if (!mayGo(paymentLife, row.state, 'pay')) return row;
  if (arrival.currency !== row.currency) {
    const problem = `${money(arrival)} came instead of ${money(row)}; it is not in the ledger`;
    return move(change, row, 'differ', {
      problem,
      received: arrival.amount,
      intent_id: arrival.intentId ?? row.intent_id,
    });
  }
  const transaction_id = await postIncome(change, row, arrival);
  const columns = { transaction_id, received: arrival.amount, intent_id: arrival.intentId ?? row.intent_id };
  const status = stays[0]?.status;
  if (status === 'cancelled' || status === 'denied' || (status === 'timeout' && !revives)) {
    const problem = `${money(arrival)} came when the reservation was ${status === 'timeout' ? 'over and its nights were sold' : status}`;
    return move(change, row, 'pay_late', { ...columns, problem });
  }
  const { received } = await moneyOf(change.trx, booking);
  const isEnough = received >= readFrozen(booking.quote).first_payment;
  if (status === 'wait_pay' && isEnough) await moveStays(change, stays, 'pay');
  if (status === 'timeout' && isEnough) await revive(change, booking, stays);
  const isSame = arrival.amount === row.amount;
  // A person has noted a transfer, whatever its amount; of a provider, another amount than asked for is strange.
  const differs = !isSame && row.provider === 'stripe';
  const problem = differs ? `${money(arrival)} came instead of ${money(row)}` : null;
  const after = await move(change, row, differs ? 'differ' : 'pay', { ...columns, problem });
  if (booking.method === 'transfer' && (status === 'wait_pay' || status === 'accepted'))
    await awaitRest(change, booking);
  return after;
}

/** Accepts a reservation whose first payment somebody has entered into the ledger by hand. */
export async function acceptIfPaid(core: Core, waiting: DirectBookingRow): Promise<void> {
  const account = await accountById(core.store.db, waiting.account_id);
  await runChange(core, { account, operator: null }, async (change) => {
    await lockReservation(change.trx, account.account_id, waiting.reservation_code);
    const stays = await staysOf(change.trx, account.account_id, waiting.reservation_code);
    const { received } = await moneyOf(change.trx, waiting);
    if (stays[0]?.status !== 'wait_pay' || received < readFrozen(waiting.quote).first_payment) return;
    await moveStays(change, stays, 'pay');
    change.audit('note payment', waiting.reservation_code, { after: { state: 'in the ledger' } });
  });
}

/** Takes the nights again of a reservation that has timed out. @throws ApiError 409 when one is sold */
async function revive(change: Change, booking: DirectBookingRow, stays: readonly StayRow[]): Promise<void> {
  await moveStays(change, stays, 'pay_late');
  for (const stay of stays) if (stay.property_id !== BOX) await holdNights(change, stay);
  await markSettled(change.trx, booking, null);
}

/** Awaits another transfer, of what is still due. */
async function awaitRest(change: Change, booking: DirectBookingRow): Promise<void> {
  const payments = await paymentsOf(change.trx, booking.account_id, booking.reservation_code);
  if (!payments.some(({ provider, state }) => provider === 'transfer' && state === 'open'))
    await awaitTransfer(change, booking);
}

/** Notes that the security deposit is reserved on a card. Nothing was taken, so nothing is in the ledger. */
export async function receiveDeposit(
  core: Core,
  key: Pick<PaymentRow, 'account_id' | 'id'>,
  arrival: Arrival,
): Promise<PaymentRow> {
  const account = await accountById(core.store.db, key.account_id);
  return runChange(core, { account, operator: null }, async (change) => {
    const { row, reservation, stays } = await lockPayment(change, key);
    if (!mayGo(paymentLife, row.state, 'authorise')) return row;
    const intent_id = arrival.intentId ?? row.intent_id;
    const [stay] = stays;
    if (arrival.currency !== row.currency || arrival.amount !== row.amount || !stay) {
      const problem = `${money(arrival)} was reserved instead of ${money(row)}`;
      return move(change, row, 'differ', { problem, received: arrival.amount, intent_id });
    }
    await noteDeposit(change, { stay, reservation, row }, { kind: 'paid', amount: arrival.amount });
    return move(change, row, 'authorise', { received: arrival.amount, intent_id, problem: null });
  });
}

/**
 * Notes what became of a reserved deposit at the provider: a part was taken, the rest was let go. What was taken is an
 * income entry.
 */
export function noteDepositEnd(
  core: Core,
  who: { account: AccountRow; operator: Principal['operator'] | null },
  key: Pick<PaymentRow, 'account_id' | 'id'>,
  taken: Minor,
): Promise<PaymentRow> {
  return runChange(core, who, async (change) => {
    const { row, reservation, stays } = await lockPayment(change, key);
    const [stay] = stays;
    if (!mayGo(paymentLife, row.state, 'release') || !stay) return row;
    if (taken === 0) {
      await noteDeposit(change, { stay, reservation, row }, { kind: 'returned' });
      return move(change, row, 'release', {});
    }
    await noteDeposit(change, { stay, reservation, row }, { kind: 'deducted', amount: taken });
    if (taken < row.amount) await noteDeposit(change, { stay, reservation, row }, { kind: 'returned' });
    const note = 'Security deposit kept';
    const transaction_id = await postIncome(change, row, { amount: taken, currency: row.currency, note }, true);
    return move(change, row, 'capture', { transaction_id, received: taken });
  });
}

/** Notes a step of the deposit. What somebody has noted by hand already is not noted again. */
async function noteDeposit(
  change: Change,
  { stay, reservation, row }: { stay: StayRow; reservation: ReservationRow; row: PaymentRow },
  event: DepositEvent,
): Promise<void> {
  const before = await depositOf(change, stay, reservation);
  const owed = before.pending_refund_amount;
  if (event.kind === 'returned' && owed === 0) return;
  const amount = event.kind === 'deducted' ? Math.min(event.amount, owed) : 0;
  if (event.kind === 'deducted' && amount === 0) return;
  const step = event.kind === 'deducted' ? { ...event, amount } : event;
  await applyDepositEvent(change, { stay, reservation, before, reference: row.intent_id }, step);
}

/** @param ofProperty the entry belongs to the property: it is no part of the price of the reservation */
async function postIncome(change: Change, row: PaymentRow, arrival: Arrival, ofProperty = false): Promise<number> {
  const { trx, now } = change;
  const { account_id: accountId, reservation_code } = row;
  const named = await entryNamed(trx, { accountId, dictionary: 'income_methods', name: METHODS[row.provider] });
  const booking = ofProperty ? await bookingByCode(trx, accountId, reservation_code) : undefined;
  return postEntry(change, {
    account_id: accountId,
    direction: 'income',
    item_id: await firstEntry(trx, accountId, 'income_items'),
    payment_method_id: named ?? (await firstEntry(trx, accountId, 'income_methods')),
    amount: arrival.amount,
    currency: arrival.currency,
    action_at: instantOf(now),
    note: arrival.note ?? '',
    reservation_code: booking ? null : reservation_code,
    property_id: booking ? booking.property_id : null,
    operator_id: change.operator?.id ?? null,
  });
}

async function move(
  change: Change,
  row: PaymentRow,
  trigger: TriggerOf<typeof paymentLife>,
  columns: Partial<PaymentRow>,
): Promise<PaymentRow> {
  const state = next(paymentLife, row.state, trigger);
  const after = { ...columns, state, next_look_at: null, updated_at: instantOf(change.now) };
  await writePayment(change.trx, row, after);
  change.audit('note payment', row.reservation_code, {
    after: { payment: row.id, state, amount: columns.received ?? row.amount, currency: row.currency },
  });
  return { ...row, ...after };
}

function money({ amount, currency }: { amount: Minor; currency: Currency }): string {
  return `${decimalText(amount, currency)} ${currency}`;
}

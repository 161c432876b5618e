import { runChange } from '../../../core/change.ts';
import type { Change, Principal } from '../../../core/context.ts';
import type { AccountRow } from '../../../core/database.ts';
import { firstEntry, refundItem } from '../../../core/dictionaries/entries.ts';
import { lockReservation } from '../../../core/reservations/lookup.ts';
import { postEntry } from '../../../core/transactions/entries.ts';
import { instantOf, msOf } from '../../../kernel/dates.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import type { ReservationCode } from '../../../kernel/ids.ts';
import type { Minor } from '../../../kernel/money.ts';
import { mayGo, next, type TriggerOf } from '../../../kernel/transitions.ts';
import { nextIds } from '../../../store/leases/sequences.ts';
import type { DirectWork } from '../work.ts';
import type { PaymentRow, RefundRow } from './rows.ts';
import { openKey, readSettings } from './settings.ts';
import { paymentLife, refundLife } from './states.ts';
import { Stripe } from './stripe.ts';
import {
  addRefund,
  entryNamed,
  paymentById,
  paymentsOf,
  refundById,
  refundsOf,
  writePayment,
  writeRefund,
} from './table.ts';

const MINUTE_MS = 60_000;
/** The provider remembers a key for a day. After that a repeat might refund a second time, so a person looks. */
const SURE_MS = 20 * 60 * MINUTE_MS;
const METHODS = { transfer: 'Bank transfer', stripe: 'Card' } as const;
/** Refunds that give money back, or may have done so. */
const COUNTING: ReadonlySet<RefundRow['state']> = new Set(['sending', 'by_hand', 'done', 'unknown', 'refused']);

type Who = { account: AccountRow; operator: Principal['operator'] | null };

/** A payment of which money can go back, and how much. */
interface Refundable {
  readonly payment: PaymentRow;
  readonly left: Minor;
}

/** Returns what of each payment has not gone back, the newest first. */
export async function refundable(change: Change, code: ReservationCode): Promise<Refundable[]> {
  const { account_id: accountId } = change.account;
  const refunds = await refundsOf(change.trx, accountId, code);
  const back = (id: number) =>
    refunds
      .filter((one) => one.payment_id === id && COUNTING.has(one.state))
      .reduce((sum, { amount }) => sum + amount, 0);
  const payments = (await paymentsOf(change.trx, accountId, code)).filter(
    ({ purpose, state, transaction_id }) =>
      purpose !== 'deposit' && transaction_id !== null && ['paid', 'late', 'mismatch', 'settled'].includes(state),
  );
  return payments
    .map((payment) => ({ payment, left: (payment.received ?? payment.amount) - back(payment.id) }))
    .filter(({ left }) => left > 0)
    .toReversed();
}

/**
 * Begins to give back an amount, the newest payment first. Each refund has a key that says why, so that the same reason
 * gives back once.
 * @returns what could not be given back, since so much did not come by the page
 */
export async function beginRefund(
  change: Change,
  code: ReservationCode,
  { amount, reason, key }: { amount: Minor; reason: RefundRow['reason']; key: string },
): Promise<Minor> {
  const { trx, now } = change;
  let rest = amount;
  for (const { payment, left } of await refundable(change, code)) {
    const part = Math.min(rest, left);
    if (part === 0) break;
    const isSent = payment.provider === 'stripe' && payment.intent_id !== null;
    const row: RefundRow = {
      account_id: payment.account_id,
      id: await nextIds(trx, 'direct_refunds'),
      reservation_code: code,
      payment_id: payment.id,
      provider: payment.provider,
      amount: part,
      currency: payment.currency,
      reason,
      state: next(refundLife, null, isSent ? 'send' : 'ask_person'),
      idempotency_key: `stayd-refund-${payment.id}-${key}`,
      provider_id: null,
      transaction_id: null,
      problem: null,
      tries: 0,
      created_at: instantOf(now),
      updated_at: instantOf(now),
      next_look_at: isSent ? now : null,
    };
    if (!(await addRefund(trx, row))) continue;
    change.audit('begin refund', code, { after: { refund: row.id, payment: payment.id, amount: part, reason } });
    rest -= part;
  }
  return rest;
}

/**
 * Gives an amount back on behalf of a person.
 * @param request.known what had gone back when the person looked; another sum means that somebody was faster
 * @throws ApiError 409 when somebody was faster, 422 for more than came
 */
export async function refundByHand(
  work: DirectWork,
  who: Who,
  code: ReservationCode,
  { amount, known }: { amount: Minor; known?: Minor | undefined },
): Promise<void> {
  await runChange(work.core, who, async (change) => {
    const { trx, account } = change;
    await lockReservation(trx, account.account_id, code);
    const refunds = (await refundsOf(trx, account.account_id, code)).filter(({ state }) => COUNTING.has(state));
    const back = refunds.reduce((sum, one) => sum + one.amount, 0);
    if (known !== undefined && known !== back)
      throw new ApiError(409, 'Something was given back meanwhile; look at the reservation again.');
    const left = (await refundable(change, code)).reduce((sum, one) => sum + one.left, 0);
    if (amount <= 0 || amount > left)
      throw invalid('amount', 'must be more than nothing, and not more than came by this booking');
    await beginRefund(change, code, { amount, reason: 'operator', key: `hand-${refunds.length + 1}` });
    await settleAfter(change, code);
  });
  work.wake();
}

/** Ends the payments that waited for a person, once all of them has gone back. */
async function settleAfter(change: Change, code: ReservationCode): Promise<void> {
  const { trx, account, now } = change;
  const left = new Set((await refundable(change, code)).map(({ payment }) => payment.id));
  for (const payment of await paymentsOf(trx, account.account_id, code)) {
    if (!mayGo(paymentLife, payment.state, 'settle') || left.has(payment.id)) continue;
    await writePayment(trx, payment, { state: next(paymentLife, payment.state, 'settle'), updated_at: instantOf(now) });
  }
}

/** Notes that a person has looked at a payment that was not as it should be. @throws ApiError 404, 409 */
export function settlePayment(work: DirectWork, who: Who, id: number): Promise<void> {
  return runChange(work.core, who, async (change) => {
    const { trx, account, now } = change;
    const payment = await paymentById(trx, { account_id: account.account_id, id });
    if (!payment) throw new ApiError(404, 'payment not found.', { field: 'payment' });
    if (!mayGo(paymentLife, payment.state, 'settle')) throw new ApiError(409, `The payment is ${payment.state}.`);
    await writePayment(trx, payment, { state: next(paymentLife, payment.state, 'settle'), updated_at: instantOf(now) });
    change.audit('settle payment', payment.reservation_code, { after: { payment: id } });
  });
}

/** Asks the provider to give money back. The key is the same each time, so that it does so once. */
export async function sendRefund(work: DirectWork, row: RefundRow, account: AccountRow): Promise<void> {
  const { core, caller } = work;
  const { db } = core.store;
  const payment = await paymentById(db, { account_id: row.account_id, id: row.payment_id });
  const settings = await readSettings(db, row.account_id);
  if (payment?.intent_id == null || settings.stripe_key === null) {
    return writeRefund(db, row, {
      problem: 'the key of the provider was taken away',
      next_look_at: core.clock.now() + 60 * MINUTE_MS,
    });
  }
  const who = { account, operator: null };
  const isLost = row.tries > 0 && core.clock.now() - msOf(row.created_at) > SURE_MS;
  if (isLost) return moveRefund(work, who, row, 'lose', {});
  // Before it leaves, so that a crash meanwhile counts as a try.
  await writeRefund(db, row, { tries: row.tries + 1 });
  const stripe = new Stripe(caller, openKey(core, settings));
  const outcome = await stripe.refund(payment.intent_id, row.amount, row.idempotency_key);
  if (outcome.is === 'refused') return moveRefund(work, who, row, 'refuse', { problem: outcome.problem });
  if (outcome.is === 'unknown') {
    const { problem } = outcome;
    const pause = Math.min(60 * MINUTE_MS, MINUTE_MS * 2 ** Math.min(row.tries, 6));
    return writeRefund(db, row, { problem, next_look_at: core.clock.now() + pause });
  }
  const { id, status, failure_reason: why } = outcome.value;
  if (status === 'failed' || status === 'canceled') {
    const problem = `the provider says ${status}${why == null ? '' : `: ${why}`}`;
    return moveRefund(work, who, row, 'refuse', { problem, provider_id: id });
  }
  return moveRefund(work, who, row, 'finish', { provider_id: id, problem: null });
}

/** Notes what a person says of a refund: that it was made, or that it is not. @throws ApiError 404, 409 */
export async function closeRefund(work: DirectWork, who: Who, id: number, how: 'finish' | 'drop'): Promise<void> {
  const row = await refundById(work.core.store.db, { account_id: who.account.account_id, id });
  if (!row) throw new ApiError(404, 'refund not found.', { field: 'refund' });
  // What is being sent ends by itself.
  if (row.state === 'sending' || !mayGo(refundLife, row.state, how))
    throw new ApiError(409, `The refund is ${row.state}.`);
  await moveRefund(work, who, row, how, {});
}

async function moveRefund(
  { core }: DirectWork,
  who: Who,
  seen: RefundRow,
  trigger: TriggerOf<typeof refundLife>,
  columns: Partial<RefundRow>,
): Promise<void> {
  await runChange(core, who, async (change) => {
    const { trx, now } = change;
    await lockReservation(trx, seen.account_id, seen.reservation_code);
    const row = await refundById(trx, seen);
    // Somebody was faster.
    if (!row || row.state !== seen.state) return;
    const state = next(refundLife, row.state, trigger);
    const transaction_id = state === 'done' ? await postRefund(change, row) : null;
    const after = { ...columns, state, transaction_id, next_look_at: null, updated_at: instantOf(now) };
    await writeRefund(trx, row, after);
    change.audit('note refund', row.reservation_code, { after: { refund: row.id, state, amount: row.amount } });
  });
}

async function postRefund(change: Change, row: RefundRow): Promise<number> {
  const { trx, now } = change;
  const { account_id: accountId } = row;
  const named = await entryNamed(trx, { accountId, dictionary: 'expense_methods', name: METHODS[row.provider] });
  return postEntry(change, {
    account_id: accountId,
    direction: 'expense',
    item_id: await refundItem(trx, accountId),
    payment_method_id: named ?? (await firstEntry(trx, accountId, 'expense_methods')),
    amount: row.amount,
    currency: row.currency,
    action_at: instantOf(now),
    note: '',
    reservation_code: row.reservation_code,
    property_id: null,
    operator_id: change.operator?.id ?? null,
  });
}

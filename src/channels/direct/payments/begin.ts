import { runChange } from '../../../core/change.ts';
import type { Change } from '../../../core/context.ts';
import { findBooker, lockReservation, staysOf } from '../../../core/reservations/lookup.ts';
import { instantOf, msOf } from '../../../kernel/dates.ts';
import { ApiError } from '../../../kernel/errors.ts';
import { next } from '../../../kernel/transitions.ts';
import { nextIds } from '../../../store/leases/sequences.ts';
import { readFrozen } from '../bookings/frozen.ts';
import type { DirectBookingRow } from '../bookings/rows.ts';
import { addressOfBooking } from '../bookings/address.ts';
import { accountById, bookingByCode, propertyById } from '../bookings/table.ts';
import type { DirectWork } from '../work.ts';
import { moneyOf } from './due.ts';
import type { PaymentPurpose, PaymentRow } from './rows.ts';
import { openKey, readSettings, sealPaymentUrl } from './settings.ts';
import { paymentLife } from './states.ts';
import { intentOf, Stripe } from './stripe.ts';
import { addPayment, paymentsOf, writePayment } from './table.ts';

const MINUTE_MS = 60_000;
/** Time to pay on the page of the provider, which allows half an hour at least and a day at most. */
const FIRST_PAGE_MS = 45 * MINUTE_MS;
const LATER_PAGE_MS = 23 * 60 * MINUTE_MS;
/** Milliseconds after which the worker asks the provider again. */
export const LOOK_MS = 2 * MINUTE_MS;
const LONGEST_PAUSE_MS = 60 * MINUTE_MS;

/** Notes that a transfer is awaited of what is due. Nobody outside is asked. */
export async function awaitTransfer(change: Change, booking: DirectBookingRow): Promise<void> {
  const { due } = await moneyOf(change.trx, booking);
  if (!due) return;
  const row = await newRow(change, booking, { ...due, provider: 'transfer' });
  await addPayment(change.trx, { ...row, state: next(paymentLife, null, 'await') });
}

/**
 * Begins a payment by card of what is due, or of the security deposit. A payment that can still be made is returned
 * instead of a second one, so that two clicks charge once.
 * @throws ApiError 409 when nothing is due, or the reservation has ended
 */
export async function beginPayment(
  work: DirectWork,
  booking: DirectBookingRow,
  purpose: 'due' | 'deposit',
): Promise<PaymentRow> {
  const { core } = work;
  const account = await accountById(core.store.db, booking.account_id);
  const settings = await readSettings(core.store.db, booking.account_id);
  openKey(core, settings);
  const { row, isNew } = await runChange(core, { account, operator: null }, async (change) => {
    const { trx, now } = change;
    await lockReservation(trx, booking.account_id, booking.reservation_code);
    const [stay] = await staysOf(trx, booking.account_id, booking.reservation_code);
    if (stay?.status !== 'wait_pay' && stay?.status !== 'accepted')
      throw new ApiError(409, `The reservation is ${stay?.status ?? 'gone'}; nothing can be paid.`);
    const order = purpose === 'deposit' ? depositOrder(booking) : (await moneyOf(trx, booking)).due;
    const payments = await paymentsOf(trx, booking.account_id, booking.reservation_code);
    if (!order || (purpose === 'deposit' && payments.some(isDepositHeld))) throw new ApiError(409, 'Nothing is due.');
    const same = payments.find((one) => isPayable(one, order, now));
    if (same) return { row: same, isNew: false };
    const made = await newRow(change, booking, { ...order, provider: 'stripe' });
    const pageMs = stay.status === 'wait_pay' ? FIRST_PAGE_MS : LATER_PAGE_MS;
    const row: PaymentRow = {
      ...made,
      state: next(paymentLife, null, 'begin'),
      expires_at: instantOf(now + pageMs),
      next_look_at: now + LOOK_MS,
    };
    await addPayment(trx, row);
    change.audit('begin payment', booking.reservation_code, {
      after: { payment: row.id, purpose: row.purpose, amount: row.amount, currency: row.currency },
    });
    return { row, isNew: true };
  });
  return isNew || row.state === 'starting' ? openAtProvider(work, row) : row;
}

/** Asks the provider for the page of a payment. A repeat gets the same page. @returns the payment as it is then */
export async function openAtProvider(work: DirectWork, row: PaymentRow): Promise<PaymentRow> {
  const { core, caller } = work;
  const { db } = core.store;
  const booking = await bookingByCode(db, row.account_id, row.reservation_code);
  if (!booking) throw new Error(`payment ${row.id} has no booking`);
  const settings = await readSettings(db, row.account_id);
  if (settings.stripe_key === null) return written(work, row, { problem: 'the key of the provider was taken away' });
  const property = await propertyById(db, row.account_id, booking.property_id);
  const [stay] = await staysOf(db, row.account_id, row.reservation_code);
  const booker = stay && (await findBooker(db, stay));
  const outcome = await new Stripe(caller, openKey(core, settings)).openSession(
    {
      amount: row.amount,
      currency: row.currency,
      name: `${property?.name ?? ''} · ${stay?.check_in_date ?? ''} – ${stay?.check_out_date ?? ''}`,
      reference: row.reservation_code,
      language: booking.language,
      email: booker?.email ?? null,
      returnUrl: `${addressOfBooking(core, booking)}?back=1`,
      expiresAt: Math.floor(msOf(row.expires_at ?? row.created_at) / 1_000),
      isHold: row.purpose === 'deposit',
    },
    row.idempotency_key,
  );
  if (outcome.is === 'refused')
    return written(work, row, {
      state: next(paymentLife, 'starting', 'refuse'),
      problem: outcome.problem,
      next_look_at: null,
    });
  if (outcome.is === 'unknown') return retryLater(work, row, outcome.problem);
  const { value } = outcome;
  return written(work, row, {
    state: next(paymentLife, 'starting', 'open'),
    session_id: value.id,
    intent_id: intentOf(value),
    url: value.url == null ? null : sealPaymentUrl(core, row.id, value.url),
    problem: null,
    tries: 0,
    next_look_at: core.clock.now() + LOOK_MS,
  });
}

/** Notes that the provider could not be asked; it is asked again later. */
export function retryLater(work: DirectWork, row: PaymentRow, problem: string): Promise<PaymentRow> {
  const pause = Math.min(LONGEST_PAUSE_MS, LOOK_MS * 2 ** Math.min(row.tries, 8));
  return written(work, row, { problem, tries: row.tries + 1, next_look_at: work.core.clock.now() + pause });
}

/** Writes columns of a payment that is still in the state in which it was read. */
export async function written(
  { core }: DirectWork,
  row: PaymentRow,
  columns: Partial<PaymentRow>,
): Promise<PaymentRow> {
  const after = { ...columns, updated_at: instantOf(core.clock.now()) };
  await writePayment(core.store.db, row, after, row.state);
  return { ...row, ...after };
}

function depositOrder({ quote }: DirectBookingRow): { purpose: PaymentPurpose; amount: number } | null {
  const { deposit } = readFrozen(quote);
  return deposit > 0 ? { purpose: 'deposit', amount: deposit } : null;
}

function isDepositHeld({ purpose, state }: PaymentRow): boolean {
  return purpose === 'deposit' && (state === 'authorised' || state === 'captured');
}

/** Returns true for a payment by card of the same amount that the guest can still make. */
function isPayable(row: PaymentRow, order: { purpose: PaymentPurpose; amount: number }, now: number): boolean {
  return (
    row.provider === 'stripe' &&
    row.purpose === order.purpose &&
    row.amount === order.amount &&
    (row.state === 'starting' || row.state === 'open') &&
    row.expires_at !== null &&
    msOf(row.expires_at) > now + MINUTE_MS
  );
}

async function newRow(
  change: Change,
  booking: DirectBookingRow,
  { purpose, amount, provider }: Pick<PaymentRow, 'purpose' | 'amount' | 'provider'>,
): Promise<PaymentRow> {
  const { core, now } = change;
  return {
    account_id: booking.account_id,
    id: await nextIds(change.trx, 'direct_payments'),
    reservation_code: booking.reservation_code,
    purpose,
    provider,
    amount,
    currency: booking.currency,
    state: 'starting',
    idempotency_key: `stayd-pay-${core.ids()}`,
    session_id: null,
    intent_id: null,
    url: null,
    expires_at: null,
    received: null,
    transaction_id: null,
    problem: null,
    tries: 0,
    created_at: instantOf(now),
    updated_at: instantOf(now),
    next_look_at: null,
  };
}

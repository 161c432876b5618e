import { staysOf } from '../../../core/reservations/lookup.ts';
import { msOf } from '../../../kernel/dates.ts';
import { holdsNights } from '../../../core/reservations/rules.ts';
import { next } from '../../../kernel/transitions.ts';
import { bookingByCode } from '../bookings/table.ts';
import type { DirectWork } from '../work.ts';
import { LOOK_MS, openAtProvider, retryLater, written } from './begin.ts';
import { moneyOf } from './due.ts';
import { receiveDeposit, receivePayment } from './receive.ts';
import type { PaymentRow } from './rows.ts';
import { openKey, readSettings } from './settings.ts';
import { paymentLife } from './states.ts';
import { intentOf, type Session, Stripe } from './stripe.ts';

/** Asks the provider what became of a payment, and notes it. What it tells by itself is never believed unread. */
export async function lookAtPayment(work: DirectWork, row: PaymentRow): Promise<PaymentRow> {
  if (row.provider !== 'stripe') return endIfOver(work, row);
  if (row.state !== 'starting' && row.state !== 'open') return written(work, row, { next_look_at: null });
  const { core, caller } = work;
  if (row.state === 'starting') {
    // Nobody has seen its page, so nobody can have paid there.
    const isOver = row.expires_at !== null && msOf(row.expires_at) < core.clock.now();
    return isOver ? ended(work, row) : openAtProvider(work, row);
  }
  const settings = await readSettings(core.store.db, row.account_id);
  if (settings.stripe_key === null || row.session_id === null)
    return retryLater(work, row, 'the key of the provider was taken away');
  const stripe = new Stripe(caller, openKey(core, settings));
  const outcome = (await isWanted(work, row))
    ? await stripe.readSession(row.session_id)
    : await endedAtProvider(stripe, row.session_id);
  if (outcome.is !== 'done') return retryLater(work, row, outcome.problem);
  return noteSession(work, stripe, row, outcome.value);
}

/** Ends the page of a payment that nobody needs; one that was paid meanwhile is read instead. */
async function endedAtProvider(stripe: Stripe, session: string) {
  const outcome = await stripe.expireSession(session);
  return outcome.is === 'refused' ? stripe.readSession(session) : outcome;
}

async function noteSession(work: DirectWork, stripe: Stripe, row: PaymentRow, session: Session): Promise<PaymentRow> {
  const { core } = work;
  const intentId = intentOf(session);
  if (session.status === 'expired') return ended(work, row);
  if (session.status === 'open')
    return written(work, row, { problem: null, tries: 0, next_look_at: core.clock.now() + LOOK_MS });
  if (row.purpose === 'deposit') {
    if (intentId === null) return retryLater(work, row, 'the provider names no payment');
    const read = await stripe.readIntent(intentId);
    if (read.is !== 'done') return retryLater(work, row, read.problem);
    const { status, amount, amount_capturable, currency } = read.value;
    if (status === 'canceled') return ended(work, row);
    if (status !== 'requires_capture') return retryLater(work, row, `the provider says ${status}`);
    return receiveDeposit(core, row, {
      amount: amount_capturable ?? amount,
      currency: currency.toUpperCase(),
      intentId,
    });
  }
  if (session.payment_status !== 'paid') return retryLater(work, row, `the provider says ${session.payment_status}`);
  return receivePayment(core, row, {
    amount: session.amount_total ?? row.amount,
    currency: (session.currency ?? row.currency).toUpperCase(),
    intentId,
  });
}

function ended(work: DirectWork, row: PaymentRow): Promise<PaymentRow> {
  return written(work, row, { state: next(paymentLife, row.state, 'end'), next_look_at: null, problem: null });
}

/** A transfer is awaited until the reservation ends; it can still be noted after that. */
async function endIfOver(work: DirectWork, row: PaymentRow): Promise<PaymentRow> {
  if (row.state === 'open' && !(await isWanted(work, row))) return ended(work, row);
  return written(work, row, { next_look_at: null });
}

/** Returns false when the reservation has ended, or somebody has paid in another way. */
async function isWanted({ core }: DirectWork, row: PaymentRow): Promise<boolean> {
  const { db } = core.store;
  const [stay] = await staysOf(db, row.account_id, row.reservation_code);
  if (!stay || !holdsNights(stay.status)) return false;
  if (row.purpose === 'deposit') return true;
  const booking = await bookingByCode(db, row.account_id, row.reservation_code);
  if (!booking) return false;
  const { due } = await moneyOf(db, booking);
  return due?.purpose === row.purpose;
}

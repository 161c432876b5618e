import type { Principal } from '../../../core/context.ts';
import type { AccountRow } from '../../../core/database.ts';
import { ApiError, invalid } from '../../../kernel/errors.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { DirectBookingRow } from '../bookings/rows.ts';
import type { DirectWork } from '../work.ts';
import { noteDepositEnd } from './receive.ts';
import type { PaymentRow } from './rows.ts';
import { openKey, readSettings } from './settings.ts';
import { Stripe } from './stripe.ts';
import { paymentsOf, writePayment } from './table.ts';

/**
 * Lets go a security deposit that is reserved on a card, or takes a part of it. The provider is asked first; what it did
 * is noted then. A repeat does the same.
 * @param taken 0: all is let go
 * @throws ApiError 409 without a reserved deposit, 422 for more than it, 502 when the provider does not answer
 */
export async function endDeposit(
  work: DirectWork,
  who: { account: AccountRow; operator: Principal['operator'] | null },
  booking: DirectBookingRow,
  taken: Minor,
): Promise<PaymentRow> {
  const { core, caller } = work;
  const { db } = core.store;
  const payments = await paymentsOf(db, booking.account_id, booking.reservation_code);
  const row = payments.find(({ purpose, state }) => purpose === 'deposit' && state === 'authorised');
  if (!row || row.intent_id === null) throw new ApiError(409, 'No security deposit is reserved on a card.');
  if (taken < 0 || taken > row.amount) throw invalid('amount', 'must not be more than the deposit');
  const stripe = new Stripe(caller, openKey(core, await readSettings(db, booking.account_id)));
  const asked = taken === 0 ? await stripe.release(row.intent_id) : await stripe.capture(row.intent_id, taken);
  // It may have been done by an earlier request whose answer was lost, or have lapsed.
  const outcome = asked.is === 'done' ? asked : await stripe.readIntent(row.intent_id);
  if (outcome.is !== 'done') {
    await writePayment(db, row, { problem: asked.is === 'done' ? null : asked.problem });
    throw new ApiError(502, `The provider of payments does not answer as it should: ${outcome.problem}`);
  }
  const { status, amount_received: received } = outcome.value;
  if (status === 'canceled') return noteDepositEnd(core, who, row, 0);
  if (status === 'succeeded') return noteDepositEnd(core, who, row, received ?? taken);
  throw new ApiError(409, `The provider of payments refuses: ${asked.is === 'done' ? status : asked.problem}`);
}

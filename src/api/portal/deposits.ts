import { z } from 'zod';
import { runChange } from '../../core/change.ts';
import type { DepositRow } from '../../core/database.ts';
import { listDepositEvents } from '../../core/reservations/deposits/depositLog.ts';
import type { DepositEvent } from '../../core/reservations/deposits/depositRules.ts';
import { findDeposit, moveDirectDeposit, reportsOwnDeposits } from '../../core/reservations/deposits/deposits.ts';
import { findStay } from '../../core/reservations/lookup.ts';
import { goneResource } from '../../core/ownership.ts';
import { requireAmount } from '../../core/reservations/require.ts';
import { invalid } from '../../kernel/errors.ts';
import { type Currency, wireAmount } from '../../kernel/money.ts';
import { portalRoute } from './route.ts';
import { accountOf, operatorOf, requireMain } from './who.ts';

const kinds = ['required', 'paid', 'deducted', 'refunded', 'returned'] as const;

const wholeAccount = { visible: null };

/** The steps of a stay's deposit, oldest first. Deposits of before the log have only those since. */
const readDeposit = portalRoute({
  method: 'GET',
  path: '/portal/stays/:stay_code/deposit',
  access: 'read',
  input: z.object({ account: z.string().min(1).optional(), stay_code: z.string().min(1).max(100) }),
  run: async ({ services, caller, input }) => {
    requireMain(caller);
    const { account_id } = await accountOf(services, caller, input.account);
    const { db } = services.core.store;
    const stay = await findStay(db, account_id, input.stay_code);
    if (!stay) throw goneResource();
    const deposit = await findDeposit(db, stay);
    const events = await listDepositEvents(db, stay);
    return {
      stay_code: stay.stay_code,
      is_own: reportsOwnDeposits(stay),
      deposit_details: deposit === undefined ? null : shownDeposit(deposit),
      events: events.map(({ amount, pending_refund_amount, ...event }) => ({
        ...event,
        amount: wireAmount(amount, event.currency),
        pending_refund_amount: wireAmount(pending_refund_amount, event.currency),
      })),
    };
  },
});

/** The outcome of deposits of direct reservations. v3 sets the required amount, and shows the rest. */
const moveDeposit = portalRoute({
  method: 'POST',
  path: '/portal/stays/:stay_code/deposit',
  access: 'write',
  input: z.object({
    account: z.string().min(1).optional(),
    stay_code: z.string().min(1).max(100),
    event: z.enum(kinds),
    amount: z.number().min(0).max(9_999_999).optional(),
    reference: z.string().trim().min(1).max(100).optional(),
  }),
  run: async ({ services, caller, input }) => {
    requireMain(caller);
    const owner = await accountOf(services, caller, input.account);
    const { stay_code, reference } = input;
    const eventIn = (currency: Currency) => eventOf(input, currency);
    const { deposit, isNew, reservationCode } = await runChange(
      services.core,
      { account: owner, operator: operatorOf(caller) },
      (change) => moveDirectDeposit(change, wholeAccount, { stay_code, reference, eventIn }),
    );
    // No event tells it, and the mirror would see it with its next scan only.
    for (const connection of await services.mirror.connectionsOf(owner.account_id)) {
      await services.mirror.readAgain(connection, [{ resource: 'reservation', key: reservationCode }]);
    }
    return { stay_code, is_new: isNew, deposit_details: shownDeposit(deposit) };
  },
});

export const depositRoutes = [readDeposit, moveDeposit];

function shownDeposit({ currency, status, ...amounts }: DepositRow) {
  const shown = (minor: number) => wireAmount(minor, currency);
  return {
    amount: shown(amounts.amount),
    paid_amount: shown(amounts.paid_amount),
    deducted_amount: shown(amounts.deducted_amount),
    pending_refund_amount: shown(amounts.pending_refund_amount),
    refunded_amount: shown(amounts.refunded_amount),
    currency,
    status,
  };
}

/** @throws ApiError 422 for an amount that is missing, superfluous, or has more decimals than the currency */
function eventOf(
  { event: kind, amount }: { event: (typeof kinds)[number]; amount?: number | undefined },
  currency: Currency,
): DepositEvent {
  if (kind === 'returned') {
    if (amount !== undefined) throw invalid('amount', 'does not go with returned: all that is left went back');
    return { kind };
  }
  if (amount === undefined) throw invalid('amount', `is required for ${kind}`);
  return { kind, amount: requireAmount('amount', amount, currency) };
}

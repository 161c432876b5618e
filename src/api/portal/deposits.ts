import { z } from 'zod';
import { runChange } from '../../core/change.ts';
import type { DepositEvent } from '../../core/reservations/deposits/depositRules.ts';
import { moveDirectDeposit } from '../../core/reservations/deposits/deposits.ts';
import { requireAmount } from '../../core/reservations/require.ts';
import { invalid } from '../../kernel/errors.ts';
import { type Currency, wireAmount } from '../../kernel/money.ts';
import { portalRoute } from './route.ts';
import { accountOf, operatorOf, requireMain } from './who.ts';

const kinds = ['required', 'paid', 'deducted', 'refunded', 'returned'] as const;

/** The outcome of deposits of direct reservations. v3 sets the required amount, and shows the rest. */
export const depositRoute = portalRoute({
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
    const { deposit, isNew } = await runChange(
      services.core,
      { account: owner, operator: operatorOf(caller) },
      (change) => moveDirectDeposit(change, { visible: null }, { stay_code, reference, eventIn }),
    );
    const { currency, status, ...amounts } = deposit;
    const shown = (minor: number) => wireAmount(minor, currency);
    return {
      stay_code,
      is_new: isNew,
      deposit_details: {
        amount: shown(amounts.amount),
        paid_amount: shown(amounts.paid_amount),
        deducted_amount: shown(amounts.deducted_amount),
        pending_refund_amount: shown(amounts.pending_refund_amount),
        refunded_amount: shown(amounts.refunded_amount),
        currency,
        status,
      },
    };
  },
});

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

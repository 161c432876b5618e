import { addDays, daysBetween, nightsOf } from '../../../kernel/dates.ts';
import type { Minor } from '../../../kernel/money.ts';
import type { RatePlan } from '../plans/plan.ts';
import { accommodationLines, feeLines, type PricedStay } from './lines.ts';
import { refusalsOf, type Refused } from './refusals.ts';
import { percentOf } from './share.ts';
import { taxLines } from './taxes.ts';
import type { Asked, Quote, QuoteLine } from './terms.ts';

export { type CancellationPolicy, refundOf } from './cancellation.ts';
export type { Asked, Quote, QuoteLine } from './terms.ts';
export type { Refused } from './refusals.ts';

/**
 * Returns the price of a stay, or every reason against it. The same arguments always give the same answer.
 * @throws RangeError for a date that is none
 */
export function quoteOf(plan: RatePlan, asked: Asked): { quote: Quote } | { refused: readonly Refused[] } {
  const refused = refusalsOf(plan, asked);
  if (refused.length > 0) return { refused };
  const stay: PricedStay = { ...asked, nights: nightsOf(asked.check_in_date, asked.check_out_date) };
  const accommodation = accommodationLines(plan, stay);
  const fees = feeLines(plan, stay);
  const { added, included } = taxLines(plan, stay, { accommodation: sumOf(accommodation), fees });
  const lines = [...accommodation, ...fees, ...added];
  const total = sumOf(lines);
  if (!lines.every(({ amount }) => Number.isSafeInteger(amount)) || !Number.isSafeInteger(total)) {
    return { refused: [{ reason: 'too_large', says: 'The price is too large to be counted exactly.' }] };
  }
  return {
    quote: {
      currency: plan.currency,
      lines,
      accommodation: sumOf(accommodation),
      fees: sumOf(fees),
      taxes: sumOf(added),
      total,
      included_taxes: included,
      deposit: plan.security_deposit,
      ...paymentsOf(plan, asked, total),
      cancellation: {
        name: plan.cancellation.name,
        steps: plan.cancellation.steps.map((step) => ({
          ...step,
          until: addDays(asked.check_in_date, -step.days_before),
        })),
      },
    },
  };
}

function sumOf(lines: readonly QuoteLine[]): Minor {
  return lines.reduce((sum, { amount }) => sum + amount, 0);
}

/** On the day when the balance would be due, and after it, the whole price is due at once. */
function paymentsOf({ payment }: RatePlan, { check_in_date, booked_on }: Asked, total: Minor) {
  const isNear = daysBetween(booked_on, check_in_date) <= payment.balance_days;
  const first = isNear ? total : percentOf(total, payment.at_booking_percent);
  const balance = total - first;
  return {
    first_payment: first,
    balance,
    balance_due_date: balance === 0 ? null : addDays(check_in_date, -payment.balance_days),
  };
}

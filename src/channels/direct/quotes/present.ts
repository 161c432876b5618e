import { type Minor, wireAmount } from '../../../kernel/money.ts';
import type { Quote, QuoteLine } from './terms.ts';

/** Returns the public form of a quote: its amounts are in units of its currency. */
export function presentQuote(quote: Quote) {
  const amount = (minor: Minor) => wireAmount(minor, quote.currency);
  const line = ({ unit, amount: minor, ...rest }: QuoteLine) => ({
    ...rest,
    unit: unit === null ? null : amount(unit),
    amount: amount(minor),
  });
  return {
    currency: quote.currency,
    lines: quote.lines.map(line),
    accommodation: amount(quote.accommodation),
    fees: amount(quote.fees),
    taxes: amount(quote.taxes),
    total: amount(quote.total),
    included_taxes: quote.included_taxes.map(line),
    deposit: amount(quote.deposit),
    first_payment: amount(quote.first_payment),
    balance: amount(quote.balance),
    balance_due_date: quote.balance_due_date,
    cancellation: quote.cancellation,
  };
}

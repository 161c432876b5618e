import type { Minor } from '../../../kernel/money.ts';
import type { AmountTax, PercentTax, RatePlan } from '../plans/plan.ts';
import type { PricedStay } from './lines.ts';
import type { QuoteLine } from './terms.ts';
import { partsOf, roundedFraction, WHOLE } from './share.ts';

/** A part of the price that taxes by percent are of. */
interface Part {
  /** accommodation, or the name of a fee. */
  readonly name: string;
  readonly amount: Minor;
  /** true: `fees` means it, too. */
  readonly isFee: boolean;
}

/**
 * Returns the taxes of a stay: those to add, and those that the prices contain. A percentage is of the price before tax:
 * the included percentages are taken out first, and no tax is charged on a tax. Each tax is rounded once.
 */
export function taxLines(
  plan: RatePlan,
  stay: PricedStay,
  prices: { accommodation: Minor; fees: readonly QuoteLine[] },
): { added: QuoteLine[]; included: QuoteLine[] } {
  const parts: Part[] = [
    { name: 'accommodation', amount: prices.accommodation, isFee: false },
    ...prices.fees.filter((fee) => fee.taxable).map(({ name, amount }) => ({ name, amount, isFee: true })),
  ];
  const containing = plan.taxes.filter((tax) => isPercent(tax)).filter((tax) => tax.included);
  const lines = plan.taxes.map((tax) => ({
    included: tax.included,
    line: isPercent(tax) ? percentLine(tax, parts, containing) : amountLine(tax, stay),
  }));
  const those = (isIncluded: boolean) =>
    lines.filter(({ included, line }) => included === isIncluded && line.amount !== 0).map(({ line }) => line);
  return { added: those(false), included: those(true) };
}

function isPercent(tax: PercentTax | AmountTax): tax is PercentTax {
  return 'percent' in tax;
}

function isOf({ of }: PercentTax, { name, isFee }: Part): boolean {
  return of.includes(name) || (isFee && of.includes('fees'));
}

function percentLine(tax: PercentTax, parts: readonly Part[], containing: readonly PercentTax[]): QuoteLine {
  const { name, percent, max_amount } = tax;
  let [numerator, denominator] = [0n, 1n];
  for (const part of parts) {
    if (!isOf(tax, part)) continue;
    const withTax = containing.reduce((sum, one) => (isOf(one, part) ? sum + partsOf(one.percent) : sum), WHOLE);
    numerator = numerator * withTax + BigInt(part.amount) * partsOf(percent) * denominator;
    denominator *= withTax;
  }
  const amount = capped(roundedFraction(numerator, denominator), max_amount);
  return { kind: 'tax', name, quantity: 1, unit: null, amount, percent, taxable: false };
}

function amountLine(tax: AmountTax, { nights, adults, children }: PricedStay): QuoteLine {
  const { name, amount: unit, max_nights, exempt_below_age, max_amount } = tax;
  const counted = Math.min(nights.length, max_nights ?? nights.length);
  const persons = adults + children.filter((age) => age >= (exempt_below_age ?? 0)).length;
  const counts = { stay: 1, night: counted, guest: persons, guest_night: persons * counted };
  const quantity = counts[tax.per];
  const amount = capped(quantity * unit, max_amount);
  const isCapped = amount !== quantity * unit;
  return { kind: 'tax', name, quantity, unit: isCapped ? null : unit, amount, taxable: false };
}

function capped(amount: Minor, most: Minor | null): Minor {
  return most === null ? amount : Math.min(amount, most);
}

import type { PlainDate } from '../../kernel/dates.ts';
import { type Currency, exponentOf, type Minor } from '../../kernel/money.ts';

/** An exchange rate: the worth of one unit of a currency in another, from a day on. */
export interface RateSetting {
  readonly on: PlainDate;
  readonly from: Currency;
  readonly to: Currency;
  /** Exact decimal text. */
  readonly rate: string;
}

/** Returns the stated rate that applies on a day: the newest one not after it. */
export function rateOn(
  rates: readonly RateSetting[],
  { from, to, date }: { from: Currency; to: Currency; date: PlainDate },
): RateSetting | undefined {
  return rates
    .filter((rate) => rate.from === from && rate.to === to && rate.on <= date)
    .toSorted((a, b) => (a.on < b.on ? 1 : -1))[0];
}

/** Converts an amount exactly, then rounds to the nearest minor unit, halves away from zero. */
export function converted(amount: Minor, { from, to, rate }: RateSetting): Minor {
  const [whole = '0', fraction = ''] = rate.split('.');
  const size = BigInt(Math.abs(amount)) * BigInt(whole + fraction) * 10n ** BigInt(exponentOf(to));
  const unit = 10n ** BigInt(fraction.length + exponentOf(from));
  const rounded = Number((2n * size + unit) / (2n * unit));
  return amount < 0 ? 0 - rounded : rounded;
}

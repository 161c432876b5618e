import { exponentOf, toMinor, type Currency, type Minor } from '../../kernel/money.ts';

/**
 * An exact decimal number, `digits` × 10^-`scale`. Prices per night are multiplied in this form before they become
 * money.
 */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** Parses plain decimal text (`-12.50`). The caller has checked its form. */
export function decimalOf(text: string): Decimal {
  const point = text.indexOf('.');
  if (point < 0) return { digits: BigInt(text), scale: 0 };
  return { digits: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: atScale(a, scale) + atScale(b, scale), scale };
}

/** Returns `value` × a whole number. */
export function times(value: Decimal, count: number): Decimal {
  return { digits: value.digits * BigInt(count), scale: value.scale };
}

/**
 * Returns the amount in the currency's smallest units. More decimals than the currency has are refused unless they are
 * zeros or `rounded` asks for rounding (half away from zero).
 */
export function minorOf(value: Decimal, currency: Currency, rounded: boolean): Minor | undefined {
  return toMinor(plain(rounded ? roundedTo(value, exponentOf(currency)) : value), currency);
}

/** Returns true when the number has more decimals than the currency. */
export function isTooFine(value: Decimal, currency: Currency): boolean {
  const extra = value.scale - exponentOf(currency);
  return extra > 0 && value.digits % 10n ** BigInt(extra) !== 0n;
}

function atScale(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale);
}

function roundedTo(value: Decimal, scale: number): Decimal {
  if (value.scale <= scale) return value;
  const step = 10n ** BigInt(value.scale - scale);
  const half = value.digits < 0n ? -step / 2n : step / 2n;
  return { digits: (value.digits + half) / step, scale };
}

function plain({ digits, scale }: Decimal): string {
  if (scale === 0) return String(digits);
  const size = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const cut = size.length - scale;
  return `${digits < 0n ? '-' : ''}${size.slice(0, cut)}.${size.slice(cut)}`;
}

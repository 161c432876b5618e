import * as currencies from 'dinero.js/currencies';

/** ISO 4217 code, upper case. */
export type Currency = string;
/** A whole number of the currency's smallest unit: cents for EUR, yen for JPY, fils for KWD. */
export type Minor = number;

// The package counts ariary and ouguiya in fifths (one decimal); ISO 4217 gives both two.
const exponents = new Map<string, number>([
  ...Object.values(currencies).map((currency) => [currency.code, Number(currency.exponent)] as const),
  ['MGA', 2],
  ['MRU', 2],
]);

/** Returns true for an ISO 4217 code with a known number of decimals. */
export function isCurrency(code: string): boolean {
  return exponents.has(code);
}

/** Returns the number of decimals of a currency (EUR 2, JPY 0, KWD 3). Throws RangeError for an unknown code. */
export function exponentOf(currency: Currency): number {
  const exponent = exponents.get(currency);
  if (exponent === undefined) throw new RangeError(`unknown currency ${currency}`);
  return exponent;
}

/** Returns the codes of all currencies, in order, by their number of decimals. */
export function currenciesByPlaces(): Map<number, string[]> {
  const codes = new Map<number, string[]>();
  for (const code of [...exponents.keys()].toSorted()) {
    codes.set(exponentOf(code), [...(codes.get(exponentOf(code)) ?? []), code]);
  }
  return codes;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Parses exact decimal text (or a JSON number, by its shortest decimal form) as minor units.
 * @returns undefined if it is no plain decimal number, has more decimals than the currency, or is too large for an
 * exact
 *   number
 */
export function toMinor(amount: string | number, currency: Currency): Minor | undefined {
  const match = DECIMAL.exec(String(amount));
  if (!match) return undefined;
  const [, sign, whole, rawFraction = ''] = match;
  const fraction = rawFraction.replace(/(?<!0)0+$/, '');
  const exponent = exponentOf(currency);
  if (fraction.length > exponent) return undefined;
  const minor = Number(`${whole}${fraction.padEnd(exponent, '0')}`);
  if (!Number.isSafeInteger(minor)) return undefined;
  return sign && minor !== 0 ? -minor : minor;
}

/** The error of sums of floating-point numbers, in minor units. */
const NOISE = 1e-6;
/** The error relative to the amount: the last bits of a double. */
const RELATIVE_NOISE = 2 ** -50;

/**
 * Converts a JSON number to minor units. An error within the limits of floating-point arithmetic (0.1 + 0.2) is rounded
 * to the currency.
 * @returns undefined if it has more decimals than the currency, or is too large for an exact number
 */
export function fromWireAmount(amount: number, currency: Currency): Minor | undefined {
  const exact = toMinor(amount, currency);
  if (exact !== undefined) return exact;
  const scaled = amount * 10 ** exponentOf(currency);
  const nearest = Math.round(scaled);
  const isNoise = Math.abs(scaled - nearest) <= Math.max(NOISE, Math.abs(scaled) * RELATIVE_NOISE);
  return isNoise && Number.isSafeInteger(nearest) ? nearest : undefined;
}

/** Formats minor units as exact decimal text with the currency's number of decimals: `-12.30`. */
export function decimalText(minor: Minor | bigint, currency: Currency): string {
  const exponent = exponentOf(currency);
  const digits = String(minor < 0 ? -minor : minor).padStart(exponent + 1, '0');
  const cut = digits.length - exponent;
  return (minor < 0 ? '-' : '') + (exponent === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`);
}

/** Converts minor units to the JSON number of the wire. Division by a power of ten gives the nearest double. */
export function wireAmount(minor: Minor, currency: Currency): number {
  return minor / 10 ** exponentOf(currency);
}

/**
 * Splits an amount in proportion to whole-number weights. Indivisible units go one each to the shares with the largest
 * remainders, the earlier share first among equals; the parts always add up to the amount. If all weights are zero, the
 * shares are equal. Throws RangeError for an amount without shares, or a weight that is no whole number from zero up.
 */
export function splitByWeights(minor: Minor, weights: readonly number[]): Minor[] {
  if (weights.length === 0 && minor !== 0) throw new RangeError('an amount cannot be split over no shares');
  if (weights.some((weight) => weight < 0)) throw new RangeError('a weight cannot be negative');
  const shares = (weights.some((weight) => weight > 0) ? weights : weights.map(() => 1)).map(BigInt);
  const total = shares.reduce((sum, share) => sum + share, 0n);
  const size = BigInt(Math.abs(minor));
  const parts = shares.map((share, index) => ({
    index,
    floor: (size * share) / total,
    remainder: (size * share) % total,
  }));
  let left = Number(size - parts.reduce((sum, part) => sum + part.floor, 0n));
  const result = parts.map((part) => Number(part.floor));
  const byRemainder = parts.toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index);
  for (const { index } of byRemainder) {
    if (left === 0) break;
    result[index] = (result[index] ?? 0) + 1;
    left -= 1;
  }
  // 0 - part, since -part would make a zero negative.
  return minor < 0 ? result.map((part) => 0 - part) : result;
}

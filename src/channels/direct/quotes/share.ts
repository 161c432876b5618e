import type { Minor } from '../../../kernel/money.ts';

/** The whole, in the unit in which percentages are counted exactly: ten-thousandths of a percent. */
export const WHOLE = 1_000_000n;

/** Returns a percentage of at most four decimals in parts of {@link WHOLE}. */
export function partsOf(percent: number): bigint {
  return BigInt(Math.round(percent * 10_000));
}

/** Rounds a fraction of a positive denominator to a whole number, halves away from zero. */
export function roundedFraction(numerator: bigint, denominator: bigint): Minor {
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = Number((2n * size + denominator) / (2n * denominator));
  return numerator < 0n && rounded !== 0 ? -rounded : rounded;
}

/** Returns a percentage of an amount, rounded once. */
export function percentOf(amount: Minor, percent: number): Minor {
  return roundedFraction(BigInt(amount) * partsOf(percent), WHOLE);
}

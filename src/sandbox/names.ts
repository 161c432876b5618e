import type { Random } from '../kernel/random.ts';

/** Returns an id as marketplaces make them: digits, the first of them not 0. */
export function randomDigits(random: Random, count: number): string {
  const digits = [...random.bytes(count)].map((byte) => byte % 10);
  return [digits[0] || 1, ...digits.slice(1)].join('');
}

/** Returns a marketplace's name for a new reservation. */
export function reservationName(random: Random): string {
  return `HM${randomDigits(random, 10)}`;
}

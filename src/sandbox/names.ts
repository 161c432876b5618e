import type { Random } from '../kernel/random.ts';

/** An id as marketplaces make them: so many digits, the first of them no zero. */
export function randomDigits(random: Random, count: number): string {
  const digits = [...random.bytes(count)].map((byte) => byte % 10);
  return [digits[0] || 1, ...digits.slice(1)].join('');
}

/** What a marketplace calls a new booking. */
export function bookingName(random: Random): string {
  return `HM${randomDigits(random, 10)}`;
}

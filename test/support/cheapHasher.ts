import { PasswordHasher } from '../../src/core/people/passwordHash.ts';
import type { Random } from '../../src/kernel/random.ts';

/** A hasher of passwords at a thousandth of the real cost, which would be most of the time of many tests. */
export function cheapHasher(random: Random): PasswordHasher {
  return new PasswordHasher(random, { logN: 7, r: 8, p: 1 });
}

import { randomBytes } from 'node:crypto';

/** Where randomness comes from; an argument everywhere outside the process edge. */
export interface Random {
  /** `count` bytes from a cryptographically secure source. */
  bytes(count: number): Buffer;
  /** A number in [0, 1); for jitter and fault injection, never for secrets. */
  fraction(): number;
}

const FRACTION_BYTES = 4;
/** Fractions are fetched so many bytes at once: each call of the source costs more than the fraction. */
const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);
let used = 0;

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  fraction() {
    if (used === pool.length) {
      pool = randomBytes(POOL_BYTES);
      used = 0;
    }
    used += FRACTION_BYTES;
    return pool.readUInt32BE(used - FRACTION_BYTES) / 0x1_0000_0000;
  },
};

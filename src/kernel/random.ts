import { randomBytes } from 'node:crypto';

/** The source of randomness; an argument everywhere inside the process edge. */
export interface Random {
  /** Returns `count` bytes from a cryptographically secure source. */
  bytes(count: number): Buffer;
  /** Returns a number in [0, 1); for jitter and fault injection, never for secrets. */
  fraction(): number;
}

const FRACTION_BYTES = 4;
/** Bytes fetched at once for fractions, because each call of the source costs more than a fraction. */
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

import { randomBytes } from 'node:crypto';

/** Where randomness comes from; an argument everywhere outside the process edge. */
export interface Random {
  /** `count` bytes from a cryptographically secure source. */
  bytes(count: number): Buffer;
  /** A number in [0, 1); for jitter and fault injection, never for secrets. */
  fraction(): number;
}

export const systemRandom: Random = {
  bytes: (count) => randomBytes(count),
  fraction: () => randomBytes(4).readUInt32BE() / 0x1_0000_0000,
};

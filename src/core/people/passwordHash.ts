import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../kernel/random.ts';

/** The cost of one hash by scrypt. */
interface Cost {
  logN: number;
  r: number;
  p: number;
}

/** 32 MiB and some 0.2 s for each guess: scrypt at N = 2^15, r = 8, p = 3. */
const COST: Cost = { logN: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MOST_MEMORY_BYTES = 64 * 1_024 * 1_024;
/** Concurrent hashes; further ones wait, so that guesses cannot take all memory. */
const MOST_AT_ONCE = 2;
const STORED = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;

/** Hashes passwords, and compares them with stored hashes. */
export class PasswordHasher {
  readonly #random: Random;
  readonly #cost: Cost;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  /** @param cost of new hashes, and of a comparison with none; another one is for tests only */
  constructor(random: Random, cost: Cost = COST) {
    this.#random = random;
    this.#cost = cost;
  }

  /** Returns the stored form of a password: `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, so that the cost can grow later. */
  async hash(password: string): Promise<string> {
    const salt = this.#random.bytes(SALT_BYTES);
    const key = await this.#derive(password, salt, this.#cost);
    const { logN, r, p } = this.#cost;
    return `scrypt$${logN}$${r}$${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
  }

  /** Returns true if `stored` was made from the password. Without a stored form it takes as long and returns false. */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const [, logN, r, p, salt = '', key = ''] = STORED.exec(stored ?? '') ?? [];
    const cost = logN === undefined ? this.#cost : { logN: Number(logN), r: Number(r), p: Number(p) };
    const derived = await this.#derive(password, Buffer.from(salt, 'base64url'), cost);
    const known = Buffer.from(key, 'base64url');
    return known.length === derived.length && timingSafeEqual(known, derived);
  }

  async #derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
    if (this.#running >= MOST_AT_ONCE) await new Promise<void>((resume) => void this.#waiting.push(resume));
    else this.#running += 1;
    try {
      return await new Promise((resolve, reject) => {
        // Keyboards differ: é can be one character or two.
        const text = password.normalize('NFKC');
        const cost = { N: 2 ** logN, r, p, maxmem: MOST_MEMORY_BYTES };
        scrypt(text, salt, KEY_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key)));
      });
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

import { scrypt, timingSafeEqual } from 'node:crypto';
import type { Random } from '../../kernel/random.ts';

/** 32 MiB and some 0.2 s for each guess: scrypt at N = 2^15, r = 8, p = 3. */
const COST = { logN: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 32;
const MOST_MEMORY_BYTES = 64 * 1_024 * 1_024;
/** Concurrent hashes; further ones wait, so that guesses cannot take all memory. */
const MOST_AT_ONCE = 2;
const STORED = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;

interface Cost {
  logN: number;
  r: number;
  p: number;
}

/** Returns the stored form of a password: `scrypt$<log2 N>$<r>$<p>$<salt>$<key>`, so that the cost can grow later. */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random.bytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  const { logN, r, p } = COST;
  return `scrypt$${logN}$${r}$${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Returns true if `stored` was made from the password. Without a stored form it takes as long and returns false. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, logN, r, p, salt = '', key = ''] = STORED.exec(stored ?? '') ?? [];
  const cost = logN === undefined ? COST : { logN: Number(logN), r: Number(r), p: Number(p) };
  const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
  const kept = Buffer.from(key, 'base64url');
  return kept.length === derived.length && timingSafeEqual(kept, derived);
}

let running = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Buffer, { logN, r, p }: Cost): Promise<Buffer> {
  if (running >= MOST_AT_ONCE) await new Promise<void>((resume) => void waiting.push(resume));
  else running += 1;
  try {
    return await new Promise((resolve, reject) => {
      // Keyboards differ: é can be one character or two.
      const text = password.normalize('NFKC');
      const cost = { N: 2 ** logN, r, p, maxmem: MOST_MEMORY_BYTES };
      scrypt(text, salt, KEY_BYTES, cost, (error, key) => (error ? reject(error) : resolve(key)));
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

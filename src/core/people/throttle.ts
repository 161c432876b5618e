import { ApiError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { fullWindow, type LimitWindow, windowStart } from '../../kernel/limits/windows.ts';
import type { Core } from '../context.ts';
import { addTries, forgetTries, takeBackTries } from './table.ts';

const QUARTER_HOUR = 900;
/** Most wrong attempts in a quarter of an hour. */
const OF_LOGIN_FROM_ADDRESS = 5;
const FROM_ADDRESS = 20;
/** High, so that a stranger elsewhere cannot easily lock out the owner, and still too low for guessing. */
const OF_LOGIN = 100;
const OF_LOGIN_BY_WORD = 50;

/** The origin of an attempt. */
export interface Origin {
  readonly address: string;
  /** The address that the client states, where no proxy of ours has seen it itself. */
  readonly word?: string | undefined;
}

/**
 * Slows down guesses of passwords, by login and by origin. An attempt is counted before its result is known, so that
 * concurrent attempts count too. The counts are in the database: they survive a restart and apply to all processes
 * together.
 * @returns a function that removes the attempt from the counts, for a right password
 * @throws ApiError 429 after too many wrong attempts; the refused attempt is not counted
 */
export async function countTry(core: Core, login: string, { address, word }: Origin): Promise<() => Promise<void>> {
  const now = core.clock.now();
  const start = windowStart(QUARTER_HOUR, now);
  const most = new Map([
    [subject('both', login, address), OF_LOGIN_FROM_ADDRESS],
    [subject('address', address), FROM_ADDRESS],
    [subject('login', login), OF_LOGIN],
    // A client can state any address, so the limit of stated addresses is far below the number that locks a login.
    ...(word === undefined ? [] : [[subject('word', login, word), OF_LOGIN_BY_WORD] as const]),
  ]);
  // All processes count in one order, so that two concurrent counts do not deadlock.
  const subjects = [...most.keys()].toSorted();
  await core.store.transaction(async (trx) => {
    await forgetTries(trx, start);
    for (const row of await addTries(trx, subjects, start)) {
      const window: LimitWindow = { seconds: QUARTER_HOUR, max: (most.get(row.subject) ?? 0) + 1 };
      const full = fullWindow([window], [{ start: row.window_start, used: row.tries }], now);
      // Thrown inside the transaction, which undoes the counts.
      if (full) throw new ApiError(429, `Too many attempts. Try again in ${Math.ceil(full.retryAfter / 60)} minutes.`);
    }
  });
  return () => takeBackTries(core.store.db, subjects, start);
}

/** Returns a hash, since a person may type a password as the login. */
function subject(...parts: string[]): string {
  return sha256Hex(JSON.stringify(parts));
}

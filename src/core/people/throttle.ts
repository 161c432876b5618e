import { ApiError } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import { fullWindow, type LimitWindow, windowStart } from '../../kernel/windows.ts';
import type { Core } from '../context.ts';
import { addTries, forgetTries, takeBackTries } from './table.ts';

const QUARTER_HOUR = 900;
/** Wrong tries in a quarter of an hour, until nobody is let try any more. */
const OF_LOGIN_FROM_ADDRESS = 5;
const FROM_ADDRESS = 20;
/** Wide, so that a stranger elsewhere cannot easily lock out the owner; a guesser gets nowhere with it. */
const OF_LOGIN = 100;
const OF_LOGIN_BY_WORD = 50;

/** Where a try comes from. */
export interface Origin {
  readonly address: string;
  /** Whose word it is, where no proxy of ours has seen it itself. */
  readonly word?: string | undefined;
}

/**
 * Slows down whoever guesses passwords, by the name that is tried and by where from. Counts a try before it
 * is known how it ends, so that many at once count too; the counts stand in the database, so that they
 * survive a restart and hold for all processes together.
 * @returns takes the count back: the password was right
 * @throws ApiError 429 when there were too many wrong ones; such a try counts nowhere
 */
export async function countTry(core: Core, login: string, { address, word }: Origin): Promise<() => Promise<void>> {
  const now = core.clock.now();
  const start = windowStart(QUARTER_HOUR, now);
  const most = new Map([
    [subject('both', login, address), OF_LOGIN_FROM_ADDRESS],
    [subject('address', address), FROM_ADDRESS],
    [subject('login', login), OF_LOGIN],
    // By the word of somebody who can name any address, nobody gets near the number that locks a login.
    ...(word === undefined ? [] : [[subject('word', login, word), OF_LOGIN_BY_WORD] as const]),
  ]);
  // In one order everywhere, so that two that count at once do not wait for each other in a circle.
  const subjects = [...most.keys()].toSorted();
  await core.store.transaction(async (trx) => {
    await forgetTries(trx, start);
    for (const row of await addTries(trx, subjects, start)) {
      const window: LimitWindow = { seconds: QUARTER_HOUR, max: (most.get(row.subject) ?? 0) + 1 };
      const full = fullWindow([window], [{ start: row.window_start, used: row.tries }], now);
      // Thrown in here, it undoes the counting.
      if (full) throw new ApiError(429, `Too many attempts. Try again in ${Math.ceil(full.retryAfter / 60)} minutes.`);
    }
  });
  return () => takeBackTries(core.store.db, subjects, start);
}

/** What is typed as a login can be a password, so it is kept as its hash only. */
function subject(...parts: string[]): string {
  return sha256Hex(JSON.stringify(parts));
}

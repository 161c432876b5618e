import { ApiError } from '../../kernel/errors.ts';
import { fullWindow, type LimitWindow, type Tally, tallied } from '../../kernel/windows.ts';

const QUARTER_HOUR = 900;
/** Wrong tries in a quarter of an hour, until nobody is let try any more. */
const OF_LOGIN_FROM_ADDRESS: LimitWindow = { seconds: QUARTER_HOUR, max: 5 };
const FROM_ADDRESS: LimitWindow = { seconds: QUARTER_HOUR, max: 20 };
/** Wide, so that a stranger elsewhere cannot easily lock out the owner; a guesser gets nowhere with it. */
const OF_LOGIN: LimitWindow = { seconds: QUARTER_HOUR, max: 100 };
/** Beyond this many, what is over is forgotten. */
const MOST_KEYS = 10_000;

/** Slows down whoever guesses passwords, by the name that is tried and by where from. */
export class SignInThrottle {
  readonly #tallies = new Map<string, { window: LimitWindow; tally: Tally }>();

  /**
   * Counts a try before it is known how it ends, so that many at once count too.
   * @returns takes the count back: the password was right
   * @throws ApiError 429 when there were too many wrong ones
   */
  enter(login: string, address: string, nowMs: number): () => void {
    const keys: [string, LimitWindow][] = [
      [`both ${login} ${address}`, OF_LOGIN_FROM_ADDRESS],
      [`address ${address}`, FROM_ADDRESS],
      [`login ${login}`, OF_LOGIN],
    ];
    for (const [key, window] of keys) {
      const full = fullWindow([window], [this.#tallies.get(key)?.tally], nowMs);
      if (full) throw new ApiError(429, `Too many attempts. Try again in ${Math.ceil(full.retryAfter / 60)} minutes.`);
    }
    if (this.#tallies.size > MOST_KEYS) this.#forget(nowMs);
    this.#add(keys, nowMs, 1);
    return () => this.#add(keys, nowMs, -1);
  }

  #add(keys: readonly [string, LimitWindow][], nowMs: number, count: number): void {
    for (const [key, window] of keys) {
      this.#tallies.set(key, { window, tally: tallied(window, this.#tallies.get(key)?.tally, nowMs, count) });
    }
  }

  #forget(nowMs: number): void {
    for (const [key, { window, tally }] of this.#tallies) {
      if (tally.start + window.seconds <= nowMs / 1_000 || tally.used <= 0) this.#tallies.delete(key);
    }
  }
}

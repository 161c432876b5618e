import { sha256Hex } from '../signature.ts';
import { windowStart } from './windows.ts';

const WINDOW_SECONDS = 60;
/** Tokens of no link that one address may try in a window. */
const MOST_GUESSES = 30;
/** Links that are remembered as opened. */
const MOST_OPENED = 10_000;

/**
 * Counts visits by link and guesses by address in the current minute, of pages that a secret link opens to whoever has it.
 * In memory: protection, not truth.
 *
 * An address that has tried too many tokens of no link is refused without a look at the database. A link that was opened
 * before is served all the same, so that one stranger in a network stops nobody else in it who works.
 */
export class LinkVisits {
  /** Seconds after which whoever was refused is answered again. */
  readonly retryAfter = WINDOW_SECONDS;
  readonly #now: () => number;
  readonly #mostVisits: number;
  #window = 0;
  #visits = new Map<string, number>();
  #guesses = new Map<string, number>();
  /** Digests of tokens. */
  readonly #opened = new Set<string>();

  /** @param most.visits pages and forms of one link in a minute */
  constructor(now: () => number, most: { readonly visits: number }) {
    this.#now = now;
    this.#mostVisits = most.visits;
  }

  /** Returns true if the token may be looked up for this address. */
  mayTry(address: string, token: string): boolean {
    this.#forgetEarlier();
    return (this.#guesses.get(address) ?? 0) < MOST_GUESSES || this.#opened.has(sha256Hex(token));
  }

  /** Counts a token that opened nothing. */
  noteGuess(address: string, token: string): void {
    this.#opened.delete(sha256Hex(token));
    this.#guesses.set(address, (this.#guesses.get(address) ?? 0) + 1);
  }

  /** Counts a visit of a link. @returns false if there were too many */
  mayVisit(key: string, token: string): boolean {
    this.#forgetEarlier();
    if (this.#opened.size >= MOST_OPENED) this.#opened.clear();
    this.#opened.add(sha256Hex(token));
    const count = (this.#visits.get(key) ?? 0) + 1;
    this.#visits.set(key, count);
    return count <= this.#mostVisits;
  }

  #forgetEarlier(): void {
    const present = windowStart(WINDOW_SECONDS, this.#now());
    if (present === this.#window) return;
    this.#window = present;
    this.#visits = new Map();
    this.#guesses = new Map();
  }
}

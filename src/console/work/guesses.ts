import { LinkVisits } from '../../kernel/limits/linkVisits.ts';
import { sha256Hex } from '../../kernel/signature.ts';

/** Tokens of no link that one address may try in a minute. */
const MOST_GUESSES = 30;
/** Links that are remembered as opened. */
const MOST_OPENED = 10_000;

/**
 * Refuses an address that has tried too many tokens of no link, without a look at the database. A link that was opened
 * before is served all the same, so that one stranger in a network stops nobody else in it who works.
 */
export class Guesses {
  readonly #tries: LinkVisits;
  /** Digests of tokens. */
  readonly #opened = new Set<string>();

  constructor(now: () => number) {
    this.#tries = new LinkVisits(now, MOST_GUESSES);
  }

  /** Returns true if the token may be looked up for this address. */
  mayTry(address: string, token: string): boolean {
    return this.#tries.countOf(address) < MOST_GUESSES || this.#opened.has(sha256Hex(token));
  }

  /** Counts a token that opened nothing. */
  noteGuess(address: string, token: string): void {
    this.#opened.delete(sha256Hex(token));
    this.#tries.mayVisit(address);
  }

  noteOpened(token: string): void {
    if (this.#opened.size >= MOST_OPENED) this.#opened.clear();
    this.#opened.add(sha256Hex(token));
  }
}

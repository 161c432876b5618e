import { windowStart } from './windows.ts';

const WINDOW_SECONDS = 60;

/** Counts visits in the current minute, of pages that a secret link opens to whoever has it. In memory: protection, not truth. */
export class LinkVisits {
  /** Seconds after which whoever was refused is answered again. */
  readonly retryAfter = WINDOW_SECONDS;
  readonly #now: () => number;
  readonly #most: number;
  #window = 0;
  #counts = new Map<string, number>();

  /** @param most pages and forms of one key in a minute */
  constructor(now: () => number, most: number) {
    this.#now = now;
    this.#most = most;
  }

  /** Counts a visit. @returns false if there were too many */
  mayVisit(key: string): boolean {
    const count = this.countOf(key) + 1;
    this.#counts.set(key, count);
    return count <= this.#most;
  }

  /** Returns the number of visits in this minute. */
  countOf(key: string): number {
    const present = windowStart(WINDOW_SECONDS, this.#now());
    if (present !== this.#window) {
      this.#window = present;
      this.#counts = new Map();
    }
    return this.#counts.get(key) ?? 0;
  }
}

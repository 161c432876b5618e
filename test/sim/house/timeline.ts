/** Where the house stands. */
export const ZONE = 'Europe/Berlin';

/** What is to happen, each thing at a moment; more can be added while it happens. */
export class Timeline {
  readonly #waiting: { atMs: number; play: () => Promise<void> }[] = [];

  add(moment: number, play: () => Promise<void>): void {
    const atMs = Math.round(moment);
    const later = this.#waiting.findIndex((other) => other.atMs > atMs);
    this.#waiting.splice(later < 0 ? this.#waiting.length : later, 0, { atMs, play });
  }

  /** The moment of the next one. */
  get nextMs(): number {
    return this.#waiting[0]?.atMs ?? Infinity;
  }

  take(): () => Promise<void> {
    const next = this.#waiting.shift();
    if (!next) throw new Error('nothing is to happen');
    return next.play;
  }
}

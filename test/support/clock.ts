import type { Clock, Timer } from '../../src/kernel/clock.ts';

interface Pending {
  at: number;
  seq: number;
  fn: () => void;
}

/** A clock that moves only when a test moves it. Timers fire in the order of their moments. */
export class ManualClock implements Clock {
  #now: number;
  #mono = 0;
  #seq = 0;
  #timers: Pending[] = [];

  constructor(startMs: number) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#mono;
  }

  setTimer(ms: number, fn: () => void): Timer {
    const timer = { at: this.#mono + Math.max(0, ms), seq: (this.#seq += 1), fn };
    this.#timers.push(timer);
    return { cancel: () => (this.#timers = this.#timers.filter((one) => one !== timer)) };
  }

  /** How many timers wait; for checking that nothing was left behind. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Moves time forward, firing what comes due on the way; promises settle between two timers. */
  async advance(ms: number): Promise<void> {
    const end = this.#mono + ms;
    for (;;) {
      await settle();
      const next = this.#timers.filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at || a.seq - b.seq)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now += next.at - this.#mono;
      this.#mono = next.at;
      next.fn();
    }
    this.#now += end - this.#mono;
    this.#mono = end;
    await settle();
  }

  /** The wall clock jumps, as when somebody sets it; timers do not notice. */
  jump(ms: number): void {
    this.#now += ms;
  }
}

/** Lets everything that can go on without time passing go on. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

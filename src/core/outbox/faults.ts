import type { Clock } from '../../kernel/clock.ts';
import type { Random } from '../../kernel/random.ts';

/** How deliveries are spoilt on purpose, to see how a receiver copes. Probabilities are 0 to 1. */
export interface DeliveryFaults {
  /** Never sent. */
  drop: number;
  /** Sent twice. */
  double: number;
  /** Held back, so that later events overtake it. */
  reorder: number;
  /** Every delivery waits a random time up to this many milliseconds. */
  delay_ms: number;
}

export const NO_FAULTS: DeliveryFaults = { drop: 0, double: 0, reorder: 0, delay_ms: 0 };

/** How long an overtaken delivery is held back at the most. */
const OVERTAKEN_MS = 500;

/** What happens to one delivery: how often it is sent, after how long. */
export interface Fate {
  times: 0 | 1 | 2;
  holdMs: number;
}

export function fateOf(faults: DeliveryFaults, random: Random): Fate {
  if (faults.drop > 0 && random.fraction() < faults.drop) return { times: 0, holdMs: 0 };
  const overtaken = faults.reorder > 0 && random.fraction() < faults.reorder;
  const longest = faults.delay_ms + (overtaken ? OVERTAKEN_MS : 0);
  return {
    times: faults.double > 0 && random.fraction() < faults.double ? 2 : 1,
    holdMs: longest === 0 ? 0 : Math.ceil(random.fraction() * longest),
  };
}

/** Deliveries that are held back, to be let go together at a stop. */
export class HeldBack {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #released = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits out the time a fate holds a delivery back, or until the release. */
  wait({ holdMs }: Fate): Promise<void> {
    if (holdMs === 0 || this.#released) return Promise.resolve();
    return new Promise((resolve) => {
      const go = () => {
        timer.cancel();
        this.#waiting.delete(go);
        resolve();
      };
      const timer = this.#clock.setTimer(holdMs, go);
      this.#waiting.add(go);
    });
  }

  /** Lets all go; nothing is held back any more. */
  release(): void {
    this.#released = true;
    for (const go of this.#waiting) go();
  }
}

import type { Clock } from '../../kernel/clock.ts';
import type { Random } from '../../kernel/random.ts';

/** Injected faults of deliveries, for tests of a receiver. Probabilities are 0 to 1. */
export interface DeliveryFaults {
  /** Probability that a delivery is never sent. */
  drop: number;
  /** Probability that a delivery is sent twice. */
  double: number;
  /** Probability that a delivery is held back, so that later events overtake it. */
  reorder: number;
  /** Most milliseconds of a random delay of every delivery. */
  delay_ms: number;
}

export const NO_FAULTS: DeliveryFaults = { drop: 0, double: 0, reorder: 0, delay_ms: 0 };

/** Most milliseconds for which an overtaken delivery is held back. */
const OVERTAKEN_MS = 500;

/** The fault of one delivery: the number of sends and the delay. */
interface Fate {
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

/** Deliveries that are held back. A stop releases them together. */
export class HeldBack {
  readonly #clock: Clock;
  readonly #waiting = new Set<() => void>();
  #released = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Waits for the delay of a fault, or for the release. */
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

  /** Releases all deliveries. From now on none is held back. */
  release(): void {
    this.#released = true;
    for (const go of this.#waiting) go();
  }
}

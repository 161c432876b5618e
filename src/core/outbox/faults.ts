import { type Clock, sleep } from '../../kernel/clock.ts';
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

/** Waits out the time a fate holds a delivery back. */
export function hold(clock: Clock, fate: Fate, signal: AbortSignal): Promise<void> {
  return fate.holdMs === 0 ? Promise.resolve() : sleep(clock, fate.holdMs, signal);
}

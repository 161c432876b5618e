import type { Clock } from '../kernel/clock.ts';
import { type Instant, instantOf } from '../kernel/dates.ts';
import type { Logger } from '../kernel/log.ts';

type Half = 'core' | 'mirror';

/** A database that takes nothing in. */
export interface Refusal {
  half: Half;
  since: Instant;
  problem: string;
}

/** Which databases take nothing in at this moment, since the disk is full. */
export interface Refusals {
  /** @param problem null: something was written again */
  changed(half: Half, problem: string | null): void;
  now(): readonly Refusal[];
}

export function watchRefusals(clock: Clock, log: Logger): Refusals {
  const refusals = new Map<Half, Refusal>();
  return {
    changed(half, problem) {
      if (problem === null) {
        refusals.delete(half);
        log.info({ half }, 'the database takes in again what is written');
        return;
      }
      refusals.set(half, { half, since: instantOf(clock.now()), problem });
      log.error({ half, problem }, 'the database takes nothing in: make room on its disk');
    },
    now: () => [...refusals.values()],
  };
}

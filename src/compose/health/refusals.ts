import type { Clock } from '../../kernel/clock.ts';
import { type Instant, instantOf } from '../../kernel/dates.ts';
import type { Logger } from '../../kernel/log.ts';

type Half = 'core' | 'mirror';

/** A database that accepts no writes. */
interface Refusal {
  half: Half;
  since: Instant;
  problem: string;
}

/** The databases that accept no writes at present because the disk is full. */
export interface Refusals {
  /** @param problem null: a write succeeded again */
  changed(half: Half, problem: string | null): void;
  now(): readonly Refusal[];
}

/** Milliseconds without a refusal after which a full disk counts as resolved; small writes succeed now and then. */
const CALM_MS = 10_000;

export function watchRefusals(clock: Clock, log: Logger): Refusals {
  const refusals = new Map<Half, Refusal & { endedAt: number | null }>();
  const isOver = ({ endedAt }: { endedAt: number | null }) =>
    endedAt !== null && clock.monotonic() - endedAt >= CALM_MS;
  return {
    changed(half, problem) {
      const known = refusals.get(half);
      if (problem === null) {
        if (known) known.endedAt = clock.monotonic();
      } else if (known && !isOver(known)) {
        known.endedAt = null;
      } else {
        refusals.set(half, { half, since: instantOf(clock.now()), problem, endedAt: null });
        log.error({ half, problem }, 'the database takes nothing in: make room on its disk');
      }
    },
    now: () => [...refusals.values()].filter((one) => !isOver(one)).map(({ endedAt: _, ...refusal }) => refusal),
  };
}

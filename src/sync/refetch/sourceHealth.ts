import type { Clock } from '../../kernel/clock.ts';

/** The time for which a failure is remembered. */
const FAILURE_MS = 60_000;
/** The time for which answers, and the rows missing from them, are remembered. */
const ANSWERS_MS = 10 * 60_000;
/** More keys than this, and than this part of all answers, do not vanish at once. */
const MOST_ABSENT = 5;
const ABSENT_PART = 0.2;

/** Decides if the source can be believed when it says that something is gone. */
export interface SourceHealth {
  answered(): void;
  failed(): void;
  /** Reports that a known row is missing from an answer, for the first time. */
  missed(): void;
  isUnwell(): boolean;
}

/** Remembers how the source has answered lately. */
export function sourceHealth(clock: Clock): SourceHealth {
  let failedAt = Number.NEGATIVE_INFINITY;
  /** Answers and absences by the minute in which they came. */
  const minutes = new Map<number, { answers: number; absences: number }>();

  function minute() {
    const now = Math.floor(clock.monotonic() / 60_000);
    for (const at of minutes.keys()) if (at <= now - ANSWERS_MS / 60_000) minutes.delete(at);
    const own = minutes.get(now) ?? { answers: 0, absences: 0 };
    minutes.set(now, own);
    return own;
  }

  return {
    answered: () => void (minute().answers += 1),
    failed: () => void (failedAt = clock.monotonic()),
    missed: () => void (minute().absences += 1),
    isUnwell() {
      if (clock.monotonic() - failedAt < FAILURE_MS) return true;
      minute();
      const all = [...minutes.values()];
      const sum = (of: 'answers' | 'absences') => all.reduce((total, one) => total + one[of], 0);
      return sum('absences') > MOST_ABSENT && sum('absences') > sum('answers') * ABSENT_PART;
    },
  };
}

import type { PlainDate } from '../../kernel/dates.ts';
import { type Exception, type Outcome, sourceKey } from '../journal/draft.ts';
import { type SourceState, sourceStates } from '../journal/entry.ts';

/** Number of sources in each state. */
export type StateCounts = Readonly<Record<SourceState, number>>;

/** A reason why sources are not simply posted, with its count and an example. */
export interface Reason {
  readonly state: SourceState;
  readonly reason: string;
  readonly count: number;
  readonly example: string;
  readonly firstDate: PlainDate | null;
}

/** Most exceptions in a report. All of them are counted. */
const MOST_EXCEPTIONS = 1_000;

/** Counts the outcomes of sources. */
export class Tally {
  readonly #states: Record<SourceState, number> = { posted: 0, ignored: 0, unmapped: 0, pending: 0 };
  readonly #reasons = new Map<string, Reason>();
  readonly #exceptions: Exception[] = [];
  #exceptionCount = 0;

  /**
   * Adds the outcomes of one group.
   * @param until outcomes of later days are left out
   */
  add(outcomes: readonly Outcome[], exceptions: readonly Exception[], until: PlainDate): void {
    const seen = new Set<string>();
    for (const outcome of outcomes) {
      const key = sourceKey(outcome.source);
      if (seen.has(key)) throw new Error(`source ${key} is in two states`);
      seen.add(key);
      if (outcome.date !== null && outcome.date > until && outcome.state !== 'pending') continue;
      this.#states[outcome.state] += 1;
      if (outcome.reason !== '') this.#note(outcome);
    }
    for (const exception of exceptions) {
      if (exception.date !== null && exception.date > until) continue;
      this.#exceptionCount += 1;
      if (this.#exceptions.length < MOST_EXCEPTIONS) this.#exceptions.push(exception);
    }
  }

  #note({ source, state, reason, date }: Outcome): void {
    const key = `${state} ${reason}`;
    const known = this.#reasons.get(key);
    const first = known?.firstDate;
    this.#reasons.set(key, {
      state,
      reason,
      count: (known?.count ?? 0) + 1,
      example: known?.example ?? sourceKey(source),
      firstDate: first !== null && first !== undefined && (date === null || first <= date) ? first : date,
    });
  }

  result(): { states: StateCounts; reasons: Reason[]; exceptions: Exception[]; exceptionCount: number } {
    const order = (reason: Reason) => `${sourceStates.indexOf(reason.state)} ${reason.reason}`;
    return {
      states: { ...this.#states },
      reasons: [...this.#reasons.values()].toSorted((a, b) => (order(a) < order(b) ? -1 : 1)),
      exceptions: this.#exceptions,
      exceptionCount: this.#exceptionCount,
    };
  }
}

import type { PlainDate } from '../../kernel/dates.ts';
import { type Exception, type Outcome, sourceKey } from '../journal/draft.ts';
import { type SourceState, sourceStates } from '../journal/entry.ts';
import { byGroupOrder } from '../journal/groupOrder.ts';

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

/** Most exceptions in a report, the first by their groups. All of them are counted. */
export const MOST_EXCEPTIONS = 1_000;

/** A reason with the group of its example. */
export type NotedReason = Reason & { readonly group: string };

/** An exception of a group; the group is empty for one of the books as a whole. */
interface NotedException {
  readonly group: string;
  readonly exception: Exception;
}

/** Counts the outcomes of sources. Groups may come in any order. */
export class Tally {
  readonly #states: Record<SourceState, number> = { posted: 0, ignored: 0, unmapped: 0, pending: 0 };
  readonly #reasons = new Map<string, NotedReason>();
  #exceptions: NotedException[] = [];
  #exceptionCount = 0;

  /**
   * Adds the outcomes of one group.
   * @param until outcomes of later days are left out
   */
  add(group: string, outcomes: readonly Outcome[], exceptions: readonly Exception[], until: PlainDate): void {
    const seen = new Set<string>();
    for (const outcome of outcomes) {
      const key = sourceKey(outcome.source);
      if (seen.has(key)) throw new Error(`source ${key} is in two states`);
      seen.add(key);
      if (outcome.date !== null && outcome.date > until && outcome.state !== 'pending') continue;
      this.#states[outcome.state] += 1;
      const { state, reason, date: firstDate } = outcome;
      if (reason !== '') this.#note({ group, state, reason, count: 1, example: key, firstDate });
    }
    const past = exceptions.filter(({ date }) => date === null || date <= until);
    this.addExceptions(
      past.map((exception) => ({ group, exception })),
      past.length,
    );
  }

  /** Adds outcomes that are counted already. */
  addCounted(state: SourceState, count: number, reasons: readonly NotedReason[]): void {
    this.#states[state] += count;
    for (const reason of reasons) this.#note(reason);
  }

  /**
   * Adds exceptions up to the last day.
   * @param count number of all of them, of which these are the first
   */
  addExceptions(first: readonly NotedException[], count: number): void {
    this.#exceptionCount += count;
    this.#exceptions.push(...first);
    // Twice as many before they are sorted and cut, so that not every group sorts them.
    if (this.#exceptions.length > 2 * MOST_EXCEPTIONS) this.#exceptions = firstOf(this.#exceptions);
  }

  #note(added: NotedReason): void {
    const key = `${added.state} ${added.reason}`;
    const known = this.#reasons.get(key);
    if (!known) return void this.#reasons.set(key, added);
    const { group, example } = byGroupOrder(added.group, known.group) < 0 ? added : known;
    const [first, date] = [known.firstDate, added.firstDate];
    const firstDate = first !== null && (date === null || first <= date) ? first : date;
    this.#reasons.set(key, { ...known, group, example, count: known.count + added.count, firstDate });
  }

  result(): { states: StateCounts; reasons: Reason[]; exceptions: Exception[]; exceptionCount: number } {
    const order = (reason: Reason) => `${sourceStates.indexOf(reason.state)} ${reason.reason}`;
    return {
      states: { ...this.#states },
      reasons: [...this.#reasons.values()]
        .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
        .map(({ group: _, ...reason }) => reason),
      exceptions: firstOf(this.#exceptions).map(({ exception }) => exception),
      exceptionCount: this.#exceptionCount,
    };
  }
}

function firstOf(exceptions: readonly NotedException[]): NotedException[] {
  return exceptions.toSorted((a, b) => byGroupOrder(a.group, b.group)).slice(0, MOST_EXCEPTIONS);
}

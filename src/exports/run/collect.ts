import { addDays, type PlainDate } from '../../kernel/dates.ts';
import type { CorrectionPolicy } from '../../kernel/books.ts';
import { adjusted, type BookedEntry, bookOf, type BookState, type IssuedBefore } from '../journal/book.ts';
import { derive } from '../journal/derive.ts';
import { type Derived, type Exception, type Outcome, sourceKey } from '../journal/draft.ts';
import type { Source } from '../journal/entry.ts';
import { groupChecks } from '../journal/checks.ts';
import type { Policy } from '../journal/policy.ts';
import type { UnconfirmedSettings } from './unconfirmed.ts';
import { type Ask, readGroups, type ReadGroup } from '../journal/read/readFacts.ts';

/** The extent of a collection. */
export interface Collecting {
  readonly connection: string;
  readonly policy: Policy;
  readonly zone: string;
  /** The operator's date now. */
  readonly today: PlainDate;
  readonly lockedThrough: PlainDate | null;
  readonly corrections: CorrectionPolicy;
  /** Name of the job that delivers only new entries; absent if all entries are wanted. */
  readonly incremental?: string | undefined;
  /** Keys of the only groups to collect, in order. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Examines each group for unconfirmed settings. */
  readonly unconfirmed: UnconfirmedSettings;
}

/** A group of facts with its entries. */
export interface CollectedGroup {
  readonly group: ReadGroup;
  /** As the target should receive them. */
  readonly entries: readonly BookedEntry[];
  /** As the books seal them. */
  readonly canonical: readonly BookedEntry[];
  readonly outcomes: readonly Outcome[];
  readonly exceptions: readonly Exception[];
}

const NOTHING: IssuedBefore = { issued: [], elsewhere: new Map() };

/** Yields every group with its entries. */
export async function* collect(ask: Ask, asked: Collecting): AsyncGenerator<CollectedGroup> {
  const { connection, policy, today, lockedThrough } = asked;
  const firstOpenDay = lockedThrough === null ? null : addDays(lockedThrough, 1);
  const book: BookState = { connection, lockedThrough, firstOpenDay };
  for await (const group of readGroups(ask, { ...asked, job: asked.incremental })) {
    const derived = derive(policy, group, today);
    const known = knownSources(group, derived);
    asked.unconfirmed.add(book, group, derived.drafts, (key) => known.has(key));
    const before = asked.corrections === 'restate' ? NOTHING : group;
    const state = asked.corrections === 'restate' ? { ...book, lockedThrough: null } : book;
    const { entries, orphans } = bookOf(state, derived.drafts, before, (key) => known.has(key));
    const shown = asked.corrections === 'adjust' ? adjusted(state, entries) : entries;
    yield {
      group,
      entries: shown.toSorted(byDate),
      canonical: entries,
      outcomes: derived.outcomes,
      exceptions: [...derived.exceptions, ...orphans.map(missing), ...groupChecks(policy, group, entries, today)],
    };
  }
}

function byDate(a: BookedEntry, b: BookedEntry): number {
  const [left, right] = [`${a.entry.date} ${a.entry.id}`, `${b.entry.date} ${b.entry.id}`];
  return left < right ? -1 : left > right ? 1 : 0;
}

/**
 * Returns the keys of sources that are present or were found to be gone. An entry of such a source may disappear for a
 * reason.
 */
function knownSources({ gone, reservation }: ReadGroup, { outcomes }: Derived): Set<string> {
  const present: Source[] = reservation
    ? [
        { kind: 'reservation', id: reservation.code },
        ...reservation.stays.map(({ code }) => ({ kind: 'deposit', id: code }) as const),
      ]
    : [];
  return new Set([...gone, ...outcomes.map(({ source }) => sourceKey(source)), ...present.map(sourceKey)]);
}

function missing(id: string): Exception {
  return {
    kind: 'source_missing',
    about: id,
    problem: 'it is sealed, and what it was made from is neither in the mirror nor known to be deleted',
    date: null,
  };
}

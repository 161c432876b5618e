import type { PlainDate } from '../../kernel/dates.ts';
import type { EntryKind, Posting, Source, SourceState } from './entry.ts';

/** An entry as the facts now require it, before its version is decided. */
export interface Draft {
  /** `t12`, `dABC-paid-20000`, `rABC`. */
  readonly base: string;
  /** The part of the base: empty, `rec`, `n3`, `com`. Base and suffix identify the entry for ever. */
  readonly suffix: string;
  readonly date: PlainDate;
  /** Set if the date is the day of discovery. A different date is then no reason for a correction. */
  readonly isNoticed?: true;
  readonly kind: EntryKind;
  readonly source: Source;
  readonly payee: string;
  readonly description: string;
  readonly reservation: string | null;
  readonly stay: string | null;
  readonly channel: string | null;
  readonly postings: readonly Posting[];
}

/** The result for one source. */
export interface Outcome {
  readonly source: Source;
  readonly state: SourceState;
  /** The reason why the source is not simply posted; empty if it is. */
  readonly reason: string;
  /** The day that it belongs to, or null if unknown. */
  readonly date: PlainDate | null;
}

/** A finding for a person to look at. */
export interface Exception {
  readonly kind:
    | 'deposit_unexplained'
    | 'deposits_differ'
    | 'receipts_differ'
    | 'advances_held'
    | 'stay_unpaid'
    | 'commission_twice'
    | 'owner_negative'
    | 'trust_short'
    | 'source_missing'
    | 'other';
  /** The reservation, stay, transaction or owner concerned. */
  readonly about: string;
  readonly problem: string;
  readonly date: PlainDate | null;
}

/** Everything that follows from one group of facts. */
export interface Derived {
  readonly drafts: readonly Draft[];
  readonly outcomes: readonly Outcome[];
  readonly exceptions: readonly Exception[];
}

/** Returns the key of a source: `kind/id`. */
export function sourceKey({ kind, id }: Source): string {
  return `${kind}/${id}`;
}

/** Merges postings with the same account, property and memo, and drops those that add up to zero. */
export function merged(postings: readonly Posting[]): Posting[] {
  const sums = new Map<string, Posting>();
  for (const posting of postings) {
    const key = JSON.stringify([posting.account, posting.currency, posting.propertyId, posting.memo ?? null]);
    const known = sums.get(key);
    sums.set(key, known ? { ...known, amount: known.amount + posting.amount } : posting);
  }
  return [...sums.values()].filter((posting) => posting.amount !== 0);
}

/**
 * Checks that postings balance.
 * @throws Error if they do not add up to zero in each currency, which would be a defect of a rule
 */
export function requireBalance(id: string, postings: readonly Posting[]): void {
  const sums = new Map<string, number>();
  for (const { currency, amount } of postings) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  for (const [currency, sum] of sums) {
    if (sum !== 0) throw new Error(`entry ${id} is out of balance by ${sum} minor units of ${currency}`);
  }
}

/**
 * Returns an upstream code as a part of an id. Characters other than letters, digits and `-` are spelt as their code
 * points, so different codes stay different.
 */
export function idPart(code: string): string {
  return code.replaceAll(/[^A-Za-z0-9-]/g, (character) => `x${character.codePointAt(0)?.toString(16)}x`);
}

import type { PlainDate } from '../../kernel/dates.ts';
import type { EntryKind, Posting, Source, SourceState } from './entry.ts';

/** An entry as it should be by what is known now, before it is decided which version of it that is. */
export interface Draft {
  /** `t12`, `dABC-paid-20000`, `rABC`. */
  readonly base: string;
  /** What of it: empty, `rec`, `n3`, `com`. Base and suffix are found again for ever. */
  readonly suffix: string;
  readonly date: PlainDate;
  /** The day is when it was noticed: another one is no reason to correct anything. */
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

/** What became of a source. */
export interface Outcome {
  readonly source: Source;
  readonly state: SourceState;
  /** Why it is not simply posted; empty where it is. */
  readonly reason: string;
  /** The day it belongs to, as far as it is known. */
  readonly date: PlainDate | null;
}

/** Something that a person has to look at. */
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
  /** Booking, stay, transaction or owner it is about. */
  readonly about: string;
  readonly problem: string;
  readonly date: PlainDate | null;
}

/** All that follows from one group of facts. */
export interface Derived {
  readonly drafts: readonly Draft[];
  readonly outcomes: readonly Outcome[];
  readonly exceptions: readonly Exception[];
}

export function sourceKey({ kind, id }: Source): string {
  return `${kind}/${id}`;
}

/** Postings of one account, property and memo become one; those that come to nothing go. */
export function merged(postings: readonly Posting[]): Posting[] {
  const sums = new Map<string, Posting>();
  for (const posting of postings) {
    const key = JSON.stringify([posting.account, posting.currency, posting.propertyId, posting.memo ?? null]);
    const known = sums.get(key);
    sums.set(key, known ? { ...known, amount: known.amount + posting.amount } : posting);
  }
  return [...sums.values()].filter((posting) => posting.amount !== 0);
}

/** @throws Error when they do not add up to zero in each currency, which no rule may let happen */
export function requireBalance(id: string, postings: readonly Posting[]): void {
  const sums = new Map<string, number>();
  for (const { currency, amount } of postings) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  for (const [currency, sum] of sums) {
    if (sum !== 0) throw new Error(`entry ${id} is out of balance by ${sum} minor units of ${currency}`);
  }
}

/** Codes of upstream as ids may have them; what is not a letter, digit or `-` is spelt out, so that none meet. */
export function idPart(code: string): string {
  return code.replaceAll(/[^A-Za-z0-9-]/g, (character) => `x${character.codePointAt(0)?.toString(16)}x`);
}

import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import type { RateSetting } from './convert.ts';

const accountTypes = ['asset', 'liability', 'equity', 'income', 'expense'] as const;
/** The five types of accounts. */
export type AccountType = (typeof accountTypes)[number];

/**
 * `Type:Kind[:Owner|Channel]`, such as `Assets:Clearing:Marketplace-A`. Every part begins with an ASCII capital or
 * digit, followed by letters, digits and `-`; every target accepts that. A name contains no property, because the
 * posting has it.
 */
export type AccountName = string;

/** One account of the chart. */
export interface Account {
  readonly name: AccountName;
  readonly type: AccountType;
  /** The name for people. */
  readonly title: string;
  /** The account number in the books of the target, or null if none is given. */
  readonly code: string | null;
  /** The name for programs that identify accounts by name alone, `Parent:Sub`; null if it equals `name`. */
  readonly alias: string | null;
  /** The target's name for the tax rate of its lines, or null if none is given. */
  readonly tax: string | null;
  /** True for money on its way: receipts gather here until a payout moves them to a bank. */
  readonly isClearing: boolean;
}

const entryKinds = [
  'receipt',
  'payment',
  'recognition',
  'commission',
  'deposit',
  'payout',
  'reversal',
  'correction',
] as const;
/**
 * The reason for an entry.
 * - `receipt`, `payment`: money came in or went out
 * - `recognition`: an advance is earned
 * - `commission`: the share that a channel retained, shown gross
 * - `deposit`: a guest's deposit
 * - `payout`: the transfer of a channel to a bank
 * - `reversal`: reverses another entry
 * - `correction`: replaces another entry
 */
export type EntryKind = (typeof entryKinds)[number];

/** The fact that an entry is derived from. Every source is in exactly one {@link SourceState}. */
export interface Source {
  readonly kind: 'transaction' | 'deposit' | 'reservation' | 'payout';
  /** A transaction id, stay code, reservation code, or the payout's own id. */
  readonly id: string;
}

/** Every state of a source. */
export const sourceStates = ['posted', 'ignored', 'unmapped', 'pending'] as const;
/**
 * The state of a source. `unmapped` sources are posted to an account of their own until an operator maps them;
 * `pending` sources cannot be posted yet.
 */
export type SourceState = (typeof sourceStates)[number];

/** One line of an entry. */
export interface Posting {
  readonly account: AccountName;
  /** Minor units of the currency: positive for a debit, negative for a credit, never zero. */
  readonly amount: Minor;
  readonly currency: Currency;
  /** The property of the amount; null if it has none or several. */
  readonly propertyId: number | null;
  readonly memo?: string;
}

/** One entry of the journal. Its postings add up to zero in each currency. */
export interface JournalEntry {
  /**
   * Stable id, made of the source and never of an order or a time: `t12-1` (transaction 12, first version),
   * `t12-1-rec`, `t12-1-n3` (its third night), `dABC-paid-20000`, `rABC-1-com`; `…-rev` reverses. Letters, digits and
   * `-`.
   */
  readonly id: string;
  /**
   * Represents the id in 20 capitals and digits for targets that take no longer one; a prefix for targets that take
   * less.
   */
  readonly reference: string;
  readonly date: PlainDate;
  /** The date before a locked period forced the entry to move, or null if it did not move. */
  readonly originalDate: PlainDate | null;
  readonly kind: EntryKind;
  readonly source: Source;
  /** 1 for the first booked version of the source, then one more for each correction. */
  readonly revision: number;
  /** Id of the entry that this one reverses or replaces. */
  readonly corrects: string | null;
  /** The other party: a channel, an owner or a method, never a guest. May be empty. */
  readonly payee: string;
  /** One line. It may contain text of other people, so each format neutralises its markup. */
  readonly description: string;
  readonly reservation: string | null;
  /** Set if the entry concerns one stay only. */
  readonly stay: string | null;
  /** The operator's own source or the channel; null without either. */
  readonly channel: string | null;
  /** At least two, in a fixed order. */
  readonly postings: readonly Posting[];
}

/** A property as targets track it. */
export interface TrackedProperty {
  readonly id: number;
  /** `P101`: letters and digits. */
  readonly code: string;
  readonly name: string;
  /** Code of the owner, as in account names; null for the operator's own property. */
  readonly owner: string | null;
}

/** The balance of an account. Exact, because sums of a long journal exceed the safe integers of a number. */
export interface AccountBalance {
  readonly account: AccountName;
  readonly currency: Currency;
  /** Balance before the first day of the journal. */
  readonly opening: bigint;
  readonly debit: bigint;
  readonly credit: bigint;
  /** opening + debit - credit. */
  readonly closing: bigint;
}

/** A month whose entries can no longer change. */
export interface LockedMonth {
  /** `2027-03`. */
  readonly period: string;
  /** The operator's date of the lock. */
  readonly on: PlainDate;
}

/** The extent and the origin of a journal. Nothing in it depends on the time of its making. */
interface JournalFacts {
  readonly connection: string;
  /** First day; both ends are included. */
  readonly from: PlainDate;
  readonly to: PlainDate;
  /** full: all entries of the days; incremental: entries that the target has not received. */
  readonly mode: 'full' | 'incremental';
  /** IANA zone of the operator; all dates are in it. */
  readonly zone: string;
  /** The operator's own currency. */
  readonly currency: Currency;
  readonly entries: number;
  /** Hash of chart, mapping and rules: 64 hex digits. */
  readonly policyHash: string;
  /** The time up to which the mirror is known to be complete, or null if it never was. */
  readonly watermark: Instant | null;
  /** Oldest first, without gaps. */
  readonly locked: readonly LockedMonth[];
  /** The exchange rates that the operator states. */
  readonly rates: readonly RateSetting[];
}

/** Entries for a format to write. */
export interface Journal {
  readonly facts: JournalFacts;
  /** The accounts that occur, by name. */
  readonly accounts: readonly Account[];
  /** The currencies that occur, by code. */
  readonly currencies: readonly Currency[];
  /** The properties that occur, by id. */
  readonly properties: readonly TrackedProperty[];
  /** Ordered by account, then currency. */
  readonly balances: readonly AccountBalance[];
  /**
   * Yields the entries by date, then id. May be called any number of times; never holds the whole journal in memory.
   */
  entries(): AsyncIterable<JournalEntry>;
}

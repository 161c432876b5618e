import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { Currency, Minor } from '../../kernel/money.ts';
import type { RateSetting } from './convert.ts';

const accountTypes = ['asset', 'liability', 'equity', 'income', 'expense'] as const;
export type AccountType = (typeof accountTypes)[number];

/**
 * `Type:Kind[:Owner|Channel]`: `Assets:Clearing:Marketplace-A`. Every part begins with an ASCII capital or digit, then
 * letters, digits and `-`, which every target takes. No property stands in it: that is said by the posting.
 */
export type AccountName = string;

/** One account of the chart. */
export interface Account {
  readonly name: AccountName;
  readonly type: AccountType;
  /** What people call it. */
  readonly title: string;
  /** Its number in the books of the target; null: none was given. */
  readonly code: string | null;
  /** What programs call it that know accounts by their names alone, `Parent:Sub`; null: the same as here. */
  readonly alias: string | null;
  /** The tax rate its lines carry, as the target calls it; null: none was given. */
  readonly tax: string | null;
  /** Money on its way: receipts gather here until a payout moves them to a bank. */
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
 * receipt, payment: money came in, went out · recognition: an advance is earned · commission: what a channel kept,
 * shown gross · deposit: of a guest · payout: a channel's, to a bank · reversal: reverses another entry ·
 * correction: what another entry should have been.
 */
export type EntryKind = (typeof entryKinds)[number];

/** What an entry was derived from. Every source is in exactly one {@link SourceState}. */
export interface Source {
  readonly kind: 'transaction' | 'deposit' | 'reservation' | 'payout';
  /** transaction id, stay code, reservation code, or the payout's own id. */
  readonly id: string;
}

export const sourceStates = ['posted', 'ignored', 'unmapped', 'pending'] as const;
/** unmapped: posted to an account of its own until somebody says where it belongs · pending: cannot be posted yet. */
export type SourceState = (typeof sourceStates)[number];

/** One line of an entry. */
export interface Posting {
  readonly account: AccountName;
  /** Minor units of the currency: above zero a debit, below zero a credit; never zero. */
  readonly amount: Minor;
  readonly currency: Currency;
  /** Property the amount belongs to; null: none, or not one alone. */
  readonly propertyId: number | null;
  readonly memo?: string;
}

/** One entry of the journal. Its postings add up to zero in each currency. */
export interface JournalEntry {
  /**
   * Stable: made of the source, never of an order or a time. `t12-1` (transaction 12, first version), `t12-1-rec`,
   * `t12-1-n3` (its third night), `dABC-paid-20000`, `rABC-1-com`; `…-rev` reverses. Letters, digits and `-`.
   */
  readonly id: string;
  /** 20 capitals and digits that stand for the id where a target takes no longer one; a prefix of them where less. */
  readonly reference: string;
  readonly date: PlainDate;
  /** Its date before it had to move out of a locked period; null when it did not. */
  readonly originalDate: PlainDate | null;
  readonly kind: EntryKind;
  readonly source: Source;
  /** 1 for the first version of the source that was booked; one more with each that had to be corrected. */
  readonly revision: number;
  /** Id of the entry that this one reverses or replaces. */
  readonly corrects: string | null;
  /** From whom or to whom: a channel, an owner, a method; never a guest. May be empty. */
  readonly payee: string;
  /** One line; text of others may stand in it, so that each format neutralises what it takes for markup. */
  readonly description: string;
  readonly reservation: string | null;
  /** Set when one stay alone is meant. */
  readonly stay: string | null;
  /** The operator's own source, or the channel; null for what came by none. */
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
  /** Code of the owner, as in account names; null: the operator's own. */
  readonly owner: string | null;
}

/** Exact, since sums of a long journal pass what a number holds. */
export interface AccountBalance {
  readonly account: AccountName;
  readonly currency: Currency;
  /** Before the first day of the journal. */
  readonly opening: bigint;
  readonly debit: bigint;
  readonly credit: bigint;
  /** opening + debit - credit. */
  readonly closing: bigint;
}

/** A month whose entries cannot change any more. */
export interface LockedMonth {
  /** `2027-03`. */
  readonly period: string;
  /** The operator's date on which it was locked. */
  readonly on: PlainDate;
}

/** What a journal covers, and what it was made from. Nothing in it depends on when it was made. */
export interface JournalFacts {
  readonly connection: string;
  /** Both included. */
  readonly from: PlainDate;
  readonly to: PlainDate;
  /** full: all entries of the days; incremental: those the target has not had. */
  readonly mode: 'full' | 'incremental';
  /** IANA zone of the operator, in which dates are meant. */
  readonly zone: string;
  /** The operator's own currency. */
  readonly currency: Currency;
  readonly entries: number;
  /** Of chart, mapping and rules: 64 hex digits. */
  readonly policyHash: string;
  /** Until when the mirror is known to be whole; null: it never was. */
  readonly watermark: Instant | null;
  /** The oldest first; one follows on the other. */
  readonly locked: readonly LockedMonth[];
  /** The rates that the operator states. */
  readonly rates: readonly RateSetting[];
}

/** Entries to be written in some format. */
export interface Journal {
  readonly facts: JournalFacts;
  /** Those that occur, by name. */
  readonly accounts: readonly Account[];
  /** Those that occur, by code. */
  readonly currencies: readonly Currency[];
  /** Those that occur, by id. */
  readonly properties: readonly TrackedProperty[];
  /** By account, then currency. */
  readonly balances: readonly AccountBalance[];
  /** By date, then id. Can be asked any number of times, and is never whole in memory. */
  entries(): AsyncIterable<JournalEntry>;
}

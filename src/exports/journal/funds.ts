import type { PlainDate } from '../../kernel/dates.ts';
import { type Currency, decimalText } from '../../kernel/money.ts';
import type { BookedEntry } from './book.ts';
import type { Exception } from './draft.ts';
import type { AccountName } from './entry.ts';

/** Answers from the settings about accounts that hold other people's money. */
export interface Holders {
  ownerOf(account: AccountName): string | undefined;
  isTrust(account: AccountName): boolean;
  /** Returns true if the balance of the account is owed to guests, owners or authorities. */
  isOwed(account: AccountName): boolean;
  /** True if the operator holds money for others at all. */
  readonly holds: boolean;
}

/**
 * Adds up the money held for others while a journal passes. No owner may receive more than their share, and the money
 * held may not be less than the money owed.
 */
export class Funds {
  readonly #holders: Holders;
  readonly #owners = new Map<string, bigint>();
  readonly #held = new Map<string, bigint>();
  readonly #owed = new Map<string, bigint>();

  constructor(holders: Holders) {
    this.#holders = holders;
  }

  add(entries: readonly BookedEntry[], until: PlainDate): void {
    for (const { entry } of entries) {
      if (entry.date > until) continue;
      for (const { account, amount, currency } of entry.postings) this.addSum(account, currency, BigInt(amount));
    }
  }

  /** Adds what moved on an account up to the last day. */
  addSum(account: AccountName, currency: Currency, amount: bigint): void {
    const owner = this.#holders.ownerOf(account);
    if (owner !== undefined) increase(this.#owners, JSON.stringify([owner, currency]), amount);
    if (this.#holders.isTrust(account)) increase(this.#held, currency, amount);
    if (this.#holders.isOwed(account)) increase(this.#owed, currency, -amount);
  }

  exceptions(date: PlainDate): Exception[] {
    const negative = [...this.#owners].flatMap(([key, balance]) => {
      const [about = '', currency = ''] = JSON.parse(key) as string[];
      if (balance <= 0n) return [];
      const problem = `has had ${decimalText(balance, currency)} ${currency} more than was theirs`;
      return [{ kind: 'owner_negative', about, problem, date } as const];
    });
    if (!this.#holders.holds) return negative;
    const short = [...this.#owed].flatMap(([currency, owed]) => {
      const held = this.#held.get(currency) ?? 0n;
      if (owed <= 0n || held >= owed) return [];
      const money = (minor: bigint) => `${decimalText(minor, currency)} ${currency}`;
      const problem = `${money(held)} is there for the ${money(owed)} that is held for guests, owners and authorities`;
      return [{ kind: 'trust_short', about: currency, problem, date } as const];
    });
    const text = ({ kind, about, problem }: Exception) => `${kind} ${about} ${problem}`;
    return [...negative, ...short].toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
  }
}

function increase(sums: Map<string, bigint>, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount);
}

import type { PlainDate } from '../../kernel/dates.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Currency } from '../../kernel/money.ts';
import type { AccountBalance, AccountName, JournalEntry } from './entry.ts';

interface Sums {
  account: AccountName;
  currency: Currency;
  opening: bigint;
  debit: bigint;
  credit: bigint;
}

/** Thrown if debit and credit differ: a defect of a rule, or a damaged row of the stored books. */
export class OutOfBalance extends OperatorError {
  constructor(debit: bigint, credit: bigint) {
    super(
      `the journal is out of balance: debit ${debit}, credit ${credit}`,
      './stayd export verify compares the stored books; ./stayd export book stores them again',
    );
  }
}

/** Adds up a journal while its entries pass. */
export class Totals {
  readonly #sums = new Map<string, Sums>();
  readonly #properties = new Set<number>();
  #entries = 0;

  /** Adds an entry. An entry before the first day changes the opening balances only. */
  add({ date, postings }: JournalEntry, from: PlainDate): void {
    const isOpening = date < from;
    if (!isOpening) this.#entries += 1;
    for (const { account, currency, amount, propertyId } of postings) {
      const sums = this.#sumsOf(account, currency);
      if (isOpening) sums.opening += BigInt(amount);
      else if (amount > 0) sums.debit += BigInt(amount);
      else sums.credit -= BigInt(amount);
      if (propertyId !== null && !isOpening) this.#properties.add(propertyId);
    }
  }

  /** Adds what moved on an account before the first day. */
  open(account: AccountName, currency: Currency, amount: bigint): void {
    this.#sumsOf(account, currency).opening += amount;
  }

  get entries(): number {
    return this.#entries;
  }

  get properties(): number[] {
    return [...this.#properties].toSorted((a, b) => a - b);
  }

  /** Returns the balances by account, then currency. */
  balances(): AccountBalance[] {
    return [...this.#sums.values()]
      .map((sums) => ({ ...sums, closing: sums.opening + sums.debit - sums.credit }))
      .toSorted((a, b) => order(a.account, b.account) || order(a.currency, b.currency));
  }

  /**
   * Returns debit and credit of each currency.
   * @throws OutOfBalance if they differ
   */
  control(): { currency: Currency; debit: bigint; credit: bigint }[] {
    const byCurrency = new Map<Currency, { debit: bigint; credit: bigint }>();
    for (const { currency, debit, credit } of this.#sums.values()) {
      const known = byCurrency.get(currency) ?? { debit: 0n, credit: 0n };
      byCurrency.set(currency, { debit: known.debit + debit, credit: known.credit + credit });
    }
    return [...byCurrency]
      .map(([currency, sums]) => ({ currency, ...sums }))
      .filter(({ debit, credit }) => {
        if (debit !== credit) throw new OutOfBalance(debit, credit);
        return debit !== 0n;
      })
      .toSorted((a, b) => order(a.currency, b.currency));
  }

  #sumsOf(account: AccountName, currency: Currency): Sums {
    const key = `${account} ${currency}`;
    let sums = this.#sums.get(key);
    if (!sums) this.#sums.set(key, (sums = { account, currency, opening: 0n, debit: 0n, credit: 0n }));
    return sums;
  }
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

import type { AccountName, Posting } from '../journal/entry.ts';

/** An amount that goes from one account to another. */
export interface Pair {
  readonly debit: AccountName;
  readonly credit: AccountName;
  /** Minor units, above zero. */
  readonly amount: number;
  /** Property of the income or the cost of it, else of whichever side has one. */
  readonly propertyId: number | null;
  readonly memo: string | undefined;
}

/**
 * Postings of one currency, two by two: each account gets what it has, and nothing is added up. What would go from an
 * account to itself goes by another one and back.
 * @returns undefined when there is no other account
 */
export function pairsOf(postings: readonly Posting[]): Pair[] | undefined {
  const pairs: Pair[] = [];
  const debits = postings.filter(({ amount }) => amount > 0).map((posting) => ({ posting, left: posting.amount }));
  for (const posting of postings.filter(({ amount }) => amount < 0)) {
    for (let left = -posting.amount; left > 0;) {
      const open = debits.filter((one) => one.left > 0);
      const debit = open.find((one) => one.posting.account !== posting.account) ?? open[0];
      if (!debit) throw new RangeError('postings of one currency have to add up to zero');
      const amount = Math.min(left, debit.left);
      debit.left -= amount;
      left -= amount;
      const between = pairBetween(debit.posting, posting, { amount, postings });
      if (!between) return undefined;
      pairs.push(...between);
    }
  }
  return pairs;
}

function pairBetween(
  debit: Posting,
  credit: Posting,
  { amount, postings }: { amount: number; postings: readonly Posting[] },
): Pair[] | undefined {
  const of = (one: Posting, sides: Pick<Pair, 'debit' | 'credit'>): Pair => ({
    ...sides,
    amount,
    propertyId: one.propertyId,
    memo: one.memo,
  });
  if (debit.account !== credit.account) {
    const told = isResult(credit) || (credit.propertyId !== null && !isResult(debit)) ? credit : debit;
    const other = told === credit ? debit : credit;
    return [
      {
        ...of(told, { debit: debit.account, credit: credit.account }),
        propertyId: told.propertyId ?? other.propertyId,
        memo: told.memo ?? other.memo,
      },
    ];
  }
  const by = postings.find(({ account }) => account !== debit.account)?.account;
  if (by === undefined) return undefined;
  return [of(debit, { debit: debit.account, credit: by }), of(credit, { debit: by, credit: credit.account })];
}

function isResult({ account }: Posting): boolean {
  return account.startsWith('Income:') || account.startsWith('Expenses:');
}

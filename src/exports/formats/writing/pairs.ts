import type { AccountName, Posting } from '../../journal/entry.ts';

/** Returns the target's name of an account. Two accounts may have one name there. */
type NameOf = (account: AccountName) => string;

/** An amount that moves from one account to another, by the target's names. */
export interface Pair {
  readonly debit: string;
  readonly credit: string;
  /** Minor units, above zero. */
  readonly amount: number;
  /** Property of the income or expense in it, else of the side that has one. */
  readonly propertyId: number | null;
  readonly memo: string | undefined;
}

/**
 * Splits postings of one currency into pairs. Each account receives its exact amounts, and none are summed. An amount
 * from an account to itself passes through another account.
 * @returns undefined if there is no other account
 */
export function pairsOf(postings: readonly Posting[], nameOf: NameOf): Pair[] | undefined {
  const pairs: Pair[] = [];
  const debits = postings.filter(({ amount }) => amount > 0).map((posting) => ({ posting, left: posting.amount }));
  for (const posting of postings.filter(({ amount }) => amount < 0)) {
    for (let left = -posting.amount; left > 0;) {
      const open = debits.filter((one) => one.left > 0);
      const debit = open.find((one) => nameOf(one.posting.account) !== nameOf(posting.account)) ?? open[0];
      if (!debit) throw new RangeError('postings of one currency have to add up to zero');
      const amount = Math.min(left, debit.left);
      debit.left -= amount;
      left -= amount;
      const between = pairBetween(debit.posting, posting, { amount, postings, nameOf });
      if (!between) return undefined;
      pairs.push(...between);
    }
  }
  return pairs;
}

function pairBetween(
  debit: Posting,
  credit: Posting,
  { amount, postings, nameOf }: { amount: number; postings: readonly Posting[]; nameOf: NameOf },
): Pair[] | undefined {
  const [from, to] = [nameOf(debit.account), nameOf(credit.account)];
  const of = (one: Posting, sides: Pick<Pair, 'debit' | 'credit'>): Pair => ({
    ...sides,
    amount,
    propertyId: one.propertyId,
    memo: one.memo,
  });
  if (from !== to) {
    const described = isResult(credit) || (credit.propertyId !== null && !isResult(debit)) ? credit : debit;
    const other = described === credit ? debit : credit;
    return [
      {
        ...of(described, { debit: from, credit: to }),
        propertyId: described.propertyId ?? other.propertyId,
        memo: described.memo ?? other.memo,
      },
    ];
  }
  const by = postings.map(({ account }) => nameOf(account)).find((name) => name !== from);
  if (by === undefined) return undefined;
  return [of(debit, { debit: from, credit: by }), of(credit, { debit: by, credit: to })];
}

function isResult({ account }: Posting): boolean {
  return account.startsWith('Income:') || account.startsWith('Expenses:');
}

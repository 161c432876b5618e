import { createHash } from 'node:crypto';
import type { Currency } from '../../../kernel/money.ts';
import type { AccountBalance, AccountName, Journal, JournalEntry, Posting } from '../../journal/entry.ts';

const LETTERS_OF_HASH = 8;

/**
 * Returns the balances of clearing accounts, one for each account and currency, because a statement has one currency.
 */
export function clearingBalances({ accounts, balances }: Journal): AccountBalance[] {
  const clearing = new Set(accounts.filter(({ isClearing }) => isClearing).map(({ name }) => name));
  return balances.filter(({ account }) => clearing.has(account));
}

/** A line of a statement. */
interface StatementLine extends Pick<Posting, 'amount' | 'memo'> {
  /** Id of the line for imports: the entry's reference and the place of the posting. It never changes. */
  readonly id: string;
}

/** Returns the lines that an entry adds to the statement of an account and currency. */
export function statementLines(
  { reference, postings }: JournalEntry,
  { account, currency }: Pick<AccountBalance, 'account' | 'currency'>,
): StatementLine[] {
  return postings.flatMap((posting, index) =>
    posting.account === account && posting.currency === currency
      ? [{ ...posting, id: `${reference}-${index + 1}` }]
      : [],
  );
}

/** Returns an account name without its `Assets:Clearing:` or `Assets:`. */
export function shortName(account: AccountName): string {
  return account.replace(/^Assets:(?:Clearing:)?/, '');
}

/**
 * Returns a part of a file name: letters, digits and `-`. If letters had to be replaced, a part of the hash keeps
 * similar names apart.
 */
export function statementPart({ account, currency }: Pick<AccountBalance, 'account' | 'currency'>): string {
  const plain = shortName(account);
  const safe = plain.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60);
  return safe === plain ? `${safe}-${currency}` : `${safe}-${currency}-${accountHash(account, currency)}`;
}

/** Returns eight hex digits that represent an account whose name does not fit. */
export function accountHash(account: AccountName, currency: Currency): string {
  return createHash('sha256').update(`${account}\n${currency}`).digest('hex').slice(0, LETTERS_OF_HASH);
}

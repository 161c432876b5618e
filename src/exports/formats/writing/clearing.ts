import { createHash } from 'node:crypto';
import type { Currency } from '../../../kernel/money.ts';
import type { AccountBalance, AccountName, Journal, JournalEntry, Posting } from '../../journal/entry.ts';

const LETTERS_OF_HASH = 8;

/** Clearing accounts that occur, each once for every currency in it: a statement has one. */
export function clearingBalances({ accounts, balances }: Journal): AccountBalance[] {
  const clearing = new Set(accounts.filter(({ isClearing }) => isClearing).map(({ name }) => name));
  return balances.filter(({ account }) => clearing.has(account));
}

/** A line of a statement. */
export interface StatementLine extends Pick<Posting, 'amount' | 'memo'> {
  /** What an import knows the line by; it never changes: the entry's reference and the place of the posting. */
  readonly id: string;
}

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

export function shortName(account: AccountName): string {
  return account.replace(/^Assets:(?:Clearing:)?/, '');
}

/** For the name of the file: letters, digits and `-`. Names that become alike are told apart by a part of their hash. */
export function statementPart({ account, currency }: Pick<AccountBalance, 'account' | 'currency'>): string {
  const plain = shortName(account);
  const safe = plain.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60);
  return safe === plain ? `${safe}-${currency}` : `${safe}-${currency}-${accountHash(account, currency)}`;
}

/** Eight hex digits that stand for an account where its name does not fit. */
export function accountHash(account: AccountName, currency: Currency): string {
  return createHash('sha256').update(`${account}\n${currency}`).digest('hex').slice(0, LETTERS_OF_HASH);
}

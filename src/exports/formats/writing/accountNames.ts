import { OperatorError } from '../../../kernel/errors.ts';
import type { Account, AccountName, Journal } from '../../journal/entry.ts';
import { accountsByName } from './lookups.ts';

/** The five beginnings that beancount knows; hledger and ledger tell the type of an account by them. */
const NAME = /^(?:Assets|Liabilities|Equity|Income|Expenses)(?::[\p{Lu}0-9][\p{L}\p{Nd}-]*)+$/u;

/** Where what was there before the first day comes from, in a journal that begins with it. */
export const OPENING_BALANCES = 'Equity:Opening-Balances';

/**
 * Accounts are written as they are named, never altered: two names must not become one.
 * @throws OperatorError when a name is one that a journal could not take
 */
export function checkAccountNames(journal: Journal): void {
  const wrong = journal.accounts.find(({ name }) => !NAME.test(name));
  if (wrong === undefined) return;
  throw new OperatorError(
    `the account ${JSON.stringify(wrong.name.slice(0, 200))} cannot be written as a journal`,
    'begin with Assets, Liabilities, Equity, Income or Expenses, then parts behind ":" that begin with a capital or a digit and have letters, digits and "-"',
  );
}

/** What a program calls an account that knows it by its name alone. */
export function writtenName({ name, alias }: Account): string {
  return alias ?? name;
}

export function writtenNames(journal: Journal): (account: AccountName) => string {
  const accounts = accountsByName(journal);
  return (name) => {
    const account = accounts.get(name);
    return account ? writtenName(account) : name;
  };
}

/** Whether such a program has room for the name: for so many levels, and for each of so many UTF-16 units. */
export function isNameWithin(
  account: Account,
  { levels = Infinity, part }: { levels?: number; part: number },
): boolean {
  const parts = writtenName(account).split(':');
  return parts.length <= levels && parts.every((one) => one.length <= part);
}

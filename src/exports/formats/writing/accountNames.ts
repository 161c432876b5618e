import { OperatorError } from '../../../kernel/errors.ts';
import type { Account, AccountName, Journal } from '../../journal/entry.ts';
import { accountsByName } from './lookups.ts';

/** The five beginnings that beancount allows; hledger and ledger derive the account type from them. */
const NAME = /^(?:Assets|Liabilities|Equity|Income|Expenses)(?::[\p{Lu}0-9][\p{L}\p{Nd}-]*)+$/u;

/** Source of the opening balances, in a journal that begins with them. */
export const OPENING_BALANCES = 'Equity:Opening-Balances';

/**
 * Checks that account names are valid as they are. They are never altered, because two names must not become one.
 * @throws OperatorError for a name that a journal does not accept
 */
export function checkAccountNames(journal: Journal): void {
  const wrong = journal.accounts.find(({ name }) => !NAME.test(name));
  if (wrong === undefined) return;
  throw new OperatorError(
    `the account ${JSON.stringify(wrong.name.slice(0, 200))} cannot be written as a journal`,
    'begin with Assets, Liabilities, Equity, Income or Expenses, then parts behind ":" that begin with a capital or a digit and have letters, digits and "-"',
  );
}

/** Returns the name of an account for programs that identify accounts by name alone. */
export function writtenName({ name, alias }: Account): string {
  return alias ?? name;
}

/** Returns a look-up of {@link writtenName}. */
export function writtenNames(journal: Journal): (account: AccountName) => string {
  const accounts = accountsByName(journal);
  return (name) => {
    const account = accounts.get(name);
    return account ? writtenName(account) : name;
  };
}

/**
 * Returns true if the name fits: it has no more than the given levels, and each level no more than the given UTF-16
 * units.
 */
export function isNameWithin(
  account: Account,
  { levels = Infinity, part }: { levels?: number; part: number },
): boolean {
  const parts = writtenName(account).split(':');
  return parts.length <= levels && parts.every((one) => one.length <= part);
}

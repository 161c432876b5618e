import type { AccountBalance, Journal } from '../../journal/entry.ts';
import { accountsByName } from './lookups.ts';

/**
 * Returns the balances before the first day, with which a self-contained journal begins. Earlier income and expenses do
 * not belong to its days; they have become part of the equity.
 */
export function openingBalances(journal: Journal): AccountBalance[] {
  const accounts = accountsByName(journal);
  return journal.balances.filter(({ account, opening }) => {
    const type = accounts.get(account)?.type;
    return opening !== 0n && type !== 'income' && type !== 'expense';
  });
}

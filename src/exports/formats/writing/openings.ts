import type { AccountBalance, Journal } from '../../journal/entry.ts';
import { accountsByName } from './lookups.ts';

/**
 * Balances from before the first day that a journal which stands on its own begins with. What was earned and spent then is
 * no income or cost of its days: it has become part of the equity.
 */
export function openingBalances(journal: Journal): AccountBalance[] {
  const accounts = accountsByName(journal);
  return journal.balances.filter(({ account, opening }) => {
    const type = accounts.get(account)?.type;
    return opening !== 0n && type !== 'income' && type !== 'expense';
  });
}

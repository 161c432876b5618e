import type { JournalEntry } from '../../journal/entry.ts';

const NEEDS_A_NAME = /(?:^|:)(?:Receivables|Payables|Accounts (?:Receivable|Payable))(?:$|[: ])/;

/**
 * Returns the other party of a line. QuickBooks requires a name on lines of receivables and payables.
 * @param account its name in QuickBooks
 */
export function partyOf(entry: JournalEntry, account: string): string {
  if (entry.payee !== '') return entry.payee;
  if (!NEEDS_A_NAME.test(account)) return '';
  return entry.channel ?? 'Guests';
}

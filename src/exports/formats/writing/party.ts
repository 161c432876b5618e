import type { JournalEntry } from '../../journal/entry.ts';

const NEEDS_A_NAME = /(?:^|:)(?:Receivables|Payables|Accounts (?:Receivable|Payable))(?:$|[: ])/;

/**
 * Whom a line is with. QuickBooks takes lines of receivables and payables only with a name.
 * @param account as it is called there
 */
export function partyOf(entry: JournalEntry, account: string): string {
  if (entry.payee !== '') return entry.payee;
  if (!NEEDS_A_NAME.test(account)) return '';
  return entry.channel ?? 'Guests';
}

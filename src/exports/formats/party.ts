import type { AccountName, JournalEntry } from '../journal/entry.ts';

const NEEDS_A_NAME = /:(?:Receivables|Payables)(?::|$)/;

/** Whom a line is with. QuickBooks takes lines of receivables and payables only with a name. */
export function partyOf(entry: JournalEntry, account: AccountName): string {
  if (entry.payee !== '') return entry.payee;
  if (!NEEDS_A_NAME.test(account)) return '';
  return entry.channel ?? 'Guests';
}

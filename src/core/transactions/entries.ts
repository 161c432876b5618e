import { instantOf } from '../../kernel/dates.ts';
import type { Change } from '../context.ts';
import type { TransactionRow } from '../database.ts';
import {
  addTransaction,
  changeTransaction,
  lockTransaction,
  removeTransaction,
  type TransactionChanges,
  type TransactionDraft,
} from './table.ts';

/** Posts an entry to the ledger and queues its event. @returns its number */
export async function postEntry(change: Change, draft: TransactionDraft): Promise<number> {
  const id = await addTransaction(change.trx, draft, instantOf(change.now));
  change.audit('createTransaction', String(id));
  change.emit({ event: 'transaction_created', transaction_id: id });
  return id;
}

/** Edits an entry and queues its event. */
export async function editEntry(change: Change, row: TransactionRow, changes: TransactionChanges): Promise<void> {
  await changeTransaction(change.trx, row, changes, instantOf(change.now));
  change.audit('updateTransaction', String(row.id));
  change.emit({ event: 'transaction_updated', transaction_id: row.id });
}

/** Removes an entry for good and queues its event. */
export async function removeEntry(change: Change, row: TransactionRow): Promise<void> {
  await removeTransaction(change.trx, row);
  change.audit('deleteTransaction', String(row.id));
  change.emit({ event: 'transaction_deleted', transaction_id: row.id });
}

/** Returns an entry, locked until the change ends. */
export function findEntryById(change: Change, id: number): Promise<TransactionRow | undefined> {
  return lockTransaction(change.trx, id);
}

import { instantOf } from '../../kernel/dates.ts';
import type { StayCode } from '../../kernel/ids.ts';
import type { Change } from '../context.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { TaskRow } from '../workTables.ts';
import { changeTask, insertTask, lockTask, moveTasks, type TaskDraft, unassign } from './table.ts';

/** Unassigns the open tasks of a member of staff who leaves. Completed tasks retain the name. */
export function leaveTasks({ trx, account, now }: Change, staffId: number): Promise<void> {
  return unassign(trx, { accountId: account.account_id, id: staffId, at: instantOf(now) });
}

/** Moves the tasks of stays to the properties of the stays. */
export function followStays({ trx, account, now }: Change, stayCodes: readonly string[]): Promise<void> {
  return moveTasks(trx, { accountId: account.account_id, codes: stayCodes as readonly StayCode[], at: instantOf(now) });
}

/** Adds a task within a change. @returns its number */
export async function addTask(change: Change, draft: TaskDraft): Promise<number> {
  const id = await insertTask(change.trx, draft, instantOf(change.now));
  change.audit('createTask', String(id));
  return id;
}

/**
 * Changes a task of a member of staff, and returns it as it was.
 * @throws ApiError 404 if it is not theirs
 */
export async function changeOwnTask(
  change: Change,
  { id, staffId }: { id: number; staffId: number },
  columns: Partial<Pick<TaskRow, 'status'>>,
): Promise<TaskRow> {
  const row = await lockTask(change.trx, id);
  const isTheirs = row?.account_id === change.account.account_id && row.staff_id === staffId;
  if (!row || !isTheirs) throw new ApiError(404, 'id not found.', { field: 'id' });
  if (columns.status !== undefined && columns.status !== row.status) {
    await changeTask(change.trx, row, { ...columns, updated_at: instantOf(change.now) });
    change.audit('updateTask', String(row.id));
  }
  return row;
}

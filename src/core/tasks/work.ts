import { instantOf } from '../../kernel/dates.ts';
import type { StayCode } from '../../kernel/ids.ts';
import type { Change } from '../context.ts';
import { insertTask, moveTasks, type TaskDraft, unassign } from './table.ts';

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

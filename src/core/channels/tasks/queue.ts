import { instantOf } from '../../../kernel/dates.ts';
import type { Change } from '../../context.ts';
import type { CalendarTaskRow } from '../../database.ts';
import { addTasks } from './table.ts';
import type { Work } from './work.ts';

interface Task {
  subject: CalendarTaskRow['subject'];
  subject_id: number;
  work: Work;
}

/** Queues tasks for the calendar worker in the transaction of the change. */
export async function queueTasks(change: Change, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return;
  const { account_id } = change.account;
  const created_at = instantOf(change.now);
  const drafts = tasks.map(({ work, ...task }) => ({ account_id, ...task, work: JSON.stringify(work), created_at }));
  await addTasks(change.trx, drafts);
  change.afterCommit(() => change.core.onCalendarTask?.());
}

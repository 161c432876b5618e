import type { AccountId } from '../../../kernel/ids.ts';
import { forUpdateSkipLocked } from '../../../store/queries/forUpdateSkipLocked.ts';
import { inList } from '../../../store/queries/inList.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import { nextIds } from '../../../store/leases/sequences.ts';
import type { Days } from '../adapter.ts';
import type { AccountRow, CalendarTaskRow, CoreDb, CoreTransaction, ListingRow } from '../../database.ts';

type TaskDraft = Pick<CalendarTaskRow, 'account_id' | 'subject' | 'subject_id' | 'work' | 'created_at'>;

export async function addTasks(trx: CoreTransaction, drafts: readonly TaskDraft[]): Promise<void> {
  const first = await nextIds(trx, 'calendar_tasks', drafts.length);
  const rows = drafts.map((draft, index) => ({
    ...draft,
    id: first + index,
    leased_until: 0,
    outcome: null,
    problem: null,
    finished_at: null,
  }));
  await insertMany(trx, 'calendar_tasks', rows);
}

/** Claims for this transaction the tasks that no process holds, the oldest of each subject only. */
export function dueTasks(trx: CoreTransaction, now: number, limit: number): Promise<CalendarTaskRow[]> {
  return firstTasks(trx, { now, limit });
}

/** Returns a task without an outcome, due or not. It is asked every second, so it uses no transaction. */
export const openTask = prepared((db: CoreDb, _arg: object) =>
  db.selectFrom('calendar_tasks').select('id').where('outcome', 'is', null).limit(1),
);

const firstTasks = prepared((trx: CoreDb, arg: { now: number; limit: number }) =>
  forUpdateSkipLocked(
    trx
      .selectFrom('calendar_tasks as task')
      .where('task.outcome', 'is', null)
      .where('task.leased_until', '<=', arg.now)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('calendar_tasks as earlier')
              .whereRef('earlier.account_id', '=', 'task.account_id')
              .whereRef('earlier.subject', '=', 'task.subject')
              .whereRef('earlier.subject_id', '=', 'task.subject_id')
              .whereRef('earlier.id', '<', 'task.id')
              .where('earlier.outcome', 'is', null)
              .select('earlier.id'),
          ),
        ),
      )
      .selectAll('task')
      .orderBy('task.id')
      .limit(arg.limit),
  ),
);

export async function leaseTasks(
  trx: CoreTransaction,
  tasks: readonly CalendarTaskRow[],
  until: number,
): Promise<void> {
  for (const { account_id, id } of tasks) {
    await trx
      .updateTable('calendar_tasks')
      .set({ leased_until: until })
      .where('account_id', '=', account_id)
      .where('id', '=', id)
      .execute();
  }
}

/** Stores the outcome of a task. @returns false when another process has finished it */
export async function finishTask(
  trx: CoreTransaction,
  { account_id, id }: CalendarTaskRow,
  result: Pick<CalendarTaskRow, 'outcome' | 'problem' | 'finished_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('calendar_tasks')
    .set(result)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends all leases after an unclean stop. Allowed only where one process owns the database. */
export async function dropTaskLeases(db: CoreDb): Promise<void> {
  await db.updateTable('calendar_tasks').set({ leased_until: 0 }).where('outcome', 'is', null).execute();
}

export function accountOf(db: CoreDb, { account_id }: CalendarTaskRow): Promise<AccountRow> {
  return db.selectFrom('accounts').where('account_id', '=', account_id).selectAll().executeTakeFirstOrThrow();
}

/** Returns the first account after this one that has tasks. */
export async function nextAccount(db: CoreDb, after: string): Promise<string | undefined> {
  const next = await db
    .selectFrom('calendar_tasks')
    .where('account_id', '>', after as AccountId)
    .select('account_id')
    .orderBy('account_id')
    .limit(1)
    .executeTakeFirst();
  return next?.account_id;
}

/** Claims for this transaction the tasks of an account, in the order of their creation. */
export function tasksAfter(trx: CoreTransaction, { accountId, after, limit }: Page) {
  const query = trx
    .selectFrom('calendar_tasks')
    .where('account_id', '=', accountId as AccountId)
    .where('id', '>', after)
    .select(['id', 'created_at', 'finished_at'])
    .orderBy('id')
    .limit(limit);
  return forUpdateSkipLocked(query).execute();
}

interface Page {
  accountId: string;
  after: number;
  limit: number;
}

export async function deleteTasks(
  trx: CoreTransaction,
  { accountId, ids }: { accountId: string; ids: readonly number[] },
): Promise<void> {
  await trx
    .deleteFrom('calendar_tasks')
    .where('account_id', '=', accountId as AccountId)
    .where((of) => inList(of.ref('id'), ids))
    .execute();
}

interface Notices {
  listing: Pick<ListingRow, 'account_id' | 'id'>;
  ranges: readonly Days[];
  now: number;
}

/** Claims the announcement of ranges of days. @returns those not announced within the window, each once */
export async function takeNotices(trx: CoreTransaction, notices: Notices, windowMs: number): Promise<Days[]> {
  const { listing, ranges, now } = notices;
  await trx
    .deleteFrom('calendar_notices')
    .where('account_id', '=', listing.account_id)
    .where('listing', '=', listing.id)
    .where('queued_at', '<=', now - windowMs)
    .execute();
  const announced = await trx
    .selectFrom('calendar_notices')
    .where('account_id', '=', listing.account_id)
    .where('listing', '=', listing.id)
    .select(['start_date', 'end_date'])
    .execute();
  const known = new Set(announced.map(keyOf));
  const fresh = [...new Map(ranges.map((range) => [keyOf(range), range])).values()].filter(
    (range) => !known.has(keyOf(range)),
  );
  const rows = fresh.map(({ start_date, end_date }) => ({
    account_id: listing.account_id,
    listing: listing.id,
    start_date,
    end_date,
    queued_at: now,
  }));
  await insertMany(trx, 'calendar_notices', rows, { columns: ['account_id', 'listing', 'start_date', 'end_date'] });
  return fresh;
}

function keyOf({ start_date, end_date }: Days): string {
  return `${start_date} ${end_date}`;
}

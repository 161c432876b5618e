import { sql } from 'kysely';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import type { AccountId, StayCode } from '../../kernel/ids.ts';
import type { TaskStatus, TaskType } from '../../contract/tasks.ts';
import { inList } from '../../store/queries/inList.ts';
import { endOf, type Range } from '../../store/queries/paging.ts';
import { prepared, preparedByArguments, preparedTotal } from '../../store/queries/prepared.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import type { TaskRow } from '../workTables.ts';

interface TaskQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  id?: number | undefined;
  from?: PlainDate | undefined;
  to?: PlainDate | undefined;
  staffId?: number | undefined;
  propertyId?: number | undefined;
  type?: TaskType | undefined;
  status?: TaskStatus | undefined;
}

/** A row with the names that the wire form needs. */
export type NamedTask = TaskRow & { property_name: string | null; staff_name: string | null; zone: string | null };

/** Returns one page, newest first, and the number of all matches. */
export async function taskPage(
  db: CoreDb,
  question: TaskQuestion,
): Promise<{ rows: NamedTask[]; keys: number[]; total: number }> {
  const { offset, limit, before, total: known, ...filters } = question;
  const page = await pageIds(db, { ...filters, offset, limit, before });
  const total = known ?? endOf(page, { offset, limit }) ?? (await count(db, filters));
  const ids = page.map((row) => row.id);
  const rows = ids.length === 0 ? [] : await namedTasks(db, { accountId: question.accountId, ids });
  return { rows, keys: ids, total };
}

type Filters = Omit<TaskQuestion, keyof Range>;
type Page = Omit<TaskQuestion, 'total'>;

const count = preparedTotal((db: CoreDb, arg: Filters) =>
  matching(db, arg).select((of) => of.fn.countAll<number>().as('total')),
);

const pageIds = preparedByArguments((db: CoreDb, arg: Page) => {
  const query = arg.before === undefined ? matching(db, arg) : matching(db, arg).where('id', '<', arg.before);
  return query.select('id').orderBy('id', 'desc').limit(arg.limit).offset(arg.offset);
});

function matching(db: CoreDb, arg: Filters) {
  let query = db.selectFrom('tasks').where('account_id', '=', arg.accountId);
  if (arg.id !== undefined) query = query.where('id', '=', arg.id);
  if (arg.from !== undefined) query = query.where('expected_date', '>=', arg.from);
  if (arg.to !== undefined) query = query.where('expected_date', '<=', arg.to);
  if (arg.staffId !== undefined) query = query.where('staff_id', '=', arg.staffId);
  if (arg.propertyId !== undefined) query = query.where('property_id', '=', arg.propertyId);
  // Concatenated with an empty text, the columns match no index. SQLite would otherwise skip along the dates of all
  // accounts for a status.
  if (arg.type !== undefined) query = query.where(sql<string>`type || ''`, '=', arg.type);
  if (arg.status !== undefined) query = query.where(sql<string>`status || ''`, '=', arg.status);
  const { visible } = arg;
  return visible == null ? query : query.where((where) => inList(where.ref('property_id'), visible));
}

const namedTasks = prepared((db: CoreDb, arg: { accountId: AccountId; ids: readonly number[] }) =>
  db
    .selectFrom('tasks as task')
    .leftJoin('properties as property', (join) =>
      join.onRef('property.account_id', '=', 'task.account_id').onRef('property.id', '=', 'task.property_id'),
    )
    .leftJoin('staffs as staff', (join) =>
      join.onRef('staff.account_id', '=', 'task.account_id').onRef('staff.id', '=', 'task.staff_id'),
    )
    .where('task.account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('task.id'), arg.ids))
    .selectAll('task')
    .select(['property.name as property_name', 'property.time_zone as zone', 'staff.name as staff_name'])
    .orderBy('task.id', 'desc'),
);

/** Returns a task by its number, whoever owns it, locked until the transaction ends. */
export function lockTask(trx: CoreTransaction, id: number): Promise<TaskRow | undefined> {
  return trx.selectFrom('tasks').where('id', '=', id).selectAll().forUpdate().executeTakeFirst();
}

export type TaskDraft = Omit<TaskRow, 'id' | 'created_at' | 'updated_at'>;

export async function insertTask(trx: CoreTransaction, draft: TaskDraft, at: Instant): Promise<number> {
  const id = await nextIds(trx, 'tasks');
  await trx
    .insertInto('tasks')
    .values({ ...draft, id, created_at: at, updated_at: at })
    .execute();
  return id;
}

export async function changeTask(
  trx: CoreTransaction,
  task: Pick<TaskRow, 'account_id' | 'id'>,
  columns: Partial<TaskRow>,
): Promise<void> {
  await trx
    .updateTable('tasks')
    .set(columns)
    .where('account_id', '=', task.account_id)
    .where('id', '=', task.id)
    .execute();
}

export async function dropTask(trx: CoreTransaction, task: Pick<TaskRow, 'account_id' | 'id'>): Promise<void> {
  await trx.deleteFrom('tasks').where('account_id', '=', task.account_id).where('id', '=', task.id).execute();
}

/** Removes a member of staff from tasks that are not done yet. */
export async function unassign(
  trx: CoreTransaction,
  staff: { accountId: AccountId; id: number; at: Instant },
): Promise<void> {
  await trx
    .updateTable('tasks')
    .set({ staff_id: null, updated_at: staff.at })
    .where('account_id', '=', staff.accountId)
    .where('staff_id', '=', staff.id)
    .where('status', 'in', ['pending', 'in_progress'])
    .execute();
}

/** Moves the tasks of stays to the properties of the stays, or to none for a stay in the reservation box. */
export async function moveTasks(
  trx: CoreTransaction,
  stays: { accountId: AccountId; codes: readonly StayCode[]; at: Instant },
): Promise<void> {
  const astray = await trx
    .selectFrom('tasks as task')
    .innerJoin('stays as stay', (join) =>
      join.onRef('stay.account_id', '=', 'task.account_id').onRef('stay.stay_code', '=', 'task.stay_code'),
    )
    .where('task.account_id', '=', stays.accountId)
    .where((where) => inList(where.ref('task.stay_code'), stays.codes))
    .whereRef('stay.property_id', '<>', (of) => of.fn.coalesce('task.property_id', of.val(0)))
    .select(['task.account_id', 'task.id', 'stay.property_id'])
    .execute();
  for (const { property_id, ...task } of astray) {
    await changeTask(trx, task, { property_id: property_id === 0 ? null : property_id, updated_at: stays.at });
  }
}

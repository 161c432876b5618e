import { addDays, dateIn, type PlainDate } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { runChange } from '../change.ts';
import type { Context, Core } from '../context.ts';
import { listTasks } from '../tasks/handlers.ts';
import { addPhoto, requirePhoto } from '../tasks/photos.ts';
import { addTask, changeOwnTask } from '../tasks/work.ts';
import type { Worker } from './links.ts';
import { movesOf, timesOf } from './table.ts';

/** Days back from which tasks that were not done are still shown. */
const DAYS_BACK = 7;
const DAYS_AHEAD = 1;
/** Days in which the next arrival is looked for. */
const ARRIVAL_DAYS = 30;
const MOST_TASKS = 100;
const LONGEST_NOTE = 500;

/** One task as the one who does it sees it: no name, no price, no code. */
export interface OwnTask {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly date: PlainDate;
  /** `HH:mm`, where the property is. */
  readonly time: string | null;
  readonly property: string | null;
  readonly note: string;
  /** True if somebody leaves on the day. */
  readonly leaves: boolean;
  /** `HH:mm` until which guests leave the property; null: it has none. */
  readonly leavesBy: string | null;
  /** The next arrival on the day or later, and how many people come. */
  readonly next: { readonly date: PlainDate; readonly people: number | null } | null;
  /** `HH:mm` from which guests come to the property; null: it has none. */
  readonly comesFrom: string | null;
}

/** The tasks of a member of staff: today's, tomorrow's, and those of the last days that are not done. */
export async function ownTasks(core: Core, worker: Worker): Promise<{ today: PlainDate; tasks: OwnTask[] }> {
  const { account, staffId } = worker;
  const today = dateIn(account.time_zone, core.clock.now());
  const dates = { start_date: addDays(today, -DAYS_BACK), end_date: addDays(today, DAYS_AHEAD) };
  const found = await listTasks({ staff_id: staffId, ...dates, offset: 0, limit: MOST_TASKS }, readerOf(core, worker));
  const shown = found.tasks.filter(
    ({ expected_date, status }) =>
      status !== 'cancelled' && (expected_date >= today || status === 'pending' || status === 'in_progress'),
  );
  const properties = [...new Set(shown.flatMap(({ property_id }) => (property_id === null ? [] : [property_id])))];
  const accountId = account.account_id;
  const times = new Map((await timesOf(core.store.db, accountId, properties)).map((one) => [one.id, one]));
  const moves = await movesOf(core.store.db, {
    accountId,
    properties,
    from: dates.start_date,
    to: addDays(today, ARRIVAL_DAYS),
  });
  const tasks = shown.map((task): OwnTask => {
    const there = moves.filter(({ property_id }) => property_id === task.property_id);
    const usual = task.property_id === null ? undefined : times.get(task.property_id);
    const next = there.find(({ check_in_date }) => check_in_date >= task.expected_date);
    return {
      id: task.id,
      type: task.type,
      status: task.status,
      date: task.expected_date,
      time: task.expected_time?.slice(0, 'HH:mm'.length) ?? null,
      property: task.property_title,
      note: task.note,
      leaves: there.some(({ check_out_date }) => check_out_date === task.expected_date),
      leavesBy: usual?.check_out_time ?? null,
      next: next ? { date: next.check_in_date, people: next.number_of_guests } : null,
      comesFrom: usual?.check_in_time ?? null,
    };
  });
  return { today, tasks: tasks.toSorted((a, b) => orderOf(a).localeCompare(orderOf(b))) };
}

function orderOf({ date, time, property }: OwnTask): string {
  return `${date} ${time ?? '99'} ${property ?? ''}`;
}

/** Sets the state of one of their own tasks. @throws ApiError 404 for another's */
export function markOwnTask(
  core: Core,
  worker: Worker,
  { id, status }: { id: number; status: 'pending' | 'in_progress' | 'completed' },
): Promise<void> {
  return runChange(core, { account: worker.account, operator: null }, async (change) => {
    await changeOwnTask(change, { id, staffId: worker.staffId }, { status });
  });
}

/** Makes a maintenance task of a damage in the property of one of their tasks. @returns its id */
export function reportDamage(
  core: Core,
  worker: Worker,
  { id, text, photo }: { id: number; text: string; photo: Buffer | undefined },
): Promise<number> {
  const clean = photo && requirePhoto(photo);
  const { account, staffId, name } = worker;
  return runChange(core, { account, operator: null }, async (change) => {
    const task = await changeOwnTask(change, { id, staffId }, {});
    if (task.property_id === null) throw new ApiError(422, 'The task is of no property.', { field: 'id' });
    const made = await addTask(change, {
      account_id: account.account_id,
      type: 'maintenance',
      status: 'pending',
      stay_code: null,
      property_id: task.property_id,
      staff_id: null,
      expected_date: dateIn(account.time_zone, change.now),
      expected_time: null,
      level: null,
      currency: account.currency,
      fee: null,
      note: `${text} (${name})`.slice(0, LONGEST_NOTE),
    });
    if (clean) await addPhoto(change, { taskId: made, staffId }, clean);
    return made;
  });
}

function readerOf(core: Core, { account, name }: Worker): Context {
  return {
    core,
    account,
    operator: { id: 0, name, kind: 'sub' },
    visible: null,
    now: core.clock.now(),
    db: core.store.db,
    change: () => Promise.reject(new Error('a member of staff changes their own tasks alone')),
  };
}

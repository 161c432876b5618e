import { addDays, type PlainDate } from '../../kernel/dates.ts';
import { preparedByArguments } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/read/mirror.ts';
import { ofProperties } from '../properties.ts';

/** Rows of one list that the page shows. */
export const MOST_TASKS = 400;
/** Days after a task within which the next arrival is its deadline. */
const DEADLINE_DAYS = 30;

/** What the page is asked for. */
export interface TasksAsked {
  readonly connection: string;
  /** Left out: all. */
  readonly properties?: readonly number[] | undefined;
  readonly first: PlainDate;
  /** The day after the last one. */
  readonly end: PlainDate;
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  /** Id of the person; 0: nobody yet. */
  readonly staff?: number | undefined;
}

/** One task as the list shows it. */
export interface TaskLine {
  readonly id: number;
  readonly type: string | null;
  readonly status: string | null;
  readonly property_id: number | null;
  readonly property: string | null;
  readonly stay_code: string | null;
  readonly staff_id: number | null;
  readonly staff_name: string | null;
  readonly expected_date: PlainDate | null;
  readonly expected_time: string | null;
  readonly level: string | null;
  readonly note: string | null;
  /** The first arrival on the day or after it; null: none within a month. */
  readonly nextArrival: PlainDate | null;
  /** True if somebody leaves and somebody comes on that day. */
  readonly isTurnover: boolean;
}

/** A departure for which no cleaning is planned. */
export interface OpenDeparture {
  readonly property_id: number;
  readonly property: string | null;
  readonly date: PlainDate;
  readonly stay_code: string;
  readonly nextArrival: PlainDate | null;
}

/** The tasks of some days, and the departures that lack one. */
export interface TasksRead {
  readonly tasks: readonly TaskLine[];
  readonly uncleaned: readonly OpenDeparture[];
}

/** Reads the tasks of some days, with the arrivals that they must be done before. */
export async function readTasks(db: MirrorDb, asked: TasksAsked): Promise<TasksRead> {
  const { connection, properties, first, end } = asked;
  const where = { connection, ...(properties && { properties: [...properties] }), first, end };
  const rows = await tasksBetween(db, { ...asked, ...where });
  const arrivals = await arrivalsBetween(db, { ...where, end: addDays(end, DEADLINE_DAYS) });
  const departures = await departuresBetween(db, where);
  const cleanings = await cleaningsBetween(db, where);
  const coming = new Map<number, PlainDate[]>();
  for (const { property_id, night } of arrivals) {
    const dates = coming.get(property_id);
    if (dates) dates.push(night);
    else coming.set(property_id, [night]);
  }
  const next = (property: number | null, date: PlainDate | null) =>
    property === null || date === null ? null : (coming.get(property)?.find((one) => one >= date) ?? null);
  const leaving = new Set(departures.map((one) => `${one.property_id} ${one.check_out_date}`));
  const cleaned = new Set(cleanings.map((one) => `${one.property_id} ${one.expected_date}`));
  return {
    tasks: rows.map((row) => {
      const nextArrival = next(row.property_id, row.expected_date);
      const isTurnover =
        nextArrival !== null &&
        nextArrival === row.expected_date &&
        leaving.has(`${row.property_id} ${row.expected_date}`);
      return { ...row, nextArrival, isTurnover };
    }),
    uncleaned: departures.flatMap(({ property_id, property, check_out_date: date, stay_code }) =>
      property_id === null || date === null || property_id === 0 || cleaned.has(`${property_id} ${date}`)
        ? []
        : [{ property_id, property, date, stay_code, nextArrival: next(property_id, date) }],
    ),
  };
}

/** A task that an action names, with what its confirmation says. */
export type NamedTask = Omit<TaskLine, 'nextArrival' | 'isTurnover'>;

/** Reads one task, if the person sees its property. */
export async function readTask(
  db: MirrorDb,
  asked: { connection: string; id: number; properties?: readonly number[] | undefined },
): Promise<NamedTask | undefined> {
  const [task] = await oneTask(db, asked);
  return task;
}

/** Reads the people who do tasks, by name. */
export const readStaffs = preparedByArguments((db: MirrorDb, { connection }: { connection: string }) =>
  db
    .selectFrom('staffs')
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .select(['id', 'name', 'mobile', 'email', 'note', 'is_active'])
    .orderBy('name')
    .orderBy('id'),
);

function shown(db: MirrorDb, connection: string) {
  return db
    .selectFrom('tasks')
    .leftJoin('properties', (join) =>
      join.onRef('properties.connection', '=', 'tasks.connection').onRef('properties.id', '=', 'tasks.property_id'),
    )
    .where('tasks.connection', '=', connection)
    .where('tasks.deleted_at', 'is', null)
    .select(['tasks.id', 'tasks.type', 'tasks.status', 'tasks.property_id', 'properties.name as property'])
    .select(['tasks.stay_code', 'tasks.staff_id', 'tasks.staff_name', 'tasks.expected_date', 'tasks.expected_time'])
    .select(['tasks.level', 'tasks.note']);
}

const oneTask = preparedByArguments(
  (db: MirrorDb, arg: { connection: string; id: number; properties?: readonly number[] | undefined }) =>
    shown(db, arg.connection)
      .where('tasks.id', '=', arg.id)
      .where((where) => ofProperties(where.ref('tasks.property_id'), arg.properties)),
);

const tasksBetween = preparedByArguments((db: MirrorDb, arg: TasksAsked) => {
  let query = shown(db, arg.connection)
    .where('tasks.expected_date', '>=', arg.first)
    .where('tasks.expected_date', '<', arg.end)
    .where((where) => ofProperties(where.ref('tasks.property_id'), arg.properties));
  if (arg.type !== undefined) query = query.where('tasks.type', '=', arg.type);
  if (arg.status !== undefined) query = query.where('tasks.status', '=', arg.status);
  if (arg.staff !== undefined) {
    // A task of nobody has null, or 0 where another deployment says so.
    query = query.where((where) => where(where.fn.coalesce('tasks.staff_id', where.lit(0)), '=', arg.staff ?? 0));
  }
  return query
    .orderBy('tasks.expected_date')
    .orderBy('tasks.staff_name')
    .orderBy('tasks.expected_time')
    .orderBy('properties.name')
    .orderBy('tasks.id')
    .limit(MOST_TASKS);
});

interface Between {
  connection: string;
  first: PlainDate;
  end: PlainDate;
  properties?: readonly number[] | undefined;
}

const arrivalsBetween = preparedByArguments((db: MirrorDb, { connection, first, end, properties }: Between) =>
  db
    .selectFrom('stay_nights')
    .where('connection', '=', connection)
    .where('night', '>=', first)
    .where('night', '<', end)
    .where('night_number', '=', 1)
    .where('status', '=', 'accepted')
    .where((where) => ofProperties(where.ref('property_id'), properties))
    .select(['property_id', 'night'])
    .orderBy('night'),
);

const departuresBetween = preparedByArguments((db: MirrorDb, { connection, first, end, properties }: Between) =>
  db
    .selectFrom('stays')
    .leftJoin('properties', (join) =>
      join.onRef('properties.connection', '=', 'stays.connection').onRef('properties.id', '=', 'stays.property_id'),
    )
    .where('stays.connection', '=', connection)
    .where('stays.check_out_date', '>=', first)
    .where('stays.check_out_date', '<', end)
    .where('stays.status', '=', 'accepted')
    .where('stays.deleted_at', 'is', null)
    .where((where) => ofProperties(where.ref('stays.property_id'), properties))
    .select(['stays.property_id', 'properties.name as property', 'stays.check_out_date', 'stays.stay_code'])
    .orderBy('stays.check_out_date')
    .orderBy('properties.name')
    .orderBy('stays.stay_code')
    .limit(MOST_TASKS),
);

const cleaningsBetween = preparedByArguments((db: MirrorDb, { connection, first, end, properties }: Between) =>
  db
    .selectFrom('tasks')
    .where('connection', '=', connection)
    .where('expected_date', '>=', first)
    .where('expected_date', '<', end)
    .where('type', '=', 'cleaning')
    .where('status', '<>', 'cancelled')
    .where('deleted_at', 'is', null)
    .where((where) => ofProperties(where.ref('property_id'), properties))
    .select(['property_id', 'expected_date']),
);

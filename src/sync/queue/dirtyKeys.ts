import { type Kysely, type Selectable, sql } from 'kysely';
import { turn } from '../../kernel/clock.ts';
import type { Instant, PlainDate } from '../../kernel/dates.ts';
import { next } from '../../kernel/transitions.ts';
import { forUpdateSkipLocked } from '../../store/queries/forUpdateSkipLocked.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { DirtyKeysTable, Mirror, MirrorDb, MirrorTrx, Origin } from '../tables/database.ts';
import { keyLife, type KeyState } from '../tables/states.ts';
import { MAX_HINT, WHOLE } from '../tables/rows/dateHints.ts';
import { BEFORE } from './patience.ts';

type Db = Kysely<Mirror>;
export type DirtyKey = Selectable<DirtyKeysTable>;

const MARKED = next(keyLife, null, 'mark');

/** A request to read one key, as it is stored. */
export interface Mark {
  connection: string;
  resource: string;
  key: string;
  number: number;
  origin: Origin;
  at: Instant;
  /** The number of events that this mark represents. */
  marks: number;
  /** The moment when the burst that it may belong to has gone quiet. */
  quietAt: Instant;
  /** The latest moment for the read, quiet or not. */
  dueBy: Instant;
  hint: string | null;
  hintFrom: PlainDate | null;
  hintTo: PlainDate | null;
}

/**
 * Makes keys dirty, each at most once. Most are clean before, and a plain insert of many rows costs a third of as many
 * upserts.
 * @param probablyDirty names keys that an insert would meet; it may be wrong
 */
export async function markAll(
  trx: MirrorTrx,
  marks: readonly Mark[],
  probablyDirty: (mark: Mark) => boolean,
): Promise<void> {
  const fresh = marks.filter((mark) => !probablyDirty(mark));
  const inserted = await insertMany(trx, 'dirty_keys', fresh.map(rowOf), {
    columns: ['connection', 'resource', 'key'],
  });
  for (const mark of marks) if (inserted < fresh.length || probablyDirty(mark)) await markDirty(trx, mark);
}

function rowOf(mark: Mark) {
  return {
    connection: mark.connection,
    resource: mark.resource,
    key: mark.key,
    mark_number: mark.number,
    origin: mark.origin,
    first_marked_at: mark.at,
    last_marked_at: mark.at,
    marks: mark.marks,
    attempts: 0,
    confirming: 0,
    next_at: mark.quietAt,
    due_by: mark.dueBy,
    state: MARKED,
    hint: mark.hint,
    hint_from: mark.hintFrom,
    hint_to: mark.hintTo,
  };
}

/**
 * Makes a key dirty. A repeat joins the burst: the read waits for quiet, but not beyond `due_by` of the first mark. A
 * key that is being backed off keeps its time; a dead one starts afresh.
 */
export const markDirty = prepared((db: Db, arg: Mark) =>
  db
    .insertInto('dirty_keys')
    .values(rowOf(arg))
    .onConflict((conflict) =>
      conflict.columns(['connection', 'resource', 'key']).doUpdateSet({
        mark_number: sql`case when excluded.mark_number > dirty_keys.mark_number
          then excluded.mark_number else dirty_keys.mark_number end`,
        origin: sql`case when dirty_keys.origin = 'event' then dirty_keys.origin else excluded.origin end`,
        last_marked_at: sql`excluded.last_marked_at`,
        marks: sql`dirty_keys.marks + excluded.marks`,
        attempts: sql`case when dirty_keys.state = 'dead' then 0 else dirty_keys.attempts end`,
        confirming: sql`case when dirty_keys.confirming = 0 then 0 else ${sql.lit(BEFORE)} end`,
        next_at: sql`case
          when dirty_keys.state = 'dead' then excluded.next_at
          when dirty_keys.attempts > 0 then dirty_keys.next_at
          when excluded.next_at < dirty_keys.due_by then excluded.next_at
          else dirty_keys.due_by end`,
        state: MARKED,
        hint: sql`case
          when dirty_keys.hint is null or excluded.hint is null then null
          when length(dirty_keys.hint) > ${sql.lit(MAX_HINT)} or dirty_keys.hint = ${sql.lit(WHOLE)} then ${sql.lit(WHOLE)}
          else dirty_keys.hint || ',' || excluded.hint end`,
        hint_from: sql`case when excluded.hint_from < dirty_keys.hint_from
          then excluded.hint_from else dirty_keys.hint_from end`,
        hint_to: sql`case when excluded.hint_to > dirty_keys.hint_to
          then excluded.hint_to else dirty_keys.hint_to end`,
      }),
    ),
);

/**
 * Claims up to `limit` keys of these resources that are due, most urgent first. Until `until` no other process gets
 * them.
 */
export async function claimDue(
  trx: MirrorTrx,
  claim: { connection: string; resources: readonly string[]; by: string; at: Instant; until: Instant; limit: number },
): Promise<DirtyKey[]> {
  const { connection, resources, at, limit } = claim;
  const due = await dueKeys(trx, { connection, resources, at, limit });
  for (const resource of new Set(due.map((row) => row.resource))) {
    const keys = due.filter((row) => row.resource === resource).map((row) => row.key);
    await holdKeys(trx, { connection, resource, keys, until: claim.until, by: claim.by });
  }
  return due;
}

/** Prepared, since each pass of the reader runs it. */
const dueKeys = prepared(
  (db: Db, arg: { connection: string; resources: readonly string[]; at: Instant; limit: number }) =>
    forUpdateSkipLocked(
      db
        .selectFrom('dirty_keys')
        .selectAll()
        .where('connection', '=', arg.connection)
        .where('state', '=', 'waiting')
        .where('next_at', '<=', arg.at)
        .where((eb) => inList(eb.ref('resource'), arg.resources))
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', arg.at)]))
        .orderBy('next_at')
        .limit(arg.limit),
    ),
);

const holdKeys = prepared(
  (db: Db, arg: { connection: string; resource: string; keys: readonly string[]; until: Instant; by: string }) =>
    db
      .updateTable('dirty_keys')
      .set({ claimed_until: arg.until, claimed_by: arg.by })
      .where('connection', '=', arg.connection)
      .where('resource', '=', arg.resource)
      .where((eb) => inList(eb.ref('key'), arg.keys)),
);

/**
 * Returns the time at which the next key is due; a claimed key counts from the end of its claim. Undefined: none waits.
 */
export async function nextDue(
  db: MirrorDb,
  connection: string,
  resources: readonly string[],
): Promise<Instant | undefined> {
  const row = await nextDueQuery(db, { connection, resources });
  return row[0]?.at ?? undefined;
}

const nextDueQuery = prepared((db: Db, arg: { connection: string; resources: readonly string[] }) =>
  db
    .selectFrom('dirty_keys')
    .select(sql<Instant | null>`min(case when claimed_until > next_at then claimed_until else next_at end)`.as('at'))
    .where('connection', '=', arg.connection)
    .where('state', '=', sql.lit('waiting' as const))
    .where((eb) => inList(eb.ref('resource'), arg.resources)),
);

/** Returns which of these keys are dirty. */
export const dirtyAmong = prepared((db: Db, arg: { connection: string; resource: string; keys: readonly string[] }) =>
  db
    .selectFrom('dirty_keys')
    .select(['key', 'mark_number', 'confirming', 'origin'])
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('key'), arg.keys)),
);

/** Reads the dirty rows of these keys, with all columns. */
export const dirtyRows = prepared((db: Db, arg: { connection: string; resource: string; keys: readonly string[] }) =>
  db
    .selectFrom('dirty_keys')
    .selectAll()
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('key'), arg.keys)),
);

/** Makes keys clean that no mark has touched since the read with this number was sent. */
export const cleanKeys = prepared(
  (db: Db, arg: { connection: string; resource: string; keys: readonly string[]; number: number }) =>
    db
      .deleteFrom('dirty_keys')
      .where('connection', '=', arg.connection)
      .where('resource', '=', arg.resource)
      .where((eb) => inList(eb.ref('key'), arg.keys))
      .where('mark_number', '<', arg.number),
);

/** Schedules one more read of keys whose read has not shown everything that their events announce. */
export const confirmKeys = prepared(
  (
    db: Db,
    arg: {
      connection: string;
      resource: string;
      keys: readonly string[];
      number: number;
      again: Instant;
      looks: number;
    },
  ) =>
    db
      .updateTable('dirty_keys')
      .set({ confirming: arg.looks, attempts: 0, problem: null, next_at: arg.again })
      .where('connection', '=', arg.connection)
      .where('resource', '=', arg.resource)
      .where((eb) => inList(eb.ref('key'), arg.keys))
      .where('mark_number', '<', arg.number),
);

/** Postpones the read of claimed keys, and releases them. */
export const holdBack = prepared(
  (db: Db, arg: { connection: string; resource: string; keys: readonly string[]; by: string; until: Instant }) =>
    db
      .updateTable('dirty_keys')
      .set({ next_at: arg.until, claimed_until: null, claimed_by: null })
      .where('connection', '=', arg.connection)
      .where('resource', '=', arg.resource)
      .where((eb) => inList(eb.ref('key'), arg.keys))
      .where('claimed_by', '=', arg.by),
);

/** Releases keys after a read was applied: keys that are still dirty may be read again at once. */
export const releaseKeys = prepared(
  (db: Db, arg: { connection: string; resource: string; keys: readonly string[]; by: string }) =>
    db
      .updateTable('dirty_keys')
      .set({ claimed_until: null, claimed_by: null, attempts: 0, problem: null })
      .where('connection', '=', arg.connection)
      .where('resource', '=', arg.resource)
      .where((eb) => inList(eb.ref('key'), arg.keys))
      .where('claimed_by', '=', arg.by),
);

/**
 * Records a failed read of a key, and the time of the next attempt. The text gives the reason, without personal values.
 */
export const postponeKey = prepared(
  (
    db: Db,
    arg: {
      connection: string;
      resource: string;
      key: string;
      attempts: number;
      state: KeyState;
      problem: string;
      again: Instant;
    },
  ) =>
    db
      .updateTable('dirty_keys')
      .set({
        attempts: arg.attempts,
        state: arg.state,
        problem: arg.problem,
        next_at: arg.again,
        claimed_until: null,
        claimed_by: null,
      })
      .where('connection', '=', arg.connection)
      .where('resource', '=', arg.resource)
      .where('key', '=', arg.key),
);

/** Releases every claim of a process that is gone or stops. */
export async function releaseAll(db: MirrorDb, connection: string, by?: string): Promise<void> {
  await db
    .updateTable('dirty_keys')
    .set({ claimed_until: null, claimed_by: null })
    .where('connection', '=', connection)
    .where('claimed_until', 'is not', null)
    .$if(by !== undefined, (query) => query.where('claimed_by', '=', by ?? ''))
    .execute();
}

/** Counts the waiting keys of a resource, up to `most`: in a burst, a look-up or a scan is chosen many times. */
export const countWaiting = prepared((db: Db, arg: { connection: string; resource: string; most: number }) =>
  db
    .selectFrom((of) =>
      of
        .selectFrom('dirty_keys')
        .select('key')
        .where('connection', '=', arg.connection)
        .where('resource', '=', arg.resource)
        .where('state', '=', sql.lit('waiting' as const))
        .limit(arg.most)
        .as('waiting'),
    )
    .select((eb) => eb.fn.countAll<number>().as('keys')),
);

/** Counts the waiting keys per resource, up to `most` in all. */
export const countFirst = prepared((db: Db, arg: { connection: string; most: number }) =>
  db
    .selectFrom((of) =>
      of
        .selectFrom('dirty_keys')
        .select('resource')
        .where('connection', '=', arg.connection)
        .where('state', '=', sql.lit('waiting' as const))
        .limit(arg.most)
        .as('waiting'),
    )
    .select((eb) => ['resource', eb.fn.countAll<number>().as('keys')])
    .groupBy('resource'),
);

const dirtyPage = prepared((db: Db, arg: { connection: string; resource: string; key: string; limit: number }) =>
  db
    .selectFrom('dirty_keys')
    .select(['resource', 'key', 'state', 'first_marked_at'])
    .where('connection', '=', arg.connection)
    .where((eb) => eb(eb.refTuple('resource', 'key'), '>', eb.tuple(arg.resource, arg.key)))
    .orderBy('resource')
    .orderBy('key')
    .limit(arg.limit),
);

interface DirtyCount {
  resource: string;
  state: KeyState;
  keys: number;
  oldest: Instant;
}

const PAGE_KEYS = 5_000;

/**
 * Counts the dirty keys per resource, with the age of the oldest. Reads every key, and yields to the event loop
 * meanwhile.
 */
export async function countDirty(db: MirrorDb, connection: string): Promise<DirtyCount[]> {
  const counts = new Map<string, DirtyCount>();
  let last: { resource: string; key: string } | undefined = { resource: '', key: '' };
  while (last) {
    const page: Awaited<ReturnType<typeof dirtyPage>> = await dirtyPage(db, {
      connection,
      resource: last.resource,
      key: last.key,
      limit: PAGE_KEYS,
    });
    for (const { resource, state, first_marked_at: at } of page) {
      const count = counts.get(`${resource} ${state}`);
      if (!count) counts.set(`${resource} ${state}`, { resource, state, keys: 1, oldest: at });
      else Object.assign(count, { keys: count.keys + 1, oldest: at < count.oldest ? at : count.oldest });
    }
    last = page.length === PAGE_KEYS ? page.at(-1) : undefined;
    if (last) await turn();
  }
  return [...counts.values()];
}

import { turn } from '../../kernel/clock.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import type { MirrorDb, MirrorStore } from '../../sync/tables/database.ts';
import type { ExportRunsTable } from '../tables/exportTables.ts';
import type { RunState } from './states.ts';
import type { EmittedEntry } from '../run/order.ts';

/** A row of `export_runs`. */
export type RunRow = ExportRunsTable;

/** Inserts the row of a run. */
export async function insertRun(db: MirrorDb, row: RunRow): Promise<void> {
  await db.insertInto('export_runs').values(row).execute();
}

/** Returns a run, or undefined if it does not exist. */
export function findRun(db: MirrorDb, connection: string, runId: string): Promise<RunRow | undefined> {
  return db
    .selectFrom('export_runs')
    .selectAll()
    .where('connection', '=', connection)
    .where('run_id', '=', runId)
    .executeTakeFirst();
}

/** Deletes the row of a run. */
export async function deleteRun(
  db: MirrorDb,
  { connection, run_id }: Pick<RunRow, 'connection' | 'run_id'>,
): Promise<void> {
  await db.deleteFrom('export_runs').where('connection', '=', connection).where('run_id', '=', run_id).execute();
}

/** Updates columns of a run. */
export async function updateRun(
  db: MirrorDb,
  { connection, run_id }: Pick<RunRow, 'connection' | 'run_id'>,
  set: Partial<RunRow>,
): Promise<void> {
  await db
    .updateTable('export_runs')
    .set(set)
    .where('connection', '=', connection)
    .where('run_id', '=', run_id)
    .execute();
}

/** Returns the newest runs of a job, newest first; of all jobs if no name is given. */
export function newestRuns(
  db: MirrorDb,
  connection: string,
  job: string | undefined,
  limit: number,
): Promise<RunRow[]> {
  return db
    .selectFrom('export_runs')
    .selectAll()
    .where('connection', '=', connection)
    .$if(job !== undefined, (query) => query.where('job', '=', job ?? ''))
    .orderBy('run_id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the runs of a job in some states, ordered by id. */
export function runsIn(db: MirrorDb, connection: string, job: string, states: readonly RunState[]): Promise<RunRow[]> {
  return db
    .selectFrom('export_runs')
    .selectAll()
    .where('connection', '=', connection)
    .where('job', '=', job)
    .where('state', 'in', [...states])
    .orderBy('run_id')
    .execute();
}

/** Returns the runs whose id or batch equals this text or begins with it. */
export function runsNamed(db: MirrorDb, connection: string, name: string): Promise<RunRow[]> {
  const next = `${name}\u{10FFFF}`;
  return db
    .selectFrom('export_runs')
    .selectAll()
    .where('connection', '=', connection)
    .where((eb) =>
      eb.or([
        eb.and([eb('run_id', '>=', name), eb('run_id', '<', next)]),
        eb.and([eb('batch', '>=', name), eb('batch', '<', next)]),
      ]),
    )
    .orderBy('run_id', 'desc')
    .execute();
}

/** Records the deliveries of a run. It takes over deliveries that an earlier run recorded but did not make. */
export async function rememberDeliveries(
  store: MirrorStore,
  { connection, job, run_id }: Pick<RunRow, 'connection' | 'job' | 'run_id'>,
  entries: readonly EmittedEntry[],
): Promise<void> {
  await store.transaction(async (trx) => {
    await insertMany(
      trx,
      'export_entries',
      entries.map((one) => ({ ...entryRow(connection, one), seal: null, position: null, chain: null })),
      { columns: ['connection', 'entry_id'] },
    );
    await insertMany(
      trx,
      'export_deliveries',
      entries.map(({ entry }) => ({ connection, job, entry_id: entry.id, run_id })),
      { columns: ['connection', 'job', 'entry_id'], update: ['run_id'] },
    );
  });
}

/** Returns an entry as a row of `export_entries`. */
export function entryRow(connection: string, { entry, base, suffix, group }: EmittedEntry) {
  const own = group.slice(1);
  return {
    connection,
    entry_id: entry.id,
    group_code: group.startsWith('r') ? own : null,
    group_number: group.startsWith('t') ? Number(own) : null,
    base,
    suffix,
    body: JSON.stringify(entry),
  };
}

/** Number of rows that one write transaction handles. */
const DROPPED_AT_ONCE = 200;

/**
 * Deletes the recorded deliveries of a run. Call it after the state of the run says so, because a crash can interrupt
 * it.
 */
export async function dropDeliveries(
  { db }: Pick<MirrorStore, 'db'>,
  { connection, run_id }: Pick<RunRow, 'connection' | 'run_id'>,
): Promise<void> {
  for (;;) {
    const rows = await db
      .selectFrom('export_deliveries')
      .select(['job', 'entry_id'])
      .where('connection', '=', connection)
      .where('run_id', '=', run_id)
      .limit(DROPPED_AT_ONCE)
      .execute();
    const [first] = rows;
    if (!first) return;
    const ids = rows.map((row) => row.entry_id);
    await db
      .deleteFrom('export_deliveries')
      .where('connection', '=', connection)
      .where('job', '=', first.job)
      .where((eb) => inList(eb.ref('entry_id'), ids))
      .where('run_id', '=', run_id)
      .execute();
    await turn();
  }
}

/** Returns the run that delivered the same content to the same address, if the receiver has acknowledged it. */
export function findAcknowledged(
  db: MirrorDb,
  { connection, job, target, batch }: Pick<RunRow, 'connection' | 'job' | 'target' | 'batch'>,
): Promise<Pick<RunRow, 'run_id'> | undefined> {
  return db
    .selectFrom('export_runs')
    .select('run_id')
    .where('connection', '=', connection)
    .where('job', '=', job)
    .where('target', '=', target)
    .where('batch', '=', batch)
    .where('state', '=', 'acknowledged')
    .orderBy('run_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

import type { MirrorDb } from '../../sync/tables/database.ts';
import type { ExportJobsTable } from '../tables/exportTables.ts';

/** A row of `export_jobs`. */
export type JobRow = ExportJobsTable;
type JobKey = Pick<JobRow, 'connection' | 'job'>;

/** Returns the row of a job, or undefined if the job has none. */
export function findJobRow(db: MirrorDb, { connection, job }: JobKey): Promise<JobRow | undefined> {
  return db
    .selectFrom('export_jobs')
    .selectAll()
    .where('connection', '=', connection)
    .where('job', '=', job)
    .executeTakeFirst();
}

/** Returns the jobs whose last run failed. */
export async function failedJobs(db: MirrorDb, connection: string): Promise<string[]> {
  const rows = await db
    .selectFrom('export_jobs')
    .select('job')
    .where('connection', '=', connection)
    .where('problem', 'is not', null)
    .orderBy('job')
    .execute();
  return rows.map(({ job }) => job);
}

/** Inserts an empty row for a job. Does nothing if the job has a row. */
export async function makeJobRow(db: MirrorDb, { connection, job }: JobKey): Promise<void> {
  const empty = { pattern: null, zone: null, due_at: null, run_id: null, retry_at: null, problem: null };
  await db
    .insertInto('export_jobs')
    .values({ connection, job, ...empty, attempts: 0, held_by: null, held_until: null })
    .onConflict((conflict) => conflict.columns(['connection', 'job']).doNothing())
    .execute();
}

/** Updates columns of a job's row. */
export async function updateJobRow(db: MirrorDb, { connection, job }: JobKey, set: Partial<JobRow>): Promise<void> {
  await db.updateTable('export_jobs').set(set).where('connection', '=', connection).where('job', '=', job).execute();
}

/**
 * Takes or renews the hold on a job.
 * @returns true if this holder has the job now
 */
export async function takeJob(
  db: MirrorDb,
  { connection, job }: JobKey,
  { by, now, until }: { by: string; now: string; until: string },
): Promise<boolean> {
  const rows = await db
    .updateTable('export_jobs')
    .set({ held_by: by, held_until: until })
    .where('connection', '=', connection)
    .where('job', '=', job)
    .where((eb) => eb.or([eb('held_by', 'is', null), eb('held_by', '=', by), eb('held_until', '<', now)]))
    .returning('job')
    .execute();
  return rows.length > 0;
}

/** Releases a job if this holder has it. */
export async function letGoOfJob(db: MirrorDb, { connection, job }: JobKey, by: string): Promise<void> {
  await db
    .updateTable('export_jobs')
    .set({ held_by: null, held_until: null })
    .where('connection', '=', connection)
    .where('job', '=', job)
    .where('held_by', '=', by)
    .execute();
}

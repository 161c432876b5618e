import type { MirrorDb } from '../../sync/tables/database.ts';
import type { ExportJobsTable } from '../tables/exportTables.ts';

export type JobRow = ExportJobsTable;
type JobKey = Pick<JobRow, 'connection' | 'job'>;

export function findJobRow(db: MirrorDb, { connection, job }: JobKey): Promise<JobRow | undefined> {
  return db
    .selectFrom('export_jobs')
    .selectAll()
    .where('connection', '=', connection)
    .where('job', '=', job)
    .executeTakeFirst();
}

export async function makeJobRow(db: MirrorDb, { connection, job }: JobKey): Promise<void> {
  const empty = { pattern: null, zone: null, due_at: null, run_id: null, retry_at: null, problem: null };
  await db
    .insertInto('export_jobs')
    .values({ connection, job, ...empty, attempts: 0, held_by: null, held_until: null })
    .onConflict((conflict) => conflict.columns(['connection', 'job']).doNothing())
    .execute();
}

export async function updateJobRow(db: MirrorDb, { connection, job }: JobKey, set: Partial<JobRow>): Promise<void> {
  await db.updateTable('export_jobs').set(set).where('connection', '=', connection).where('job', '=', job).execute();
}

/** Takes a job, or keeps it. @returns whether it is now held by this holder */
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

export async function letGoOfJob(db: MirrorDb, { connection, job }: JobKey, by: string): Promise<void> {
  await db
    .updateTable('export_jobs')
    .set({ held_by: null, held_until: null })
    .where('connection', '=', connection)
    .where('job', '=', job)
    .where('held_by', '=', by)
    .execute();
}

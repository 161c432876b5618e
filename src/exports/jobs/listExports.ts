import { chosenConnection, zoneOf } from '../accounts/account.ts';
import { formats } from '../formats/index.ts';
import { allJobs } from './jobs.ts';
import { policyOf } from '../journal/policy.ts';
import { meantFor } from './meantFor.ts';
import { findJobRow } from './jobTable.ts';
import type { ExportPorts } from '../ports.ts';
import { newestRuns } from './runTable.ts';
import { nextRunOf } from './schedule.ts';

const RUNS_SHOWN = 20;

/** Lists jobs with their last and next run, closed months, the newest runs, the stored books, and the digest of the settings. */
export async function listExports(ports: ExportPorts, name: string | undefined) {
  const { db } = ports.store;
  const connection = await chosenConnection(db, name);
  const zone = await zoneOf(db, connection);
  const jobs = [];
  for (const job of allJobs(ports)) {
    const meant = await meantFor(db, job);
    if (meant !== null && meant !== connection) continue;
    const [last] = await newestRuns(db, connection, job.name, 1);
    const planned = await findJobRow(db, { connection, job: job.name });
    jobs.push({
      job: job.name,
      format: job.format,
      what: formats.find((format) => format.name === job.format)?.title ?? '',
      mode: job.mode,
      corrections: job.corrections,
      schedule: job.schedule,
      next_at: nextRunOf(job, zone, planned, ports.clock.now()),
      problem: planned?.problem ?? null,
      target: job.url ?? job.folder,
      last_run: last ? { run_id: last.run_id, state: last.state, at: last.started_at, entries: last.entries } : null,
    });
  }
  const periods = await db
    .selectFrom('export_periods')
    .select(['period', 'state', 'entries', 'digest', 'at'])
    .where('connection', '=', connection)
    .orderBy('period')
    .execute();
  const kept = await db
    .selectFrom('books')
    .select(['through', 'booked_at'])
    .where('connection', '=', connection)
    .executeTakeFirst();
  const runs = await newestRuns(db, connection, undefined, RUNS_SHOWN);
  return {
    connection,
    settings: policyOf(ports.bookOf(connection)).hash,
    kept: kept ?? null,
    jobs,
    periods,
    runs: runs.map(({ run_id, job, mode, from_date, to_date, state, batch, target, started_at, entries, problem }) => ({
      run_id,
      job,
      mode,
      from: from_date,
      to: to_date,
      state,
      batch,
      target,
      started_at,
      entries,
      problem,
    })),
  };
}

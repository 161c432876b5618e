import type { Config } from '../../config.ts';
import { readRows } from '../../store/queries/readRows.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, ok, problem } from './finding.ts';

function failed(db: MirrorDb) {
  return db
    .selectFrom('export_jobs')
    .select(['connection', 'job', 'problem', 'retry_at'])
    .where('problem', 'is not', null)
    .orderBy('connection')
    .orderBy('job')
    .execute();
}

/** Checks the last runs of scheduled exports: a failed one waits for its next time, unnoticed otherwise. */
export async function lookAtExports(config: Config): Promise<Finding[]> {
  const jobs = await readRows(locationOf(config, 'mirror'), failed);
  if (jobs.length === 0) return [ok('scheduled exports', 'none has failed')];
  return jobs.map(({ connection, job, problem: says, retry_at: retryAt }) => {
    const next = retryAt === null ? 'it is not tried again before its next time' : `it is tried again at ${retryAt}`;
    return problem(`export ${job} of ${connection}`, `${says ?? ''}; ${next}`, './stayd export list shows its runs');
  });
}

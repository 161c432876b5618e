import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: a scheduled export is made once for its time, whatever was down then, and one process at a time runs a job.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'export_jobs',
    columns: {
      job: 'text!',
      pattern: 'text',
      zone: 'text',
      due_at: 'text',
      run_id: 'text',
      attempts: 'bigint!',
      retry_at: 'text',
      problem: 'text',
      held_by: 'text',
      held_until: 'text',
    },
    key: ['job'],
  });
}

import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: periods of the books with what was sealed in them, and what was handed on to whom.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await createTable(db, {
    name: 'export_periods',
    columns: {
      period: 'text!',
      state: 'text!',
      seal: 'text',
      digest: 'text!',
      policy_hash: 'text!',
      entries: 'bigint!',
      totals: 'text!',
      at: 'text!',
    },
    key: ['period'],
  });
  await createTable(db, {
    name: 'export_period_log',
    columns: { log_id: 'text!', period: 'text!', action: 'text!', at: 'text!', reason: 'text', digest: 'text' },
    key: ['log_id'],
  });
  await createTable(db, {
    name: 'export_entries',
    columns: {
      entry_id: 'text!',
      group_code: 'text',
      group_number: 'bigint',
      base: 'text!',
      suffix: 'text!',
      seal: 'text',
      position: 'bigint',
      chain: 'text',
      body: 'text!',
    },
    key: ['entry_id'],
  });
  for (const column of ['group_code', 'group_number'] as const) {
    await db.schema
      .createIndex(`export_entries_by_${column}`)
      .on('export_entries')
      .columns(['connection', column])
      .execute();
  }
  await db.schema
    .createIndex('export_entries_by_seal')
    .on('export_entries')
    .columns(['connection', 'seal', 'position'])
    .execute();
  await createTable(db, {
    name: 'export_runs',
    columns: {
      run_id: 'text!',
      job: 'text!',
      mode: 'text!',
      from_date: 'text!',
      to_date: 'text!',
      state: 'text!',
      batch: 'text',
      target: 'text!',
      started_at: 'text!',
      finished_at: 'text',
      entries: 'bigint!',
      manifest: 'text',
      manifest_hash: 'text',
      problem: 'text',
    },
    key: ['run_id'],
  });
  await db.schema
    .createIndex('export_runs_by_job')
    .on('export_runs')
    .columns(['connection', 'job', 'run_id'])
    .execute();
  await createTable(db, {
    name: 'export_deliveries',
    columns: { job: 'text!', entry_id: 'text!', run_id: 'text!' },
    key: ['job', 'entry_id'],
    narrow: true,
  });
  await db.schema
    .createIndex('export_deliveries_by_run')
    .on('export_deliveries')
    .columns(['connection', 'run_id'])
    .execute();
}

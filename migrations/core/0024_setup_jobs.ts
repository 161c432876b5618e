import type { Kysely } from 'kysely';
import { createTable } from '../tables.ts';

// Why: files given to Setup and the work begun there belong to no single process. With several of them the next page may come
// from another one, and with one of them the work goes on after a restart.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'uploads',
    columns: { account_id: 'text!', upload: 'text!', name: 'text!', pieces: 'integer', created_at: 'text!' },
    key: ['account_id', 'upload'],
    indexes: [{ name: 'uploads_by_age', columns: ['created_at'] }],
  });
  await createTable(db, {
    name: 'upload_pieces',
    columns: { account_id: 'text!', upload: 'text!', number: 'integer!', content: 'text!' },
    key: ['account_id', 'upload', 'number'],
  });
  await createTable(db, {
    name: 'setup_jobs',
    columns: {
      account_id: 'text! primary key',
      operator_id: 'bigint!',
      kind: 'text!',
      task: 'text!',
      state: 'text!',
      done: 'bigint!',
      total: 'bigint!',
      text: 'text!',
      facts: 'text!',
      begun_at: 'text!',
      claimed_by: 'text',
      claimed_until: 'text',
    },
    indexes: [{ name: 'setup_jobs_claimed', columns: ['claimed_until'], where: `state = 'running'` }],
  });
}

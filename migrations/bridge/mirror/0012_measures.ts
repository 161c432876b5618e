import { type Kysely, sql } from 'kysely';
import { views } from './0012_measures/views.ts';
import { createTable } from '../../mirror/tables.ts';

// Why: how the mirror has kept up, hour by hour: what came, how long changes took, how old it was, what it asked.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'sync_hours',
    columns: {
      hour: 'text!',
      measure: 'text!',
      subject: 'text!',
      bucket: 'bigint!',
      count: 'bigint!',
      total: 'bigint!',
      most: 'bigint!',
    },
    key: ['hour', 'measure', 'subject', 'bucket'],
    narrow: true,
  });
  for (const [name, text] of views) await sql.raw(`create view ${name} as ${text}`).execute(db);
}

import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: how old what is mirrored may be and is, which part of a resource a walk has read, and what is known to be absent.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await createTable(db, {
    name: 'sweeps',
    columns: {
      tier: 'text!',
      resource: 'text!',
      max_age_s: 'bigint!',
      fresh_since: 'text',
      state: 'text!',
      tried_at: 'text',
      finished_at: 'text',
      requests: 'bigint!',
      rows: 'bigint!',
      failures: 'bigint!',
      problem: 'text',
    },
    key: ['tier'],
  });
  await createTable(db, {
    name: 'absences',
    columns: { resource: 'text!', key: 'text!', found_at: 'text!', times: 'bigint!', ask_again_at: 'text!' },
    key: ['resource', 'key'],
  });
  await db.schema.alterTable('walks').addColumn('part', 'text').execute();
  // A walk through a part of these asks which of the rows with such a date it has not met.
  const dated = [
    ['stays', 'check_out_date', 'stay_code'],
    ['transactions', 'action_date', 'id'],
    ['reviews', 'check_out_date', 'reservation_code'],
  ] as const;
  for (const [table, column, key] of dated) {
    await db.schema.createIndex(`${table}_by_${column}`).on(table).columns(['connection', column, key]).execute();
  }
}

import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../../src/store/kind.ts';
import { exceptions } from '../../mirror/0001_baseline/books/exceptions.ts';
import { sync } from '../../mirror/0001_baseline/reports/sync.ts';

// Why: indexes, keys and a figure of v1_sync still had the words that 0038 took from tables and columns.

type Db = Kysely<unknown>;

/** PostgreSQL shows the names of keys; in SQLite nobody meets them. */
const keys = [
  ['scans', 'walks_key'],
  ['reconciliations', 'sweeps_key'],
  ['announced_rows', 'told_rows_key'],
  ['aged_conversations', 'aged_threads_key'],
] as const;

export async function up(db: Db): Promise<void> {
  await renameIndexes(db);
  if (kindOf(db) === 'postgres') {
    for (const [table, before] of keys) {
      const now = sql.ref(`${table}_key`);
      await sql`alter table ${sql.table(table)} rename constraint ${sql.ref(before)} to ${now}`.execute(db);
    }
  }
  const create = kindOf(db) === 'sqlite' ? 'create' : 'create or replace';
  for (const [name, text] of [
    ['v1_sync', sync],
    ['v1_exceptions', exceptions],
  ]) {
    if (kindOf(db) === 'sqlite') await sql.raw(`drop view ${name}`).execute(db);
    await sql.raw(`${create} view ${name} as ${text}`).execute(db);
  }
}

async function renameIndexes(db: Db): Promise<void> {
  const indexes = [
    ['automation_plans', ['connection', 'conversation_id']],
    ['automation_sends', ['connection', 'conversation_id', 'started_at']],
  ] as const;
  for (const [table, columns] of indexes) {
    await db.schema.dropIndex(`${table}_by_thread`).execute();
    await db.schema
      .createIndex(`${table}_by_conversation`)
      .on(table)
      .columns([...columns])
      .execute();
  }
}

import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../../src/store/kind.ts';
import { views as syncViews } from './0012_measures/views.ts';
import { exceptions } from './0023_book_reports/exceptions.ts';

// Why: tables, columns and states had words of our own where the field has one that strangers know.

type Db = Kysely<unknown>;

/** Tables, before and from now on. */
export const tables = [
  ['walks', 'scans'],
  ['sweeps', 'reconciliations'],
  ['told_rows', 'announced_rows'],
  ['aged_threads', 'aged_conversations'],
] as const;

/** Columns of tables as they are called from now on. */
export const columns = [
  ['scans', 'walk_id', 'scan_id'],
  ['lost_events', 'walk_id', 'scan_id'],
  ['connections', 'walker', 'scanner'],
  ['connections', 'walker_until', 'scanner_until'],
  ['dirty_keys', 'settling', 'confirming'],
] as const;

/** Values of a column, before and from now on. */
export const values: readonly (readonly [table: string, column: string, before: string, after: string])[] = [
  ['changes', 'seen_by', 'walk', 'scan'],
  ['lost_events', 'seen_by', 'walk', 'scan'],
  ['dirty_keys', 'origin', 'walk', 'scan'],
  ['scans', 'purpose', 'sweep', 'reconcile'],
  ['scans', 'purpose', 'slow_sweep', 'reconcile_slow'],
  ['inbox', 'state', 'kept', 'ignored'],
  ['counters', 'name', 'kept', 'ignored'],
  ['absences', 'resource', 'thread', 'conversation'],
  ['sync_hours', 'measure', 'healed', 'propagated'],
  ['automation_plans', 'state', 'held', 'awaiting_approval'],
  ['automation_plans', 'state', 'looking', 'verifying'],
  ['automation_log', 'what', 'held', 'awaiting_approval'],
  ['automation_log', 'what', 'looking', 'verifying'],
  ...['automation_plans', 'automation_log'].flatMap((table) =>
    [
      ['no_thread', 'no_conversation'],
      ['thread_gone', 'conversation_gone'],
      ['thread_limit', 'conversation_limit'],
    ].map(([before = '', after = '']) => [table, 'reason', before, after] as const),
  ),
];

/** Pieces of the texts of views, before and from now on. */
const RENEWED = [
  ["'healed'", "'propagated'"],
  ['l.walk_id', 'l.scan_id'],
  ['from sweeps w', 'from reconciliations w'],
  ['takes back ', 'reverses '],
] as const;

/** Purposes of requests: `sync_hours` counts them as `<purpose>/<operation>`. */
const PURPOSES = [
  ['walk', 'scan'],
  ['sweep', 'reconcile'],
  ['slow_sweep', 'reconcile_slow'],
] as const;

export async function up(db: Db): Promise<void> {
  for (const [before, after] of tables) await db.schema.alterTable(before).renameTo(after).execute();
  for (const [table, before, after] of columns) {
    await db.schema.alterTable(table).renameColumn(before, after).execute();
  }
  for (const [table, column, before, after] of values) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${after} where ${sql.ref(column)} = ${before}`.execute(
      db,
    );
  }
  for (const [before, after] of PURPOSES) {
    await sql`update sync_hours set subject = ${`${after}/`} || substr(subject, ${sql.lit(before.length + 2)})
      where measure = 'requests' and substr(subject, 1, ${sql.lit(before.length + 1)}) = ${`${before}/`}`.execute(db);
  }
  await renewViews(db);
}

/** The texts of these views name old words; PostgreSQL keeps the old name of a view's column. */
async function renewViews(db: Db): Promise<void> {
  if (kindOf(db) === 'postgres') await sql`alter view v1_sync_proof rename column walk_id to scan_id`.execute(db);
  const views = [...syncViews, ['v1_exceptions', exceptions] as const];
  for (const [name, text] of views) {
    const renewed = RENEWED.reduce((now, [before, after]) => now.replaceAll(before, after), text);
    if (kindOf(db) === 'sqlite') await sql.raw(`drop view ${name}`).execute(db);
    await sql.raw(`${kindOf(db) === 'sqlite' ? 'create' : 'create or replace'} view ${name} as ${renewed}`).execute(db);
  }
}

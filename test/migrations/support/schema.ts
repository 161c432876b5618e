import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { kindOf, type StoreKind } from '../../../src/store/kind.ts';
import type { Store } from '../../../src/store/store.ts';

/** What a database consists of, in an order of its own: how it came about does not show. */
const QUESTIONS: Record<StoreKind, readonly string[]> = {
  // Tables that SQLite makes beneath a full-text index are its own affair.
  sqlite: [
    `select type, name, tbl_name, sql from sqlite_schema
     where tbl_name not in (select name from pragma_table_list where type = 'shadow') order by type, name`,
  ],
  postgres: [
    `select table_name, column_name, ordinal_position, data_type, is_nullable, column_default
     from information_schema.columns where table_schema = current_schema() order by 1, 2`,
    `select relname, relkind, relpersistence, reloptions from pg_class
     where relnamespace = current_schema()::regnamespace and relkind <> 'i' order by 1`,
    `select indexname, indexdef from pg_indexes where schemaname = current_schema() order by 1`,
    `select conrelid::regclass::text, conname, pg_get_constraintdef(oid)
     from pg_constraint where connamespace = current_schema()::regnamespace order by 1, 2`,
    `select viewname, definition from pg_views where schemaname = current_schema() order by 1`,
    `select sequencename from pg_sequences where schemaname = current_schema() order by 1`,
    `select proname, prosrc from pg_proc where pronamespace = current_schema()::regnamespace order by 1`,
  ],
};

/** Returns everything that is made by migrations, line by line. */
export async function schemaOf<DB>({ db }: Pick<Store<DB>, 'db'>): Promise<string[]> {
  const lines: string[] = [];
  for (const question of QUESTIONS[kindOf(db)]) {
    for (const row of (await sql.raw(question).execute(db)).rows) lines.push(JSON.stringify(row));
  }
  return lines;
}

/**
 * What the schema means: like {@link schemaOf}, without what depends on the way by which the database came to it. That is
 * the layout of statements and the names of keys in SQLite, which nobody meets, and the places of columns in PostgreSQL.
 */
export async function formOf<DB>(store: Pick<Store<DB>, 'db'>): Promise<string[]> {
  const lines = await schemaOf(store);
  if (kindOf(store.db) === 'postgres') return lines.map((line) => line.replace(/"ordinal_position":\d+,/, ''));
  return lines
    .map((line): { sql: string | null } => JSON.parse(line))
    .filter(({ sql: text }) => text !== null)
    .map((row) => JSON.stringify({ ...row, sql: layoutless(row.sql ?? '') }))
    .toSorted();
}

function layoutless(text: string): string {
  return text
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
    .replace(/constraint \w+ (?=primary key|unique)/g, '');
}

/** Returns a digest of the schema. */
export async function schemaDigest<DB>(store: { db: Kysely<DB> }): Promise<string> {
  return createHash('sha256')
    .update((await schemaOf(store)).join('\n'))
    .digest('hex')
    .slice(0, 12);
}

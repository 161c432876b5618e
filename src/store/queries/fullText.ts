import { type Kysely, type RawBuilder, sql } from 'kysely';
import { identifier } from './identifier.ts';
import { kindOf } from '../kind.ts';

/** A text column with a search by words. */
export interface FullText {
  readonly table: string;
  readonly column: string;
  /** A column of unique whole numbers that never change. */
  readonly key: string;
}

/** The PostgreSQL configuration for words: no stems and no stop words, as in SQLite. */
const CONFIGURATION = sql.lit('simple');
const WORD = /[\p{L}\p{N}]+/gu;
/** So many words are looked at. */
const MOST_WORDS = 32;

/** Makes a column searchable, for a migration. Later writes to the table are indexed automatically. */
export async function createFullText<DB>(db: Kysely<DB>, text: FullText): Promise<void> {
  if (kindOf(db) === 'sqlite') await createFts(db, text);
  else {
    const name = sql.id(`${text.table}_words`);
    await sql`create index ${name} on ${sql.id(text.table)} using gin (${vectorOf(text)})`.execute(db);
  }
}

/** The index stores no text of its own, so triggers report inserts and deletes. */
async function createFts<DB>(db: Kysely<DB>, text: FullText): Promise<void> {
  const [words, table, column, key] = [wordsOf(text), ...[text.table, text.column, text.key].map(identifier)];
  const settings = `content='${text.table}', content_rowid='${text.key}', tokenize='unicode61 remove_diacritics 0'`;
  const forget = `insert into ${words} (${words}, rowid, ${column}) values ('delete', old.${key}, old.${column});`;
  const learn = `insert into ${words} (rowid, ${column}) values (new.${key}, new.${column});`;
  await sql.raw(`create virtual table ${words} using fts5 (${column}, ${settings})`).execute(db);
  const triggers = { insert: learn, delete: forget, update: `${forget} ${learn}` };
  for (const [event, work] of Object.entries(triggers)) {
    const name = identifier(`${text.table}_words_${event}`);
    await sql.raw(`create trigger ${name} after ${event} on ${table} begin ${work} end`).execute(db);
  }
}

/** Returns the keys of the rows that hold every word of a text; undefined: the text has no word. */
export function keysWith<DB>(db: Kysely<DB>, text: FullText, wanted: string): RawBuilder<{ key: number }> | undefined {
  const words = [...new Set(wanted.toLowerCase().match(WORD))].slice(0, MOST_WORDS);
  if (words.length === 0) return undefined;
  if (kindOf(db) === 'sqlite') {
    const table = sql.id(`${text.table}_words`);
    const asked = words.map((word) => `"${word}"`).join(' ');
    return sql`(select rowid as key from ${table} where ${table} match ${asked})`;
  }
  const asked = sql`to_tsquery(${CONFIGURATION}, ${words.join(' & ')})`;
  return sql`(select ${sql.id(text.key)} as key from ${sql.id(text.table)} where ${vectorOf(text)} @@ ${asked})`;
}

/** Returns true if a text has a word that a search can use. */
export function hasWords(text: string): boolean {
  return text.search(WORD) >= 0;
}

function vectorOf({ column }: FullText): RawBuilder<unknown> {
  return sql`to_tsvector(${CONFIGURATION}, ${sql.id(column)})`;
}

function wordsOf({ table }: FullText): string {
  return identifier(`${table}_words`);
}

import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../src/store/kind.ts';

/** Gives views other texts, which have the same columns. */
export async function replaceViews(
  db: Kysely<unknown>,
  views: readonly (readonly [name: string, text: string])[],
): Promise<void> {
  const isSqlite = kindOf(db) === 'sqlite';
  for (const [name, text] of views) {
    if (isSqlite) await sql.raw(`drop view ${name}`).execute(db);
    await sql.raw(`${isSqlite ? 'create' : 'create or replace'} view ${name} as ${text}`).execute(db);
  }
}

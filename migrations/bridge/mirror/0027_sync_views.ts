import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../../src/store/kind.ts';
import { views } from './0012_measures/views.ts';

// Why: for a few commits 0012 had other texts of these views, and databases that were made by them have those still.

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, text] of views) {
    // PostgreSQL drops no view that others ask; SQLite replaces none.
    if (kindOf(db) === 'sqlite') await sql.raw(`drop view ${name}`).execute(db);
    await sql.raw(`${kindOf(db) === 'sqlite' ? 'create' : 'create or replace'} view ${name} as ${text}`).execute(db);
  }
}

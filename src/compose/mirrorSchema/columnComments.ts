import { sql } from 'kysely';
import type { MirrorStore, MirrorTrx } from '../../sync/tables/database.ts';
import { columnNote, mirrorSchema } from './notes.ts';

/** The id of the lock that lets one process at a time write comments. */
const LOCK = 7_250_061;

interface Found {
  table: string;
  /** null for the comment of the table itself. */
  column: string | null;
  comment: string | null;
}

/**
 * Writes the explanations of `docs/mirror-schema.md` as comments of tables and columns on PostgreSQL, where they are
 * missing. Does nothing on SQLite, which has no comments.
 * @returns the number of written comments
 */
export async function commentOnMirror(store: MirrorStore): Promise<number> {
  if (store.kind !== 'postgres' || (await missingComments(store.db)).length === 0) return 0;
  return store.transaction(async (trx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(trx);
    const missing = await missingComments(trx);
    // COMMENT accepts no bound parameter, but a function does.
    await sql`create or replace function pg_temp.comment_on(t text, c text, note text) returns void language plpgsql as $$
      begin
        if c is null then execute format('comment on table %I is %L', t, note);
        else execute format('comment on column %I.%I is %L', t, c, note);
        end if;
      end $$`.execute(trx);
    for (const { table, column, note } of missing) {
      await sql`select pg_temp.comment_on(${table}::text, ${column}::text, ${note}::text)`.execute(trx);
    }
    return missing.length;
  });
}

async function missingComments(db: MirrorStore['db'] | MirrorTrx) {
  const { rows } = await sql<Found>`
    select c.relname as "table", null as "column", obj_description(c.oid, 'pg_class') as comment
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r'
    union all
    select c.relname, a.attname, col_description(c.oid, a.attnum)
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  `.execute(db);
  return rows.flatMap(({ table, column, comment }) => {
    const known = mirrorSchema.find((one) => one.table === table);
    const note = column === null ? known?.is : known && columnNote(table, column);
    return note === undefined || note === comment ? [] : [{ table, column, note }];
  });
}

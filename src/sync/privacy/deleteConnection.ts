import { sql } from 'kysely';
import { turn } from '../../kernel/clock.ts';
import type { MirrorStore } from '../tables/database.ts';

/** Rows deleted in one transaction. */
const BATCH = 200;
/** The last table: while it has the row, an interrupted deletion can be found and finished. */
const LAST = 'connections';

interface Deleting {
  store: MirrorStore;
  /** Receives the table, and the rows deleted so far. */
  onProgress(progress: { table: string; rows: number }): void;
}

/**
 * Deletes all that the mirror holds of a connection, in small transactions with turns for others in between. The connection
 * must not run. A deletion that was interrupted is finished by the next one.
 * @returns the number of rows
 */
export async function deleteConnection({ store, onProgress }: Deleting, connection: string): Promise<number> {
  let rows = 0;
  for (const { table, key } of await tablesOf(store)) {
    for (let isMore = true; isMore;) {
      const gone = await store.transaction(async (trx) => {
        const columns = sql.join(key.map((column) => sql.ref(column)));
        const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where connection = ${connection}
          and (${columns}) in
            (select ${columns} from ${sql.table(table)} where connection = ${connection} limit ${sql.lit(BATCH)})`.execute(
          trx,
        );
        return Number(numAffectedRows);
      });
      rows += gone;
      isMore = gone === BATCH;
      if (gone > 0) onProgress({ table, rows });
      await turn();
    }
  }
  return rows;
}

/** Returns the tables whose rows belong to connections, with the columns that tell one row from all others. */
async function tablesOf(store: MirrorStore): Promise<{ table: string; key: string[] }[]> {
  const all = await store.db.introspection.getTables();
  const own = all.filter(({ isView, columns }) => !isView && columns.some(({ name }) => name === 'connection'));
  const tables = [];
  for (const { name } of own) {
    const key = await keyOf(store, name);
    // An index of words has no key: triggers of the tables that it is about keep it.
    if (key.length > 0) tables.push({ table: name, key });
  }
  return tables.toSorted((a, b) => Number(a.table === LAST) - Number(b.table === LAST));
}

async function keyOf({ db, kind }: MirrorStore, table: string): Promise<string[]> {
  const { rows } =
    kind === 'sqlite'
      ? await sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(db)
      : await sql<{ name: string }>`select a.attname as name from pg_index i
          join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
          where i.indisprimary and i.indrelid = to_regclass(${table})`.execute(db);
  return rows.map(({ name }) => name);
}

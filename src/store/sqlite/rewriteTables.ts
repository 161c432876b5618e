import { type Kysely, type RawBuilder, sql } from 'kysely';

/** Separates the columns of a row, so that no text matches across two. */
const BORDER = '\u0001';

/**
 * Rewrites tables of PostgreSQL, and the planner's statistics of their values, so that the database holds nothing that
 * was deleted or replaced in them. Its write-ahead log holds old bytes until the server overwrites them. Each table is
 * locked during its copy; call this outside a transaction.
 */
export async function rewriteTables<DB>(db: Kysely<DB>, tables: readonly string[]): Promise<void> {
  const names = sql.join(tables.map((name) => sql.table(name)));
  const copied: RawBuilder<unknown> = sql`vacuum (full, analyze) ${names}`;
  await copied.execute(db);
  // It stores the most common values of a column; rows that analyze has replaced are dead, and still legible. Only the
  // owner of the database may do so: others get a warning from PostgreSQL.
  await sql`vacuum (full) pg_catalog.pg_statistic`.execute(db);
}

/** Counts the occurrences of texts in the tables of the schema, in total. */
export async function countInTables<DB>(db: Kysely<DB>, texts: readonly string[]): Promise<number> {
  if (texts.length === 0) return 0;
  let found = 0;
  for (const [table, columns] of await textColumns(db)) {
    const row = sql`concat_ws(${BORDER}, ${sql.join(columns.map((column) => sql.ref(column)))})`;
    const { rows } = await sql<{ count: string | null }>`
      select sum((length(a.row) - length(replace(a.row, b.text, ''))) / length(b.text)) as count
      from (select ${row} as row from ${sql.table(table)}) as a
      join unnest(${[...texts]}::text[]) as b(text) on strpos(a.row, b.text) > 0
    `.execute(db);
    found += Number(rows[0]?.count ?? 0);
  }
  return found;
}

async function textColumns<DB>(db: Kysely<DB>): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select c.table_name, c.column_name
    from information_schema.columns as c join information_schema.tables as t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.data_type = 'text'
    order by c.table_name, c.ordinal_position
  `.execute(db);
  const columns = new Map<string, string[]>();
  for (const { table_name, column_name } of rows) {
    columns.set(table_name, [...(columns.get(table_name) ?? []), column_name]);
  }
  return columns;
}

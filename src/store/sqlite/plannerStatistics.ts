import { type Kysely, sql } from 'kysely';

/** The assumed size of a table, and of the part in a partial index. */
const ROWS = 1_000_000;
const PARTIAL_ROWS = 10_000;

interface IndexFacts {
  table_name: string;
  index_name: string;
  origin: string;
  partial: number;
  columns: number;
  /** 1 if its first column is the tenant. */
  by_tenant: number;
}

export interface StatisticsOptions {
  /**
   * True if SQLite may skip along an index whose first columns a query does not name: for tables that people query by
   * hand, without the tenant. If every query names the tenant, skipping would use an index of dates to find a state,
   * and read the whole index.
   */
  skipScan: boolean;
}

/**
 * Gives SQLite's planner statistics about the future tables. Without statistics it assumes that every equality is
 * selective, above all the tenant at the front of every key, and scans a tenant's whole table where an index leads
 * straight to the row. Measured statistics of an empty or small database would mislead it as well, so these are
 * invented: one tenant fills the table, and each further column narrows it by the same factor.
 */
export async function seedPlannerStatistics<DB>(db: Kysely<DB>, { skipScan }: StatisticsOptions): Promise<void> {
  // Creates sqlite_stat1, which cannot be created otherwise.
  await sql`analyze`.execute(db);
  await sql`delete from sqlite_stat1`.execute(db);
  const { rows } = await sql<IndexFacts>`
    select t.name as table_name, i.name as index_name, i.origin, i.partial,
      (select count(*) from pragma_index_info(i.name)) as columns,
      -- A tenant stands first in the key of its table.
      exists (
        select 1 from pragma_index_info(i.name) as first join pragma_table_info(t.name) as key using (name)
        where first.seqno = 0 and key.pk = 1
      ) as by_tenant
    from pragma_table_list as t join pragma_index_list(t.name) as i
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite%' and t.name not like 'kysely%'
  `.execute(db);
  const bare = await tablesWithoutRowid(db);
  for (const index of rows) {
    // The key of a table without rowid is the table itself, and has the table's name.
    const name = index.origin === 'pk' && bare.has(index.table_name) ? index.table_name : index.index_name;
    const numbers = statisticsOf(index, index.partial === 1 ? PARTIAL_ROWS : ROWS);
    const stat = skipScan ? numbers : `${numbers} noskipscan`;
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${index.table_name}, ${name}, ${stat})`.execute(db);
  }
  // Makes this connection read them; others do so when they open the file.
  await sql`analyze sqlite_schema`.execute(db);
}

/** Returns false before the first complete seeding. */
export async function hasPlannerStatistics<DB>(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_schema where name = 'sqlite_stat1'`.execute(db);
  if (rows.length === 0) return false;
  return (await sql`select 1 from sqlite_stat1 limit 1`.execute(db)).rows.length > 0;
}

async function tablesWithoutRowid<DB>(db: Kysely<DB>): Promise<Set<string>> {
  const { rows } = await sql<{
    name: string;
  }>`select name from pragma_table_list where schema = 'main' and wr = 1`.execute(db);
  return new Set(rows.map((row) => row.name));
}

/** The share of rows that each column except the tenant leaves, in any index. */
const NARROWER = 0.001;

/**
 * Formats `rows`, then the rows that share the first column, the first two, and so on; all columns lead to one row. The
 * same columns lead to equally many rows in each index, so of two with equal beginnings the planner takes the one in
 * the requested order.
 */
function statisticsOf({ columns, by_tenant }: IndexFacts, rows: number): string {
  const shared = Array.from({ length: columns }, (_, index) =>
    index === columns - 1 ? 1 : Math.max(2, Math.round(rows * NARROWER ** (by_tenant === 1 ? index : index + 1))),
  );
  return [rows, ...shared].join(' ');
}

import { type QueryExecutorProvider, sql } from 'kysely';
import { kindOf } from '../../store/kind.ts';
import type { Relation } from './views.ts';

interface FoundColumn {
  relation: string;
  column: string | null;
  stored: string | null;
}

/**
 * Reads the tables and views of the mirror: of those that are named their columns in order, of all others only that
 * they are there.
 */
export async function readRelations(db: QueryExecutorProvider, named: readonly string[]): Promise<Relation[]> {
  const { rows } = await (kindOf(db) === 'sqlite' ? ofSqlite(named) : ofPostgres).execute(db);
  const relations = new Map<string, { name: string; stored: string }[]>();
  for (const { relation, column, stored } of rows) {
    const columns = relations.get(relation) ?? [];
    if (column !== null) columns.push({ name: column, stored: stored ?? '' });
    relations.set(relation, columns);
  }
  return [...relations].map(([name, columns]) => ({ name, columns }));
}

// The columns of a view cost SQLite the plan of its query.
const ofSqlite = (named: readonly string[]) => sql<FoundColumn>`
  select m.name as relation, c.name as "column", c.type as stored
  from sqlite_schema m left join pragma_table_info(case when m.name in (${sql.join(named)}) then m.name end) c
  where m.type in ('table', 'view') and m.name not like 'analytics\\_%' escape '\\'
  order by m.name, c.cid`;

const ofPostgres = sql<FoundColumn>`
  select c.relname as relation, a.attname as "column", format_type(a.atttypid, a.atttypmod) as stored
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0
    and not a.attisdropped
  order by c.relname, a.attnum`;

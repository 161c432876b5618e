import type { Kysely } from 'kysely';
import { type Columns, createTable as create, type Table } from '../tables.ts';

/** The columns of every mirrored row. `raw` comes last: SQLite reads the columns before it without touching it. */
export const rowColumns = {
  read_number: 'bigint!',
  first_seen_at: 'text!',
  changed_at: 'text!',
  deleted_at: 'text',
} as const satisfies Columns;
export const rawColumn = { raw: 'text!' } as const satisfies Columns;

/** Creates a table of the mirror: the connection is the first column of the table and of its key. */
export async function createTable(db: Kysely<unknown>, table: Table): Promise<void> {
  const columns = { connection: 'text!', ...table.columns } as const;
  await create(db, { ...table, columns, key: ['connection', ...(table.key ?? [])] });
}

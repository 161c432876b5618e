import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../src/store/kind.ts';

/** A column's type; `!` says that it is never null. */
type ColumnKind = 'text' | 'text!' | 'bigint' | 'bigint!';
export type Columns = Readonly<Record<string, ColumnKind>>;

interface Table {
  name: string;
  columns: Columns;
  /** The primary key after `connection`, which is the first column of every table and key. */
  key: readonly string[];
  /** Rows are so short that SQLite does better with them inside the key's tree. */
  narrow?: boolean;
}

/** What every mirrored row carries. `raw` comes last: SQLite reads the columns before it without touching it. */
export const rowColumns = {
  read_number: 'bigint!',
  first_seen_at: 'text!',
  changed_at: 'text!',
  deleted_at: 'text',
} as const satisfies Columns;
export const rawColumn = { raw: 'text!' } as const satisfies Columns;

/** Creates a table of the mirror: the connection stands first in the table and in its key. */
export async function createTable(db: Kysely<unknown>, table: Table): Promise<void> {
  let builder = db.schema.createTable(table.name);
  for (const [name, kind] of Object.entries({ connection: 'text!', ...table.columns })) {
    const type = kind.startsWith('text') ? 'text' : 'bigint';
    builder = builder.addColumn(name, type, (column) => (kind.endsWith('!') ? column.notNull() : column));
  }
  const key: string[] = ['connection', ...table.key];
  const keyed = builder.addPrimaryKeyConstraint(`${table.name}_key`, key as never[]);
  await (table.narrow && kindOf(db) === 'sqlite' ? keyed.modifyEnd(sql`without rowid`) : keyed).execute();
}

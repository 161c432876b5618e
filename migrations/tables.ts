import { type CreateTableBuilder, type Kysely, type RawBuilder, sql } from 'kysely';
import { kindOf } from '../src/store/kind.ts';

/** A column's type; `!` says that it is never null. What follows is as in SQL. */
export type ColumnKind =
  `${'text' | 'bigint' | 'integer'}${'' | '!'}${'' | ' unique' | ' primary key' | ` default ${string}`}`;
export type Columns = Readonly<Record<string, ColumnKind>>;

export interface Table {
  readonly name: string;
  readonly columns: Columns;
  /** The primary key; none where a column says it. */
  readonly key?: readonly string[];
  /** Sets of columns that are unique together, by the names of their constraints. */
  readonly unique?: Readonly<Record<string, readonly string[]>>;
  /** Conditions in SQL, by the names of their constraints. */
  readonly checks?: Readonly<Record<string, string>>;
  readonly references?: { readonly name: string; readonly columns: readonly string[]; readonly table: string };
  /** Rows are so short that SQLite does better with them inside the key's tree. */
  readonly narrow?: boolean;
  /** PostgreSQL writes no log of it, and a crash of the server empties it. */
  readonly unlogged?: boolean;
  readonly indexes?: readonly Index[];
}

export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique?: boolean;
  /** A condition in SQL: the index holds only the rows that meet it. */
  readonly where?: string;
}

type Db = Kysely<unknown>;
type Builder = CreateTableBuilder<string, string>;

/** Creates a table with its indexes, on either database. */
export async function createTable(db: Db, table: Table): Promise<void> {
  let builder: Builder = db.schema.createTable(table.name);
  for (const [name, kind] of Object.entries(table.columns)) builder = addColumn(builder, name, kind);
  builder = addConstraints(builder, table);
  const isNarrow = table.narrow === true && kindOf(db) === 'sqlite';
  await (isNarrow ? builder.modifyEnd(sql`without rowid`) : builder).execute();
  if (table.unlogged === true && kindOf(db) === 'postgres') {
    await sql`alter table ${sql.table(table.name)} set unlogged`.execute(db);
  }
  for (const index of table.indexes ?? []) await createIndex(db, table.name, index);
}

const KIND = /^(?<type>[a-z]+)(?<never>!?)(?: (?:(?<word>unique|primary key)|default (?<value>.+)))?$/;

function addColumn(builder: Builder, name: string, kind: ColumnKind): Builder {
  const { type, never, word, value } = KIND.exec(kind)?.groups ?? {};
  return builder.addColumn(name, sql.raw(type ?? kind) as RawBuilder<unknown>, (column) => {
    let made = value === undefined ? column : column.defaultTo(sql.raw(value));
    if (never === '!') made = made.notNull();
    if (word === 'unique') made = made.unique();
    return word === 'primary key' ? made.primaryKey() : made;
  });
}

function addConstraints(table: Builder, { name, key = [], unique = {}, checks = {}, references }: Table): Builder {
  let builder = table;
  if (key.length > 0) builder = builder.addPrimaryKeyConstraint(`${name}_key`, [...key] as never[]);
  for (const [constraint, columns] of Object.entries(unique)) {
    builder = builder.addUniqueConstraint(constraint, [...columns] as never[]);
  }
  for (const [constraint, condition] of Object.entries(checks)) {
    builder = builder.addCheckConstraint(constraint, sql.raw(condition));
  }
  if (!references) return builder;
  const columns = [...references.columns];
  return builder.addForeignKeyConstraint(references.name, columns as never[], references.table, columns);
}

export async function createIndex(db: Db, table: string, { name, columns, unique, where }: Index): Promise<void> {
  const index = db.schema
    .createIndex(name)
    .on(table)
    .columns([...columns]);
  const made = unique === true ? index.unique() : index;
  await (where === undefined ? made : made.where(sql.raw<boolean>(where))).execute();
}

import { CompiledQuery, type Insertable, type Transaction } from 'kysely';
import { identifier } from './identifier.ts';
import { kindOf } from '../kind.ts';
import { portable } from './parameters.ts';
import { SqliteLease } from '../sqlite/sqlite.ts';

/** Rows of a statement on PostgreSQL; more rows only make it longer. */
const CHUNK_ROWS = 2_000;

interface OnConflict<Column extends string> {
  /** The unique key that may conflict. */
  columns: readonly Column[];
  /** Columns that the new row overwrites in the old one. Without them the old row remains. */
  update?: readonly Column[];
}

/**
 * Inserts many rows fast: on SQLite one prepared statement that runs for each row, on PostgreSQL one statement for all.
 * The columns are the keys of the first row, and every row must have exactly these. Values are text, numbers, booleans
 * (stored as 0 and 1) and null.
 *
 * With `update`, no two rows may share a key: one statement cannot change a row twice.
 * @returns the number of rows inserted or updated
 */
export async function insertMany<DB, T extends keyof DB & string, Row extends Insertable<DB[T]>>(
  trx: Transaction<DB>,
  table: T,
  rows: readonly Row[],
  onConflict?: OnConflict<Extract<keyof Row, string>>,
): Promise<number> {
  const [first] = rows;
  if (first === undefined) return 0;
  const columns = columnsOf(first);
  for (const row of rows) assertSameColumns(row, columns);
  if (onConflict?.update?.length) assertNoTwins(rows, onConflict.columns);
  const insert = kindOf(trx) === 'sqlite' ? insertOneByOne : insertInChunks;
  return await insert(trx, { table, columns, conflict: conflictClause(onConflict) }, rows);
}

function columnsOf<Row>(row: Row): Extract<keyof Row, string>[] {
  const columns: Extract<keyof Row, string>[] = [];
  for (const column in row) columns.push(column);
  return columns;
}

function assertSameColumns<Row>(row: Row, columns: readonly Extract<keyof Row, string>[]): void {
  let count = 0;
  for (const _ in row) count += 1;
  if (count === columns.length && columns.every((column) => row[column] !== undefined)) return;
  throw new Error(`insertMany: every row must have a value for each of ${columns.join(', ')}, and no more`);
}

function assertNoTwins<Row>(rows: readonly Row[], key: readonly (keyof Row)[]): void {
  const seen = new Set<string>();
  for (const row of rows) {
    const values = key.map((column) => portable(row[column]));
    // A null in a key equals nothing, not even another null.
    if (values.includes(null)) continue;
    const text = JSON.stringify(values);
    if (seen.has(text)) throw new Error(`insertMany: two rows have the key ${text}`);
    seen.add(text);
  }
}

function conflictClause(onConflict: OnConflict<string> | undefined): string {
  if (!onConflict) return '';
  const sets = (onConflict.update ?? []).map(identifier).map((name) => `${name} = excluded.${name}`);
  const action = sets.length === 0 ? 'nothing' : `update set ${sets.join(', ')}`;
  return `on conflict (${onConflict.columns.map(identifier).join(', ')}) do ${action}`;
}

interface Target<Row> {
  readonly table: string;
  readonly columns: readonly Extract<keyof Row, string>[];
  readonly conflict: string;
}

/** Bypasses kysely for the driver: a query object for each row would cost several times the insert. */
function insertOneByOne<DB, Row>(trx: Transaction<DB>, target: Target<Row>, rows: readonly Row[]): Promise<number> {
  const { table, columns, conflict } = target;
  const marks = columns.map(() => '?').join(', ');
  const names = columns.map(identifier).join(', ');
  const text = `insert into ${identifier(table)} (${names}) values (${marks}) ${conflict}`;
  return trx.getExecutor().provideConnection(async (connection) => {
    if (!(connection instanceof SqliteLease)) throw new Error('this transaction is not from the SQLite driver');
    return connection.runEach(text, rows, (row) => columns.map((column) => row[column]));
  });
}

/** Sends the rows as one JSON parameter; the table's own row type supplies the type of each value. */
async function insertInChunks<DB, Row>(
  trx: Transaction<DB>,
  target: Target<Row>,
  rows: readonly Row[],
): Promise<number> {
  const { columns, conflict } = target;
  const table = identifier(target.table);
  const names = columns.map(identifier).join(', ');
  const source = `json_populate_recordset(null::${table}, $1)`;
  const text = `insert into ${table} (${names}) select ${names} from ${source} ${conflict}`;
  let changed = 0;
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const chunk = rows.slice(start, start + CHUNK_ROWS);
    const plain = chunk.map((row) => Object.fromEntries(columns.map((column) => [column, portable(row[column])])));
    const { numAffectedRows = 0n } = await trx.executeQuery(CompiledQuery.raw(text, [JSON.stringify(plain)]));
    changed += Number(numAffectedRows);
  }
  return changed;
}

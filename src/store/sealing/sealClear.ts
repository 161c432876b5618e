import { type Kysely, sql, type Transaction } from 'kysely';
import { turn } from '../../kernel/clock.ts';
import type { Sealer } from '../../kernel/seal.ts';
import type { Store } from '../store.ts';

/**
 * waiting: not begun · sealing: rows after the cursor are still in clear · clearing: all are sealed, and old bytes of
 * the database may hold the clear values · done.
 */
type SealingState = 'sealing' | 'clearing' | 'done';

/** The progress of sealing the values of one table that an earlier version stored in clear. */
export interface SealingsTable {
  name: string;
  state: SealingState;
  /** The key of the last processed row, as JSON; null for none yet. */
  cursor: string | null;
  /** 1 if a row was found in clear. */
  found: 0 | 1;
  /** A known text, encrypted: it identifies the key of all seals. */
  proof: string;
}

export interface WithSealings {
  sealings: SealingsTable;
}

/** Values of the key and the columns. */
export type Row = Readonly<Record<string, string | number | null>>;

/** Rows of one table, processed in the order of their key. */
export interface KeyedRows<DB> {
  table: keyof DB & string;
  /** Columns of the primary key, in its order. */
  key: readonly string[];
  /** Columns to read beside the key. */
  columns: readonly string[];
  /** Restricts to rows with a value in this column; absent for all. */
  present?: string;
  /** Restricts to rows with one of these values in this column. */
  only?: { column: string; values: readonly string[] };
}

/** Rows that may hold values in clear. */
export interface ClearRows<DB> extends KeyedRows<DB> {
  /** The name in `sealings`; never changes. */
  name: string;
  /** Seals the clear values of a row; called at most once for each row. @returns true if there were any */
  seal(trx: Transaction<DB>, row: Row, sealer: Sealer): Promise<boolean>;
}

/** Rows of one transaction. */
const BATCH_ROWS = 200;

/**
 * Seals values that an earlier version stored in clear, table by table and in small transactions, each of which stores
 * its progress: after an interruption anywhere, the next call continues there. Concurrent processes wait for each
 * other.
 * @param forgetBytes removes old bytes from the database if a clear value was found; false: it failed, and
 *   the next call tries again
 * @returns true if a clear value was found
 * @throws OperatorError if an earlier call sealed with another key
 */
export async function sealClear<DB extends WithSealings>(
  store: Store<DB>,
  sealer: Sealer,
  { all, forgetBytes }: { all: readonly ClearRows<DB>[]; forgetBytes: () => Promise<boolean> },
): Promise<boolean> {
  const own = store as unknown as Store<WithSealings>;
  for (const rows of all) {
    while (!(await sealBatch(store, rows, sealer))) await turn();
  }
  const open = await own.db.selectFrom('sealings').where('state', '=', 'clearing').select(['name', 'found']).execute();
  if (open.length === 0) return false;
  const found = open.some((one) => one.found === 1);
  if (found && !(await forgetBytes())) return true;
  await own.db.updateTable('sealings').set({ state: 'done' }).where('state', '=', 'clearing').execute();
  return found;
}

/** @returns true if no row of the table is left */
function sealBatch<DB extends WithSealings>(store: Store<DB>, rows: ClearRows<DB>, sealer: Sealer): Promise<boolean> {
  return store.transaction(async (trx) => {
    const progress = await progressOf(trx as unknown as Transaction<WithSealings>, rows.name, sealer);
    if (progress.state !== 'sealing') return true;
    sealer.open(progress.proof, proofContext(rows.name));
    const batch = await nextRows(trx, rows, progress.cursor);
    let { found } = progress;
    for (const row of batch) if (await rows.seal(trx, row, sealer)) found = 1;
    const state: SealingState = batch.length < BATCH_ROWS ? 'clearing' : 'sealing';
    await (trx as unknown as Transaction<WithSealings>)
      .updateTable('sealings')
      .set({ state, found, cursor: cursorAfter(rows, batch) ?? progress.cursor })
      .where('name', '=', rows.name)
      .execute();
    return state !== 'sealing';
  });
}

async function progressOf(trx: Transaction<WithSealings>, name: string, sealer: Sealer): Promise<SealingsTable> {
  const proof = sealer.seal(name, proofContext(name));
  await trx
    .insertInto('sealings')
    .values({ name, state: 'sealing', cursor: null, found: 0, proof })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return trx.selectFrom('sealings').where('name', '=', name).selectAll().forUpdate().executeTakeFirstOrThrow();
}

/** Processes all rows in one transaction, some at a time. @returns their number */
export async function eachRow<DB>(
  trx: Transaction<DB>,
  rows: KeyedRows<DB>,
  work: (row: Row) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  for (let cursor: string | null | undefined = null; cursor !== undefined;) {
    const batch: Row[] = await nextRows(trx, rows, cursor);
    for (const row of batch) await work(row);
    count += batch.length;
    cursor = batch.length < BATCH_ROWS ? undefined : cursorAfter(rows, batch);
  }
  return count;
}

function cursorAfter<DB>({ key }: KeyedRows<DB>, batch: readonly Row[]): string | undefined {
  const last = batch.at(-1);
  return last && JSON.stringify(key.map((column) => last[column]));
}

async function nextRows<DB>(trx: Transaction<DB>, rows: KeyedRows<DB>, cursor: string | null): Promise<Row[]> {
  const refs = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)));
  const after = cursor === null ? undefined : (JSON.parse(cursor) as (string | number)[]);
  const conditions = [
    ...(after ? [sql`(${refs(rows.key)}) > (${sql.join(after)})`] : []),
    ...(rows.present === undefined ? [] : [sql`${sql.ref(rows.present)} is not null`]),
    ...(rows.only ? [sql`${sql.ref(rows.only.column)} in (${sql.join(rows.only.values)})`] : []),
    sql`1 = 1`,
  ];
  const { rows: found } = await sql<Row>`
    select ${refs([...rows.key, ...rows.columns])} from ${sql.table(rows.table)}
    where ${sql.join(conditions, sql` and `)} order by ${refs(rows.key)} limit ${sql.lit(BATCH_ROWS)}
  `.execute(trx);
  return found;
}

/** Writes columns of one row. */
export async function writeRow<DB>(
  trx: Transaction<DB>,
  { table, key }: KeyedRows<DB>,
  row: Row,
  columns: Readonly<Record<string, string | null>>,
): Promise<void> {
  const set = Object.entries(columns).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const where = key.map((column) => sql`${sql.ref(column)} = ${row[column]}`);
  await sql`update ${sql.table(table)} set ${sql.join(set)} where ${sql.join(where, sql` and `)}`.execute(trx);
}

/** Returns true if some of these rows may still be in clear, because not all were processed. */
export async function stillClear<DB extends WithSealings>(
  { db }: Store<DB>,
  all: readonly ClearRows<DB>[],
): Promise<boolean> {
  const own = db as unknown as Kysely<WithSealings>;
  const begun = await own.selectFrom('sealings').where('state', '<>', 'sealing').select('name').execute();
  return all.some(({ name }) => begun.every((one) => one.name !== name));
}

/** Throws OperatorError if anything was sealed here with another key. */
export async function requireSameKey<DB extends WithSealings>({ db }: Store<DB>, sealer: Sealer): Promise<void> {
  const rows = await (db as unknown as Kysely<WithSealings>).selectFrom('sealings').select(['name', 'proof']).execute();
  for (const { name, proof } of rows) sealer.open(proof, proofContext(name));
}

/** Seals the known texts with another key. */
export async function resealProofs(
  trx: Transaction<WithSealings>,
  reseal: (sealed: string, context: string) => string,
): Promise<void> {
  for (const { name, proof } of await trx.selectFrom('sealings').select(['name', 'proof']).execute()) {
    await trx
      .updateTable('sealings')
      .set({ proof: reseal(proof, proofContext(name)) })
      .where('name', '=', name)
      .execute();
  }
}

function proofContext(name: string): string {
  return `sealed column ${name}`;
}

import type { Database, Statement } from 'better-sqlite3';

/** Preparing costs more than running (30 µs against 6); the program has a few hundred distinct statements. */
export const MAX_STATEMENTS = 500;

/** Makes a row of the list of values that the driver returns. */
type RowMaker = (values: readonly unknown[]) => Record<string, unknown>;

interface CachedStatement {
  readonly statement: Statement;
  /** null if it returns no rows. */
  readonly makeRow: RowMaker | null;
  /** True if it changes the schema. */
  readonly changesSchema: boolean;
  /** The table that it writes; null: none. {@link ANY_TABLE} if its text does not show which. */
  readonly writes: string | null;
}

/** Stands for the table of a statement that could write any. */
export const ANY_TABLE = '*';

const WRITTEN = /^\s*(?:insert(?:\s+or\s+\w+)?\s+into|replace\s+into|update|delete\s+from)\s+"?(\w+)"?(?![.\w])/i;
const SCHEMA_CHANGE = /^\s*(?:create|alter|drop)\b/i;

/** Prepared statements by their text. A new one replaces the oldest when the cache is full. */
export class StatementCache {
  readonly #database: Database;
  readonly #statements = new Map<string, CachedStatement>();

  constructor(database: Database) {
    this.#database = database;
  }

  get size(): number {
    return this.#statements.size;
  }

  get(sql: string): CachedStatement {
    return this.#statements.get(sql) ?? this.#prepare(sql);
  }

  /** Clears the cache after a change of the schema, which can change the meaning of `*`. */
  clear(): void {
    this.#statements.clear();
  }

  #prepare(sql: string): CachedStatement {
    const statement = this.#database.prepare(sql);
    const makeRow = statement.reader ? rowMaker(statement.columns().map(({ name }) => name)) : null;
    if (makeRow) statement.raw();
    const writes = statement.readonly ? null : (WRITTEN.exec(sql)?.[1] ?? ANY_TABLE);
    const cached = { statement, makeRow, changesSchema: SCHEMA_CHANGE.test(sql), writes };
    if (this.#statements.size >= MAX_STATEMENTS) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest);
        break;
      }
    }
    this.#statements.set(sql, cached);
    return cached;
  }
}

/**
 * Compiles the maker of a statement's rows. The driver makes lists twice as fast as objects, and its objects stay slow
 * to read; an object literal has its form from the beginning.
 */
function rowMaker(columns: readonly string[]): RowMaker {
  // As a plain key, this one would be the prototype.
  const keyOf = (name: string) => (name === '__proto__' ? '["__proto__"]' : JSON.stringify(name));
  const fields = columns.map((name, index) => `${keyOf(name)}: values[${index}]`);
  // Built from the names of columns alone, which are quoted.
  // oxlint-disable-next-line typescript/no-implied-eval
  return new Function('values', `return { ${fields.join(', ')} };`) as RowMaker;
}

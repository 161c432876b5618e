import type { Database, Statement } from 'better-sqlite3';

/** Preparing costs more than running (30 µs against 6); the program has a few hundred distinct statements. */
export const MAX_STATEMENTS = 500;

interface CachedStatement {
  readonly statement: Statement;
  /** The columns of the returned rows, which come as lists of values; null if it returns none. */
  readonly columns: readonly string[] | null;
  /** True if it changes the schema. */
  readonly changesSchema: boolean;
}

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
    const columns = statement.reader ? statement.columns().map(({ name }) => name) : null;
    if (columns) statement.raw();
    const cached = { statement, columns, changesSchema: SCHEMA_CHANGE.test(sql) };
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

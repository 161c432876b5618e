import type { Database, Statement } from 'better-sqlite3';

/** Preparing costs more than running (30 µs against 6); the program has a few hundred distinct statements. */
export const MAX_STATEMENTS = 500;

export interface CachedStatement {
  readonly statement: Statement;
  /** Whether it returns rows; asking the statement itself each time crosses into native code. */
  readonly reader: boolean;
}

/** Prepared statements by their text. The oldest goes when a new one finds it full. */
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

  #prepare(sql: string): CachedStatement {
    const statement = this.#database.prepare(sql);
    const cached = { statement, reader: statement.reader };
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

import type { Database, Statement } from 'better-sqlite3';
import type { ChangeNumbers } from '../changes.ts';
import { ANY_TABLE } from './statementCache.ts';

/**
 * Counts the statements that write each table. A rollback leaves a number too high, which costs a count and is never
 * wrong. SQLite itself says when another connection has committed.
 */
export class SqliteChanges implements ChangeNumbers {
  readonly #database: Database;
  readonly #byTable = new Map<string, number>();
  #ofAny = 0;
  #version: Statement<[], number> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  note(table: string): void {
    if (table === ANY_TABLE) this.#ofAny += 1;
    else this.#byTable.set(table, (this.#byTable.get(table) ?? 0) + 1);
  }

  of(tables: readonly string[]): string {
    this.#version ??= this.#database.prepare<[], number>('pragma data_version').pluck();
    let text = `${this.#version.get() ?? 0} ${this.#ofAny}`;
    for (const table of tables) text += ` ${this.#byTable.get(table) ?? 0}`;
    return text;
  }
}

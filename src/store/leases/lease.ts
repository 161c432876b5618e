import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { messageOf } from '../../kernel/errors.ts';

/** The reason after the end of a transaction. It is rarely read, so the error with its stack is created on demand. */
const OVER = Symbol('the transaction has ended');

/**
 * The use of a connection by one holder, from acquire to release. kysely would reuse one object for each connection; a
 * new one for each holder distinguishes a late query from those of the next holder.
 *
 * Both databases then follow the same rules:
 * - A query that fails fails its transaction. PostgreSQL does this itself, but turns the commit of a failed transaction
 *   into a silent rollback; SQLite would continue, and code that works there would break on PostgreSQL. Here every
 *   later query and the commit throw, and the cause is stored.
 * - After the end of a transaction nothing more runs on its lease. Without this rule, a query that no code awaits can
 *   slip in between the rollback and kysely's own mark, and be committed alone. (A lease from `db.connection()`
 *   outlives its transactions: there, a query came before `begin`.)
 */
export abstract class Lease implements DatabaseConnection {
  #used = false;
  #forOneTransaction = false;
  #inTransaction = false;
  #failure: Error | typeof OVER | undefined;
  #revoked: Error | undefined;
  #lastSql = '';
  /** Set by a holder that keeps the connection on purpose during other work, see `exclusively`. */
  mayWait = false;

  abstract executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>>;

  streamQuery(): never {
    throw new Error('a stream would hold its connection for as long as the reader likes: read by pages instead');
  }

  get used(): boolean {
    return this.#used;
  }

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  get revoked(): boolean {
    return this.#revoked !== undefined;
  }

  get lastSql(): string {
    return this.#lastSql;
  }

  /** Takes every right from the holder, for good. */
  revoke(reason: Error): void {
    this.#revoked = reason;
    this.#inTransaction = false;
  }

  /** Checks that a query may run; throws otherwise. */
  protected enter(sql: string): void {
    this.assertAllowed();
    this.#used = true;
    this.#lastSql = sql;
  }

  protected assertAllowed(): void {
    const refusal = this.#revoked ?? this.#failure;
    if (refusal === OVER) throw new Error('this transaction has ended: a query of it was not awaited');
    if (refusal) throw refusal;
  }

  protected assertNotRevoked(): void {
    if (this.#revoked) throw this.#revoked;
  }

  protected begun(): void {
    this.#forOneTransaction = !this.#used;
    this.#used = true;
    this.#inTransaction = true;
    this.#failure = undefined;
  }

  protected failed(error: unknown): void {
    if (!this.#inTransaction || this.#failure) return;
    this.#failure = new Error(`an earlier query of this transaction failed: ${messageOf(error)}`, { cause: error });
  }

  /** Runs before the end is sent: later queries would no longer belong to the transaction. */
  protected ending(): void {
    this.#failure = OVER;
  }

  protected ended(): void {
    this.#inTransaction = false;
    if (!this.#forOneTransaction) this.#failure = undefined;
  }
}

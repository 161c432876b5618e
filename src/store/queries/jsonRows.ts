import type { QueryExecutorProvider, RawBuilder, SelectQueryBuilder } from 'kysely';
import { jsonArrayFrom as onPostgres } from 'kysely/helpers/postgres';
import { jsonArrayFrom as onSqlite } from 'kysely/helpers/sqlite';
import { kindOf } from '../kind.ts';

declare const rowType: unique symbol;
/** Rows of a subquery in one value of its outer row; {@link rowsIn} returns them. */
export interface JsonRows<Row> {
  readonly [rowType]: Row;
}

/**
 * Selects the rows of a subquery as one value, so that a row and those that belong to it come in one statement. Name
 * each column of the subquery. The rows are in no order.
 */
export function jsonRows<DB, Tables extends keyof DB, Row>(
  db: QueryExecutorProvider,
  query: SelectQueryBuilder<DB, Tables, Row>,
): RawBuilder<JsonRows<Row>> {
  const json = kindOf(db) === 'sqlite' ? onSqlite(query) : onPostgres(query);
  // The helpers state what a plugin of kysely would make of it.
  return (json as RawBuilder<unknown>).$castTo<JsonRows<Row>>();
}

/** Returns the rows. SQLite gives them as text, and the driver of PostgreSQL parses them itself. */
export function rowsIn<Row>(rows: JsonRows<Row>): Row[] {
  const value: unknown = rows;
  return (typeof value === 'string' ? JSON.parse(value) : value) as Row[];
}

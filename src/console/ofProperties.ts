import { type Expression, sql, type SqlBool } from 'kysely';
import { inList } from '../store/queries/inList.ts';

/** Keeps the rows of these properties; all without any. */
export function ofProperties(
  column: Expression<number | null>,
  properties: readonly number[] | undefined,
): Expression<SqlBool> {
  return properties === undefined ? sql<SqlBool>`1 = 1` : inList(column, properties);
}

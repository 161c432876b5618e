import { type Expression, sql, type SqlBool } from 'kysely';
import { inList } from '../store/queries/inList.ts';
import { preparedByArguments } from '../store/queries/prepared.ts';
import type { MirrorDb } from '../sync/read/mirror.ts';
import type { Visit } from './visit.ts';

/** Keeps the rows of these properties; all without any. */
export function ofProperties(
  column: Expression<number | null>,
  properties: readonly number[] | undefined,
): Expression<SqlBool> {
  return properties === undefined ? sql<SqlBool>`1 = 1` : inList(column, properties);
}

/** A connection, and the properties of it that a person sees; left out: all. */
interface Seen {
  connection: string;
  properties?: readonly number[] | undefined;
}

/** Reads the properties that a person sees, by name. */
export const readProperties = preparedByArguments((db: MirrorDb, { connection, properties }: Seen) =>
  db
    .selectFrom('properties')
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .where((where) => ofProperties(where.ref('id'), properties))
    .select(['id', 'name'])
    .orderBy('name')
    .orderBy('id'),
);

/** Returns the properties that a page is about: the chosen one, as far as the person may see it; undefined: all. */
export function shownProperties(
  { person: { properties } }: Visit,
  chosen: number | undefined,
): readonly number[] | undefined {
  if (chosen === undefined) return properties ?? undefined;
  return properties === null || properties.includes(chosen) ? [chosen] : [];
}

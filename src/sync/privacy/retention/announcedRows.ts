import { type Kysely, sql } from 'kysely';
import { insertMany } from '../../../store/queries/insertMany.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorDb, MirrorTrx } from '../../tables/database.ts';

/** A row as the feed names it. */
interface NamedRow {
  resource: string;
  key: string;
  part: string | null;
}

/**
 * Stores, in the transaction that deletes the oldest part of the feed, the rows that it has announced, and has not
 * announced as gone.
 */
export async function keepAnnounced(
  trx: MirrorTrx,
  connection: string,
  changes: readonly (NamedRow & { op: string })[],
): Promise<void> {
  const last = new Map(changes.map((change) => [nameOf(change), change]));
  const kept = [...last.values()].filter(({ op }) => op !== 'deleted');
  const rows = kept.map(({ resource, key, part }) => ({ connection, resource, key, part: part ?? '' }));
  await insertMany(trx, 'announced_rows', rows, { columns: ['connection', 'resource', 'key', 'part'] });
  for (const { resource, key, part, op } of last.values()) {
    if (op !== 'deleted') continue;
    await trx
      .deleteFrom('announced_rows')
      .where('connection', '=', connection)
      .where('resource', '=', resource)
      .where('key', '=', key)
      .where('part', '=', part ?? '')
      .execute();
  }
}

/** Returns a text that identifies a row of the feed. */
export function nameOf({ resource, key, part }: NamedRow): string {
  return JSON.stringify([resource, key, part ?? '']);
}

const page = prepared((db: Kysely<Mirror>, arg: Required<Place> & { limit: number }) =>
  db
    .selectFrom('announced_rows')
    .select(['resource', 'key', 'part'])
    .where('connection', '=', arg.connection)
    .where(sql<boolean>`(resource, key, part) > (${arg.resource}, ${arg.key}, ${arg.part})`)
    .orderBy('resource')
    .orderBy('key')
    .orderBy('part')
    .limit(arg.limit),
);

interface Place {
  connection: string;
  resource: string;
  key: string;
  part: string;
}

/** Yields rows that only the deleted part of the feed has announced, page by page. */
export async function* announcedRows(
  db: MirrorDb,
  connection: string,
  limit: number,
): AsyncGenerator<readonly NamedRow[]> {
  for (let after: Place | undefined = { connection, resource: '', key: '', part: '' }; after;) {
    const rows: Awaited<ReturnType<typeof page>> = await page(db, { ...after, limit });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    after = last && rows.length === limit ? { connection, ...last } : undefined;
  }
}

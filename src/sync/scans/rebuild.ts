import type { Kysely } from 'kysely';
import { turn } from '../../kernel/clock.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { Mirror, MirrorStore } from '../tables/database.ts';
import { nameOf, announcedRows } from '../privacy/retention/announcedRows.ts';
import { orphans } from './verify/orphans.ts';

const PAGE = 2_000;

/** Returns true if the feed has announced a row, and has not announced that it is gone. */
export type IsAnnounced = (resource: string, key: string, part: string | null) => boolean;

const tellings = prepared((db: Kysely<Mirror>, arg: { connection: string; after: number; limit: number }) =>
  db
    .selectFrom('changes')
    .select(['seq', 'resource', 'key', 'part', 'op'])
    .where('connection', '=', arg.connection)
    .where('seq', '>', arg.after)
    .orderBy('seq')
    .limit(arg.limit),
);

/**
 * Deletes rows that scans would not meet again: dependents of missing rows, and quarantined rows.
 * @returns a test for rows that the feed has announced so far: reading such a row again is no change, even if the
 * mirror has lost it
 */
export async function prepareRebuild(store: MirrorStore, connection: string): Promise<IsAnnounced> {
  for (const { key, paths } of await orphans(store.db, connection)) await removeOrphan(store, connection, key, paths);
  await store.db.deleteFrom('quarantine').where('connection', '=', connection).execute();
  const known = new Map<string, boolean>();
  for (let after: number | undefined = 0; after !== undefined; await turn()) {
    const page: Awaited<ReturnType<typeof tellings>> = await tellings(store.db, { connection, after, limit: PAGE });
    for (const change of page) known.set(nameOf(change), change.op !== 'deleted');
    after = page.length === PAGE ? page.at(-1)?.seq : undefined;
  }
  // Read afterwards, since pruning moves rows from there to here. A later entry of the feed takes precedence.
  for await (const page of announcedRows(store.db, connection, PAGE)) {
    for (const row of page) if (!known.has(nameOf(row))) known.set(nameOf(row), true);
    await turn();
  }
  return (resource, key, part) => known.get(nameOf({ resource, key, part })) === true;
}

/**
 * Deletes dependents of missing rows. The scan of reservations writes nights, guests and sums again for every one that
 * it meets.
 */
async function removeOrphan(
  { db }: MirrorStore,
  connection: string,
  key: string,
  tables: readonly string[],
): Promise<void> {
  for (const table of tables) {
    if (table === 'reservations') {
      await db
        .deleteFrom('reservations')
        .where('connection', '=', connection)
        .where('reservation_code', '=', key)
        .execute();
    } else {
      await db
        .deleteFrom(table as 'guests' | 'stay_nights')
        .where('connection', '=', connection)
        .where('stay_code', '=', key)
        .execute();
    }
  }
}

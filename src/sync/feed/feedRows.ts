import { type Kysely, sql } from 'kysely';
import { prepared } from '../../store/queries/prepared.ts';
import type { Mirror, MirrorDb, MirrorTrx } from '../tables/database.ts';

const head = prepared((db: Kysely<Mirror>, arg: { connection: string }) =>
  db.selectFrom('feed_heads').select('seq').where('connection', '=', arg.connection).forUpdate(),
);

/**
 * Excludes other writers of this connection until this transaction ends, so that the order of commits is the order of
 * the feed. On SQLite every transaction does so anyway.
 */
export async function lockFeed(trx: MirrorTrx, connection: string): Promise<void> {
  const rows = await head(trx, { connection });
  if (rows.length === 0) throw new Error(`connection ${connection} has no feed`);
}

const advance = prepared((db: Kysely<Mirror>, arg: { connection: string; count: number }) =>
  db
    .updateTable('feed_heads')
    .set({ seq: sql`seq + ${arg.count}` })
    .where('connection', '=', arg.connection)
    .returning('seq'),
);

/** Takes `count` places of the feed, the last thing before a commit. @returns the first of them */
export async function takePlaces(trx: MirrorTrx, connection: string, count: number): Promise<number> {
  const [row] = await advance(trx, { connection, count });
  if (!row) throw new Error(`connection ${connection} has no feed`);
  return row.seq - count + 1;
}

/** Lets the feed of a connection begin behind this place; a feed that has begun does not change. */
export async function beginFeed(db: MirrorDb, connection: string, seq: number): Promise<void> {
  await db
    .insertInto('feed_heads')
    .values({ connection, seq })
    .onConflict((conflict) => conflict.column('connection').doNothing())
    .execute();
}

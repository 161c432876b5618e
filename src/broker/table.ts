import type { Kysely } from 'kysely';
import type { Instant } from '../kernel/dates.ts';
import type { Mirror, MirrorDb } from '../sync/tables/database.ts';
import type { BrokerFeedsTable } from './tables.ts';

type Db = Kysely<Mirror>;

export function brokerFeed(db: MirrorDb, connection: string): Promise<BrokerFeedsTable | undefined> {
  return db.selectFrom('broker_feeds').selectAll().where('connection', '=', connection).executeTakeFirst();
}

/** Returns the newest place of the feed; 0 before the first change. */
export async function feedHead(db: MirrorDb, connection: string): Promise<number> {
  const row = await db.selectFrom('feed_heads').select('seq').where('connection', '=', connection).executeTakeFirst();
  return row?.seq ?? 0;
}

/** Lets a feed begin at its first change; one that has begun goes on. */
export async function beginBrokerFeed(db: Db, connection: string): Promise<void> {
  await db
    .insertInto('broker_feeds')
    .values({
      connection,
      cursor: 0,
      published: 0,
      published_at: null,
      failures: 0,
      failing_since: null,
      problem: null,
      claimed_by: null,
      claimed_until: null,
    })
    .onConflict((conflict) => conflict.column('connection').doNothing())
    .execute();
}

/** Drops the claim of an ended process. */
export async function dropClaim(db: Db, connection: string): Promise<void> {
  await db
    .updateTable('broker_feeds')
    .set({ claimed_by: null, claimed_until: null })
    .where('connection', '=', connection)
    .execute();
}

interface Claim {
  connection: string;
  by: string;
  now: Instant;
  until: Instant;
}

/** Takes the feed for a process or keeps it. @returns its state; undefined if another process has it */
export function claimFeed(db: Db, { connection, by, now, until }: Claim): Promise<BrokerFeedsTable | undefined> {
  return db
    .updateTable('broker_feeds')
    .set({ claimed_by: by, claimed_until: until })
    .where('connection', '=', connection)
    .where((eb) => eb.or([eb('claimed_by', 'is', null), eb('claimed_by', '=', by), eb('claimed_until', '<', now)]))
    .returningAll()
    .executeTakeFirst();
}

/** Records how an attempt went, unless another process has taken the feed over. */
export async function noteFeed(
  db: Db,
  { connection, by }: Pick<Claim, 'connection' | 'by'>,
  changes: Partial<BrokerFeedsTable>,
): Promise<void> {
  await db
    .updateTable('broker_feeds')
    .set(changes)
    .where('connection', '=', connection)
    .where('claimed_by', '=', by)
    .execute();
}

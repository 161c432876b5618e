import type { AccountRow, CoreDb, CoreTransaction, PropertyRow } from '../../core/database.ts';
import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { inList } from '../../store/queries/inList.ts';
import type { FeedEntryRow, FeedRow } from './rows.ts';

type Db = CoreDb | CoreTransaction;
type FeedKey = Pick<FeedRow, 'account_id' | 'id'>;

/** Returns the feeds of an account, by property and name; of the named properties only, if any are named. */
export function feedsOf(
  db: Db,
  asked: { accountId: AccountId; properties?: readonly number[] | null },
): Promise<FeedRow[]> {
  const { properties } = asked;
  let rows = db.selectFrom('feeds').where('account_id', '=', asked.accountId).selectAll();
  if (properties) rows = rows.where((where) => inList(where.ref('property_id'), properties));
  return rows.orderBy('property_id').orderBy('name').orderBy('id').execute();
}

export function feedById(db: Db, { account_id, id }: FeedKey): Promise<FeedRow | undefined> {
  return db
    .selectFrom('feeds')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

/** Returns a feed, locked until the transaction ends. */
export function lockFeed(trx: CoreTransaction, { account_id, id }: FeedKey): Promise<FeedRow | undefined> {
  return trx
    .selectFrom('feeds')
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

export function feedByHash(db: Db, hash: string): Promise<FeedRow | undefined> {
  return db.selectFrom('feeds').where('token_hash', '=', hash).selectAll().executeTakeFirst();
}

/** Returns feeds of active properties that are to be read, the one that waits longest first. */
export function dueFeeds(db: Db, now: number, limit: number): Promise<FeedRow[]> {
  return readFeeds(db)
    .where('next_read_at', '<=', now)
    .selectAll('feeds')
    .orderBy('next_read_at')
    .limit(limit)
    .execute();
}

/** An inactive property is not let: nothing of it is read until it is active again, and then at once. */
function readFeeds(db: Db) {
  return db
    .selectFrom('feeds')
    .innerJoin('properties', (join) =>
      join.onRef('properties.account_id', '=', 'feeds.account_id').onRef('properties.id', '=', 'feeds.property_id'),
    )
    .where('properties.status', '=', 'active')
    .where('feeds.next_read_at', 'is not', null);
}

/** Returns the moment of the next read of any feed; undefined if none is read. */
export async function nextRead(db: Db): Promise<number | undefined> {
  const row = await readFeeds(db).select('next_read_at').orderBy('next_read_at').limit(1).executeTakeFirst();
  return row?.next_read_at ?? undefined;
}

/**
 * Claims a due feed until `until`, so that no other process reads it meanwhile. @returns false if another one has it
 */
export async function claimFeed(
  db: Db,
  { account_id, id, next_read_at }: Pick<FeedRow, 'account_id' | 'id' | 'next_read_at'>,
  until: number,
): Promise<boolean> {
  const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await db
    .updateTable('feeds')
    .set({ next_read_at: until })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('next_read_at', '=', next_read_at)
    .execute();
  return numUpdatedRows > 0n;
}

export async function addFeed(trx: CoreTransaction, row: FeedRow): Promise<void> {
  await trx.insertInto('feeds').values(row).execute();
}

export async function writeFeed(db: Db, { account_id, id }: FeedKey, columns: Partial<FeedRow>): Promise<void> {
  await db.updateTable('feeds').set(columns).where('account_id', '=', account_id).where('id', '=', id).execute();
}

export async function removeFeed(trx: CoreTransaction, { account_id, id }: FeedKey): Promise<void> {
  await trx.deleteFrom('feed_entries').where('account_id', '=', account_id).where('feed_id', '=', id).execute();
  await trx.deleteFrom('feeds').where('account_id', '=', account_id).where('id', '=', id).execute();
}

export function entriesOf(db: Db, { account_id, id }: FeedKey): Promise<FeedEntryRow[]> {
  return db
    .selectFrom('feed_entries')
    .where('account_id', '=', account_id)
    .where('feed_id', '=', id)
    .selectAll()
    .orderBy('start_date')
    .orderBy('entry')
    .execute();
}

/** Puts the entries of a feed in the place of all earlier ones. */
export async function replaceEntries(
  trx: CoreTransaction,
  { account_id, id }: FeedKey,
  rows: readonly FeedEntryRow[],
): Promise<void> {
  await trx.deleteFrom('feed_entries').where('account_id', '=', account_id).where('feed_id', '=', id).execute();
  await insertMany(trx, 'feed_entries', rows);
}

/** Returns the entries of an account that may be sold twice, and that nobody has looked at. */
export function clashesOf(
  db: Db,
  accountId: AccountId,
): Promise<Pick<FeedEntryRow, 'feed_id' | 'start_date' | 'end_date'>[]> {
  return db
    .selectFrom('feed_entries')
    .where('account_id', '=', accountId)
    .where('clash', '=', 1)
    .select(['feed_id', 'start_date', 'end_date'])
    .execute();
}

/** Notes that somebody has looked at an entry that clashed. @returns false if there is none */
export async function settleClash(
  trx: CoreTransaction,
  feed: FeedKey,
  { entry, echo }: Pick<FeedEntryRow, 'entry' | 'echo'>,
): Promise<boolean> {
  const [{ numUpdatedRows } = { numUpdatedRows: 0n }] = await trx
    .updateTable('feed_entries')
    .set({ clash: 0, echo })
    .where('account_id', '=', feed.account_id)
    .where('feed_id', '=', feed.id)
    .where('entry', '=', entry)
    .where('clash', '=', 1)
    .execute();
  return numUpdatedRows > 0n;
}

interface Window {
  accountId: AccountId;
  propertyId: number;
  from: PlainDate;
  to: PlainDate;
}

/** Returns the stays that hold nights of a property in a window, both dates included, by check-in. */
export function staysHolding(db: Db, { accountId, propertyId, from, to }: Window) {
  return db
    .selectFrom('stays')
    .where('account_id', '=', accountId)
    .where('id', 'in', (select) =>
      select
        .selectFrom('nights')
        .where('account_id', '=', accountId)
        .where('property_id', '=', propertyId)
        .where('night', '>=', from)
        .where('night', '<=', to)
        .select('stay_id'),
    )
    .select(['id', 'stay_code', 'reservation_code', 'check_in_date', 'check_out_date', 'number_of_guests', 'lock_code'])
    .orderBy('check_in_date')
    .execute();
}

/** Returns the stays of reservations that stand for entries of a feed. */
export function staysOfFeed(db: Db, { account_id, id }: FeedKey) {
  return db
    .selectFrom('feed_entries')
    .innerJoin('stays', (join) =>
      join
        .onRef('stays.account_id', '=', 'feed_entries.account_id')
        .onRef('stays.reservation_code', '=', 'feed_entries.reservation_code'),
    )
    .where('feed_entries.account_id', '=', account_id)
    .where('feed_entries.feed_id', '=', id)
    .select(['feed_entries.entry', 'stays.id', 'stays.stay_code', 'stays.property_id', 'stays.status'])
    .execute();
}

/** Returns the entries whose reservation holds its nights no longer, since it was cancelled here. */
export function releasedEntries(db: Db, { account_id, id }: FeedKey): Promise<{ entry: number }[]> {
  return db
    .selectFrom('feed_entries')
    .where('account_id', '=', account_id)
    .where('feed_id', '=', id)
    .where('reservation_code', 'is not', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('stays')
            .whereRef('stays.account_id', '=', 'feed_entries.account_id')
            .whereRef('stays.reservation_code', '=', 'feed_entries.reservation_code')
            .where('stays.status', '=', 'accepted')
            .select('stays.id'),
        ),
      ),
    )
    .select('entry')
    .execute();
}

/** Returns the entries of other feeds of a property that close its nights. */
export function closingEntries(
  db: Db,
  { account_id, id, property_id }: FeedKey & Pick<FeedRow, 'property_id'>,
): Promise<FeedEntryRow[]> {
  return db
    .selectFrom('feed_entries')
    .where('account_id', '=', account_id)
    .where('feed_id', 'in', (select) =>
      select
        .selectFrom('feeds')
        .where('account_id', '=', account_id)
        .where('property_id', '=', property_id)
        .where('id', '<>', id)
        .select('id'),
    )
    .where('echo', '=', 0)
    .where('reservation_code', 'is', null)
    .selectAll()
    .orderBy('feed_id')
    .orderBy('entry')
    .execute();
}

/** Returns the nights of a property that are blocked by hand, both dates included. */
export async function handBlocks(db: Db, { accountId, propertyId, from, to }: Window): Promise<PlainDate[]> {
  const rows = await db
    .selectFrom('blocks')
    .where('account_id', '=', accountId)
    .where('property_id', '=', propertyId)
    .where('unlisted', '=', 0)
    .where('night', '>=', from)
    .where('night', '<=', to)
    .select('night')
    .orderBy('night')
    .execute();
  return rows.map((row) => row.night);
}

/** Returns who booked stays. */
export function bookersOf(db: Db, accountId: AccountId, stayIds: readonly number[]) {
  return db
    .selectFrom('guests')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('stay_id'), stayIds))
    .where('is_booker', '=', 1)
    .select(['stay_id', 'name', 'phone'])
    .execute();
}

/** Returns the account and the property of a feed. */
export async function accountAndProperty(
  db: Db,
  { account_id, property_id }: Pick<FeedRow, 'account_id' | 'property_id'>,
): Promise<{ account: AccountRow; property: PropertyRow }> {
  const account = await db
    .selectFrom('accounts')
    .where('account_id', '=', account_id)
    .selectAll()
    .executeTakeFirstOrThrow();
  const property = await db
    .selectFrom('properties')
    .where('account_id', '=', account_id)
    .where('id', '=', property_id)
    .selectAll()
    .executeTakeFirstOrThrow();
  return { account, property };
}

/** Returns the sealed addresses and tokens of all feeds of every account. */
export function allSecrets(trx: CoreTransaction): Promise<Pick<FeedRow, 'account_id' | 'id' | 'url' | 'token'>[]> {
  return trx.selectFrom('feeds').select(['account_id', 'id', 'url', 'token']).orderBy('id').execute();
}

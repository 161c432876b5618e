import { BOOKING_SITE } from '../../contract/channelAccounts.ts';
import type { AuthStatus } from '../../contract/channelAccounts.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { ChannelAccountRow, CoreDb, CoreTransaction, ListingRow } from '../database.ts';

interface Page extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
}

/**
 * Returns one page, newest first, without the direct booking site. A sub-account sees the accounts that list its
 * properties.
 */
export async function channelAccountPage(
  db: CoreDb,
  question: Page & { id?: number | undefined; channelType?: string | undefined },
): Promise<{ rows: ChannelAccountRow[]; total: number }> {
  let matching = db
    .selectFrom('channel_accounts as account')
    .where('account.account_id', '=', question.accountId)
    .where('account.channel_type', '<>', BOOKING_SITE);
  if (question.id !== undefined) matching = matching.where('account.id', '=', question.id);
  if (question.channelType !== undefined) matching = matching.where('account.channel_type', '=', question.channelType);
  const { visible } = question;
  if (visible !== null) {
    matching = matching.where((where) =>
      where.exists(
        where
          .selectFrom('listings')
          .whereRef('listings.account_id', '=', 'account.account_id')
          .whereRef('listings.channel_account_id', '=', 'account.id')
          .where((inner) => inList(inner.ref('listings.property_id'), visible))
          .select('listings.id'),
      ),
    );
  }
  const total = question.total ?? (await countRows(matching));
  const left = question.before === undefined ? matching : matching.where('account.id', '<', question.before);
  const rows = await left
    .selectAll('account')
    .orderBy('account.id', 'desc')
    .limit(question.limit)
    .offset(question.offset)
    .execute();
  return { rows, total };
}

export type ShownListing = ListingRow & { origin_account_id: string };

/** Returns one page, newest first, and the number of all matches. */
export async function listingPage(
  db: CoreDb,
  question: Page & {
    channelAccountId?: number | undefined;
    listingId?: string | undefined;
    channelType?: string | undefined;
  },
): Promise<{ rows: ShownListing[]; total: number }> {
  let matching = db.selectFrom('listings').where('listings.account_id', '=', question.accountId);
  const { visible, channelAccountId, listingId, channelType } = question;
  if (channelAccountId !== undefined) matching = matching.where('listings.channel_account_id', '=', channelAccountId);
  if (listingId !== undefined) matching = matching.where('listings.listing_id', '=', listingId);
  if (channelType !== undefined) matching = matching.where('listings.channel_type', '=', channelType);
  if (visible !== null) matching = matching.where((where) => inList(where.ref('listings.property_id'), visible));
  const total = question.total ?? (await countRows(matching));
  const left = question.before === undefined ? matching : matching.where('listings.id', '<', question.before);
  const rows = await left
    .innerJoin('channel_accounts', (join) =>
      join
        .onRef('channel_accounts.account_id', '=', 'listings.account_id')
        .onRef('channel_accounts.id', '=', 'listings.channel_account_id'),
    )
    .selectAll('listings')
    .select('channel_accounts.origin_account_id')
    .orderBy('listings.id', 'desc')
    .limit(question.limit)
    .offset(question.offset)
    .execute();
  return { rows, total };
}

/** A listing with the fields that decide whether and when its channel can be asked. */
export type ReachableListing = ListingRow & { auth_status: AuthStatus; time_zone: string };

/** Returns listings with these names, whoever owns them. A name is unique within a channel and an account. */
export function listingsNamed(db: CoreDb | CoreTransaction, names: readonly string[]): Promise<ReachableListing[]> {
  return byNames(db, { names });
}

const byNames = prepared((db: CoreDb | CoreTransaction, arg: { names: readonly string[] }) =>
  reachable(db).where((where) => inList(where.ref('listings.listing_id'), arg.names)),
);

/** Returns true if the account has a listing on a channel, in any state. */
export async function isListedOn(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  channelType: string,
): Promise<boolean> {
  const listing = await db
    .selectFrom('listings')
    .where('account_id', '=', accountId)
    .where('channel_type', '=', channelType)
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return listing !== undefined;
}

export function listingById(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  id: number,
): Promise<ReachableListing | undefined> {
  return reachable(db).where('listings.account_id', '=', accountId).where('listings.id', '=', id).executeTakeFirst();
}

function reachable(db: CoreDb | CoreTransaction) {
  return db
    .selectFrom('listings')
    .innerJoin('channel_accounts', (join) =>
      join
        .onRef('channel_accounts.account_id', '=', 'listings.account_id')
        .onRef('channel_accounts.id', '=', 'listings.channel_account_id'),
    )
    .innerJoin('properties', (join) =>
      join
        .onRef('properties.account_id', '=', 'listings.account_id')
        .onRef('properties.id', '=', 'listings.property_id'),
    )
    .selectAll('listings')
    .select(['channel_accounts.auth_status', 'properties.time_zone']);
}

/** Returns listings of these properties that their channels still have, by rising id. */
export function listingsOf(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  propertyIds: readonly number[],
): Promise<ListingRow[]> {
  return ofProperties(db, { accountId, propertyIds });
}

const ofProperties = prepared(
  (db: CoreDb | CoreTransaction, arg: { accountId: AccountId; propertyIds: readonly number[] }) =>
    db
      .selectFrom('listings')
      .where('account_id', '=', arg.accountId)
      .where((where) => inList(where.ref('property_id'), arg.propertyIds))
      .where('shelf_status', '<>', 'deleted')
      .selectAll()
      .orderBy('id'),
);

export function listingsOfChannelAccount(
  trx: CoreTransaction,
  accountId: AccountId,
  channelAccountId: number,
): Promise<ListingRow[]> {
  return trx
    .selectFrom('listings')
    .where('account_id', '=', accountId)
    .where('channel_account_id', '=', channelAccountId)
    .selectAll()
    .orderBy('id')
    .execute();
}

export function lockChannelAccount(
  trx: CoreTransaction,
  accountId: AccountId,
  id: number,
): Promise<ChannelAccountRow | undefined> {
  return trx
    .selectFrom('channel_accounts')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

export async function addChannelAccount(trx: CoreTransaction, row: ChannelAccountRow): Promise<void> {
  await trx.insertInto('channel_accounts').values(row).execute();
}

export async function changeChannelAccount(
  trx: CoreTransaction,
  row: Pick<ChannelAccountRow, 'account_id' | 'id'>,
  columns: Partial<ChannelAccountRow>,
): Promise<void> {
  await trx
    .updateTable('channel_accounts')
    .set(columns)
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
}

export async function addListing(trx: CoreTransaction, row: ListingRow): Promise<void> {
  await trx.insertInto('listings').values(row).execute();
}

export async function changeListing(
  trx: CoreTransaction,
  row: Pick<ListingRow, 'account_id' | 'id'>,
  columns: Partial<ListingRow>,
): Promise<void> {
  await trx
    .updateTable('listings')
    .set(columns)
    .where('account_id', '=', row.account_id)
    .where('id', '=', row.id)
    .execute();
}

import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { CoreDb, CoreTransaction } from '../../core/database.ts';
import type { SandboxDayRow, SandboxListingRow, SandboxRequestRow } from './rows.ts';

interface Place {
  account_id: AccountId;
  id: number;
}

/** Returns the listings of the marketplace. */
export function shownListings(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  ids: readonly number[],
): Promise<SandboxListingRow[]> {
  return listingRows(db, { accountId, ids });
}

const listingRows = prepared((db: CoreDb | CoreTransaction, arg: { accountId: AccountId; ids: readonly number[] }) =>
  db
    .selectFrom('sandbox_listings')
    .where('account_id', '=', arg.accountId)
    .where((where) => inList(where.ref('listing'), arg.ids))
    .selectAll(),
);

/** Returns one listing, locked until the transaction ends. */
export function lockShown(trx: CoreTransaction, { account_id, id }: Place): Promise<SandboxListingRow | undefined> {
  return trx
    .selectFrom('sandbox_listings')
    .where('account_id', '=', account_id)
    .where('listing', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

export async function addShown(trx: CoreTransaction, row: SandboxListingRow): Promise<void> {
  await trx.insertInto('sandbox_listings').values(row).execute();
}

export async function changeShown(
  trx: CoreTransaction,
  { account_id, id }: Place,
  columns: Partial<SandboxListingRow>,
): Promise<void> {
  await trx
    .updateTable('sandbox_listings')
    .set(columns)
    .where('account_id', '=', account_id)
    .where('listing', '=', id)
    .execute();
}

/** Returns days that differ from the settings. */
export function shownDays(
  db: CoreDb | CoreTransaction,
  accountId: AccountId,
  ids: readonly number[],
  { start_date, end_date }: Dates,
): Promise<SandboxDayRow[]> {
  return dayRows(db, { accountId, ids, start_date, end_date });
}

interface Dates {
  start_date: PlainDate;
  end_date: PlainDate;
}

const dayRows = prepared(
  (db: CoreDb | CoreTransaction, arg: { accountId: AccountId; ids: readonly number[] } & Dates) =>
    db
      .selectFrom('sandbox_days')
      .where('account_id', '=', arg.accountId)
      .where((where) => inList(where.ref('listing'), arg.ids))
      .where('date', '>=', arg.start_date)
      .where('date', '<=', arg.end_date)
      .selectAll(),
);

/** Writes one column of days. The others stay unchanged. */
export async function writeDays(
  trx: CoreTransaction,
  rows: readonly SandboxDayRow[],
  column: 'price' | 'inventory' | 'restrictions',
): Promise<void> {
  await insertMany(trx, 'sandbox_days', rows, { columns: ['account_id', 'listing', 'date'], update: [column] });
}

type RequestKey = Pick<SandboxRequestRow, 'account_id' | 'channel_type' | 'channel_id'>;

/** Returns a request to book, locked until the transaction ends, and stores it if it is unknown. */
export async function lockRequest(
  trx: CoreTransaction,
  { account_id, channel_type, channel_id }: RequestKey,
): Promise<SandboxRequestRow> {
  const row = { account_id, channel_type, channel_id, answer: null, answered_at: null, next_outcome: null };
  await insertMany(trx, 'sandbox_requests', [row], { columns: ['account_id', 'channel_type', 'channel_id'] });
  return trx
    .selectFrom('sandbox_requests')
    .where('account_id', '=', account_id)
    .where('channel_type', '=', channel_type)
    .where('channel_id', '=', channel_id)
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function changeRequest(
  trx: CoreTransaction,
  { account_id, channel_type, channel_id }: RequestKey,
  columns: Pick<Partial<SandboxRequestRow>, 'answer' | 'answered_at' | 'next_outcome'>,
): Promise<void> {
  await trx
    .updateTable('sandbox_requests')
    .set(columns)
    .where('account_id', '=', account_id)
    .where('channel_type', '=', channel_type)
    .where('channel_id', '=', channel_id)
    .execute();
}

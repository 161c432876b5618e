import type { PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { inList } from '../../store/queries/inList.ts';
import type { AccountRow, CoreDb, CoreTransaction } from '../database.ts';
import type { StaffLinkRow } from '../workTables.ts';

/** Puts the link of a member of staff in the place of an earlier one, which ends by that. */
export async function saveLink(trx: CoreTransaction, row: StaffLinkRow): Promise<void> {
  await dropLink(trx, row);
  await trx.insertInto('staff_links').values(row).execute();
}

/** @returns true if there was one */
export async function dropLink(
  trx: CoreTransaction,
  { account_id, staff_id }: Pick<StaffLinkRow, 'account_id' | 'staff_id'>,
): Promise<boolean> {
  const [{ numDeletedRows } = { numDeletedRows: 0n }] = await trx
    .deleteFrom('staff_links')
    .where('account_id', '=', account_id)
    .where('staff_id', '=', staff_id)
    .execute();
  return numDeletedRows > 0n;
}

export function linksOf(db: CoreDb, accountId: AccountId): Promise<Pick<StaffLinkRow, 'staff_id' | 'created_at'>[]> {
  return db
    .selectFrom('staff_links')
    .where('account_id', '=', accountId)
    .select(['staff_id', 'created_at'])
    .orderBy('staff_id')
    .execute();
}

/** Returns who opens a link, as long as they work there. */
export function linkByHash(db: CoreDb, hash: string) {
  return db
    .selectFrom('staff_links')
    .innerJoin('staffs', (join) =>
      join.onRef('staffs.account_id', '=', 'staff_links.account_id').onRef('staffs.id', '=', 'staff_links.staff_id'),
    )
    .where('staff_links.token_hash', '=', hash)
    .where('staffs.deleted_at', 'is', null)
    .where('staffs.is_active', '=', 1)
    .select(['staff_links.account_id', 'staffs.id as staff_id', 'staffs.name'])
    .executeTakeFirst();
}

export function accountOfLink(db: CoreDb, accountId: AccountId): Promise<AccountRow> {
  return db.selectFrom('accounts').where('account_id', '=', accountId).selectAll().executeTakeFirstOrThrow();
}

/** Returns the hours from which guests come to properties, and until which they leave. */
export function timesOf(db: CoreDb, accountId: AccountId, properties: readonly number[]) {
  return db
    .selectFrom('properties')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), properties))
    .select(['id', 'check_in_time', 'check_out_time'])
    .execute();
}

/** Returns when accepted stays come to properties and leave them, and how many people they are. Nobody's name. */
export function movesOf(
  db: CoreDb,
  asked: { accountId: AccountId; properties: readonly number[]; from: PlainDate; to: PlainDate },
) {
  return db
    .selectFrom('stays')
    .where('account_id', '=', asked.accountId)
    .where((where) => inList(where.ref('property_id'), asked.properties))
    .where('status', '=', 'accepted')
    .where('check_out_date', '>=', asked.from)
    .where('check_in_date', '<=', asked.to)
    .select(['property_id', 'check_in_date', 'check_out_date', 'number_of_guests'])
    .orderBy('check_in_date')
    .execute();
}

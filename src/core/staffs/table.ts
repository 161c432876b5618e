import { inList } from '../../store/queries/inList.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { countRows, type Range } from '../../store/queries/paging.ts';
import { nextIds } from '../../store/leases/sequences.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Instant } from '../../kernel/dates.ts';
import { type CoreDb, type CoreTransaction, type Flag, flag } from '../database.ts';
import type { StaffRow } from '../workTables.ts';

interface StaffQuestion extends Range {
  accountId: AccountId;
  visible: readonly number[] | null;
  id?: number | undefined;
  isActive?: boolean | undefined;
}

/** Returns one page, newest first, and the number of all matches. */
export async function staffPage(
  db: CoreDb,
  question: StaffQuestion,
): Promise<{ rows: StaffRow[]; keys: number[]; total: number }> {
  let matching = db
    .selectFrom('staffs')
    .where('staffs.account_id', '=', question.accountId)
    .where('staffs.deleted_at', 'is', null);
  if (question.id !== undefined) matching = matching.where('staffs.id', '=', question.id);
  if (question.isActive !== undefined) matching = matching.where('staffs.is_active', '=', flag(question.isActive));
  const { visible } = question;
  if (visible !== null) {
    matching = matching.where((where) =>
      where.or([
        where('staffs.everywhere', '=', 1),
        where.exists(
          where
            .selectFrom('staff_properties as place')
            .whereRef('place.account_id', '=', 'staffs.account_id')
            .whereRef('place.staff_id', '=', 'staffs.id')
            .where((where) => inList(where.ref('place.property_id'), visible))
            .select('place.property_id'),
        ),
      ]),
    );
  }
  const total = question.total ?? (await countRows(matching));
  const left = question.before === undefined ? matching : matching.where('staffs.id', '<', question.before);
  const page = await left
    .select('staffs.id')
    .orderBy('staffs.id', 'desc')
    .limit(question.limit)
    .offset(question.offset)
    .execute();
  const ids = page.map((row) => row.id);
  return { rows: ids.length === 0 ? [] : await staffsByIds(db, question.accountId, ids), keys: ids, total };
}

function staffsByIds(db: CoreDb, accountId: AccountId, ids: readonly number[]): Promise<StaffRow[]> {
  return db
    .selectFrom('staffs')
    .where('account_id', '=', accountId)
    .where((where) => inList(where.ref('id'), ids))
    .selectAll()
    .orderBy('id', 'desc')
    .execute();
}

/** Returns a member of staff by number, whoever employs them, locked until the transaction ends. */
export function lockStaff(trx: CoreTransaction, id: number): Promise<StaffRow | undefined> {
  return trx
    .selectFrom('staffs')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

export async function placesOf(trx: CoreTransaction, staff: Pick<StaffRow, 'account_id' | 'id'>): Promise<number[]> {
  const rows = await trx
    .selectFrom('staff_properties')
    .where('account_id', '=', staff.account_id)
    .where('staff_id', '=', staff.id)
    .select('property_id')
    .orderBy('property_id')
    .execute();
  return rows.map((row) => row.property_id);
}

type StaffDraft = Pick<StaffRow, 'account_id' | 'name' | 'mobile' | 'email' | 'note'>;

export async function addStaff(trx: CoreTransaction, draft: StaffDraft, at: Instant): Promise<number> {
  const id = await nextIds(trx, 'staffs');
  const row = { ...draft, id, is_active: 1 as Flag, everywhere: 1 as Flag, created_at: at, deleted_at: null };
  await trx.insertInto('staffs').values(row).execute();
  return id;
}

export async function changeStaff(
  trx: CoreTransaction,
  staff: Pick<StaffRow, 'account_id' | 'id'>,
  columns: Partial<StaffRow>,
): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await trx
    .updateTable('staffs')
    .set(columns)
    .where('account_id', '=', staff.account_id)
    .where('id', '=', staff.id)
    .execute();
}

/** Sets the properties where a member of staff works; null: everywhere. */
export async function setPlaces(
  trx: CoreTransaction,
  staff: Pick<StaffRow, 'account_id' | 'id'>,
  propertyIds: readonly number[] | null,
): Promise<void> {
  const { account_id, id } = staff;
  await trx.deleteFrom('staff_properties').where('account_id', '=', account_id).where('staff_id', '=', id).execute();
  await changeStaff(trx, staff, { everywhere: flag(propertyIds === null) });
  const rows = [...new Set(propertyIds)].map((property_id) => ({ account_id, staff_id: id, property_id }));
  await insertMany(trx, 'staff_properties', rows);
}

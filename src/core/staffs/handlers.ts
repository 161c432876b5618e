import type { z } from 'zod';
import { texts } from '../../contract/errors.ts';
import type { staff } from '../../contract/staffs.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Change, Handler, Principal } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { flag } from '../database.ts';
import { requireProperty } from '../ownership.ts';
import { changedColumns } from '../reservations/changedColumns.ts';
import { leaveTasks } from '../tasks/work.ts';
import type { StaffRow } from '../workTables.ts';
import { requireStaff } from './require.ts';
import { addStaff, changeStaff, placesOf, setPlaces, staffPage } from './table.ts';

export const listStaffs: Handler<'listStaffs'> = async (input, context) => {
  const { db, account, visible } = context;
  const { id, is_active: isActive } = input;
  const page = pageOf('listStaffs', 'number', input, context);
  const found = await staffPage(db, { accountId: account.account_id, visible, id, isActive, ...page.range });
  const { rows, next } = closePage(page, found, (row) => row.id);
  return { staffs: rows.map(presentStaff), total: found.total, ...next };
};

export const createStaff: Handler<'createStaff'> = (input, context) =>
  context.change(async (change) => {
    const { account_id } = change.account;
    const places = await requirePlaces(change, context, input.property_ids);
    const { name, mobile } = input;
    const draft = { account_id, name, mobile, email: input.email || null, note: input.note ?? '' };
    const id = await addStaff(change.trx, draft, instantOf(change.now));
    if (places !== null) await setPlaces(change.trx, { account_id, id }, places);
    change.audit('createStaff', String(id));
    return { staff_id: id };
  });

export const updateStaff: Handler<'updateStaff'> = async (input, context) => {
  await context.change(async (change) => {
    const row = await requireStaff(change, context, input.id, 'id');
    await requireOwn(change, context, row);
    const columns = changedColumns(row, {
      name: input.name,
      mobile: input.mobile,
      email: input.email === undefined ? undefined : input.email || null,
      note: input.note,
      is_active: input.is_active === undefined ? undefined : flag(Boolean(input.is_active)),
    });
    await changeStaff(change.trx, row, columns);
    if (input.property_ids !== undefined) {
      await setPlaces(change.trx, row, await requirePlaces(change, context, input.property_ids));
    }
    change.audit('updateStaff', String(row.id));
  });
};

export const deleteStaff: Handler<'deleteStaff'> = async (input, context) => {
  await context.change(async (change) => {
    const row = await requireStaff(change, context, input.id, 'id');
    await requireOwn(change, context, row);
    await leaveTasks(change, row.id);
    // The row remains for the name on completed tasks.
    await changeStaff(change.trx, row, { deleted_at: instantOf(change.now) });
    change.audit('deleteStaff', String(row.id));
  });
};

/**
 * Returns the properties where a member of staff works. A sub-account can name only its own properties, and names all
 * of them by default.
 */
async function requirePlaces(
  { trx, account }: Change,
  principal: Principal,
  propertyIds: readonly number[] | undefined,
): Promise<readonly number[] | null> {
  if (propertyIds === undefined) return principal.visible;
  for (const id of new Set(propertyIds)) await requireProperty(trx, account, principal, id);
  return propertyIds;
}

/** Refuses a sub-account for staff who also work elsewhere. */
async function requireOwn({ trx }: Change, { visible }: Principal, row: StaffRow): Promise<void> {
  if (visible === null) return;
  const isOwn = row.everywhere === 0 && (await placesOf(trx, row)).every((id) => visible.includes(id));
  if (!isOwn) throw new ApiError(401, texts.readOnlyToken);
}

function presentStaff(row: StaffRow): z.output<typeof staff> {
  const { id, name, mobile, email, note } = row;
  return { id, name, mobile, email, note, is_active: row.is_active === 1 };
}

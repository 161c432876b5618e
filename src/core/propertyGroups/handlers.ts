import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { lockAccount } from '../accounts/lock.ts';
import type { Change, Handler, Principal } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import type { PropertyGroupRow } from '../database.ts';
import { addMembers, dropMembers, groupProperties, membersOf, replacement, shownAmong } from '../members.ts';
import { notAuthorized, refuseForeign, requireProperties } from '../ownership.ts';
import { addGroup, groupById, groupNamed, groupPage, removeGroup, renameGroup } from './table.ts';

export const listPropertyGroups: Handler<'listPropertyGroups'> = async (input, context) => {
  const { db, account, visible } = context;
  const accountId = account.account_id;
  const page = pageOf('listPropertyGroups', 'number', input, context);
  const found = await groupPage(db, { ...input, ...page.range, accountId, visible });
  const { rows, next } = closePage(page, found, (row) => row.id);
  const members = await membersOf(
    db,
    groupProperties,
    accountId,
    rows.map((row) => row.id),
  );
  const groups = rows.map(({ id, name }) => ({ id, name, property_ids: shownAmong(members.get(id) ?? [], visible) }));
  return { groups, total: found.total, ...next };
};

export const createPropertyGroup: Handler<'createPropertyGroup'> = (input, context) =>
  context.change(async (change) => {
    const { trx, account, now } = change;
    const accountId = account.account_id;
    const property_ids = await requireProperties(trx, account, context, input.property_ids ?? []);
    await lockAccount(trx, accountId);
    await requireFreeName(change, input.name);
    const id = await addGroup(trx, accountId, input.name, instantOf(now));
    await addMembers(trx, groupProperties, { accountId, owner: id }, property_ids);
    change.audit('createPropertyGroup', String(id));
    const group = { id, name: input.name, property_ids: property_ids.toSorted((a, b) => a - b) };
    return { group, ...group };
  });

export const updatePropertyGroup: Handler<'updatePropertyGroup'> = async (input, context) => {
  await context.change(async (change) => {
    const { trx, account } = change;
    const { row, members } = await requireGroup(change, context, input.id);
    const given = input.property_ids && (await requireProperties(trx, account, context, input.property_ids));
    if (input.name !== undefined && input.name !== row.name) {
      requireWhole(members, context);
      await requireFreeName(change, input.name, row.id);
      await renameGroup(trx, row, input.name);
    }
    if (given) {
      const owner = { accountId: account.account_id, owner: row.id };
      const { added, removed } = replacement(members, given, context.visible);
      await dropMembers(trx, groupProperties, owner, removed);
      await addMembers(trx, groupProperties, owner, added);
    }
    change.audit('updatePropertyGroup', String(row.id));
  });
};

export const deletePropertyGroup: Handler<'deletePropertyGroup'> = async (input, context) => {
  await context.change(async (change) => {
    const { row, members } = await requireGroup(change, context, input.id);
    requireWhole(members, context);
    await dropMembers(change.trx, groupProperties, { accountId: row.account_id, owner: row.id });
    await removeGroup(change.trx, row);
    change.audit('deletePropertyGroup', String(row.id));
  });
};

/**
 * Returns the group with this number and all its properties, locked until the change ends. @throws ApiError 403 or 404
 */
async function requireGroup(
  { trx, account }: Change,
  { visible }: Principal,
  id: number,
): Promise<{ row: PropertyGroupRow; members: readonly number[] }> {
  await lockAccount(trx, account.account_id);
  const found = await groupById(trx, id);
  refuseForeign(found, account, 'id');
  const question = { accountId: account.account_id, visible, id, offset: 0, limit: 1 };
  const [row] = (await groupPage(trx, question)).rows;
  if (!row) throw new ApiError(404, 'id not found.', { field: 'id' });
  return { row, members: (await membersOf(trx, groupProperties, row.account_id, [id])).get(id) ?? [] };
}

/** Refuses a sub-account that would rename or delete a group with properties that it does not see. */
function requireWhole(members: readonly number[], { visible }: Principal): void {
  if (shownAmong(members, visible).length < members.length) throw notAuthorized();
}

async function requireFreeName({ trx, account }: Change, name: string, own?: number): Promise<void> {
  const holder = await groupNamed(trx, account.account_id, name);
  if (holder && holder.id !== own) throw new ApiError(409, 'A group with this name exists.', { field: 'name' });
}

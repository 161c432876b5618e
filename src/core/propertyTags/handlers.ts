import { MOST_TAGS } from '../../contract/propertyTags.ts';
import { instantOf } from '../../kernel/dates.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import { mayGo } from '../../kernel/transitions.ts';
import { lockAccount } from '../accounts/lock.ts';
import type { Change, Handler, Principal } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import type { PropertyTagRow } from '../database.ts';
import {
  addMembers,
  dropMembers,
  type MemberList,
  membersOf,
  replacement,
  shownAmong,
  tagProperties,
  tagRoomTypes,
} from '../members.ts';
import { notAuthorized, refuseForeign, requireProperties } from '../ownership.ts';
import { requireRoomTypes, shownRoomTypes } from '../roomTypes/require.ts';
import { assignColor } from '../tagColors.ts';
import { tagLife, tagState } from '../tagStates.ts';
import { addTag, changeTag, tagById, tagColors, tagNamed, tagPage } from './table.ts';

export const listPropertyTags: Handler<'listPropertyTags'> = async (input, context) => {
  const { db, account, visible } = context;
  const accountId = account.account_id;
  const page = pageOf('listPropertyTags', 'number', input, context);
  const found = await tagPage(db, { ...input, ...page.range, accountId, visible });
  const { rows, next } = closePage(page, found, (row) => row.id);
  const ids = rows.map((row) => row.id);
  const properties = await membersOf(db, tagProperties, accountId, ids);
  const roomTypes = await membersOf(db, tagRoomTypes, accountId, ids);
  const shown = await shownRoomTypes(db, context, [...roomTypes.values()].flat());
  const tags = rows.map(({ id, name, color }) => ({
    id,
    name,
    color,
    property_ids: shownAmong(properties.get(id) ?? [], visible),
    room_type_ids: shownAmong(roomTypes.get(id) ?? [], shown),
  }));
  return { tags, total: found.total, ...next };
};

export const createPropertyTag: Handler<'createPropertyTag'> = (input, context) =>
  context.change(async (change) => {
    const { trx, account, now } = change;
    const given = await requireCarriers(change, context, input);
    await lockAccount(trx, account.account_id);
    const known = await tagNamed(trx, account.account_id, input.name);
    if (!mayGo(tagLife, tagState(known), 'create')) throw taken();
    const others = await tagColors(trx, account.account_id);
    if (others.length >= MOST_TAGS) throw invalid('name', `cannot be used; there are ${MOST_TAGS} tags, the most`);
    const { name } = input;
    const color = input.color ?? known?.color ?? assignColor(others);
    if (known) await changeTag(trx, known, { name, color, deleted_at: null });
    const id = known?.id ?? (await addTag(trx, { account_id: account.account_id, name, color }, instantOf(now)));
    const owner = { accountId: account.account_id, owner: id };
    const property_ids = (given.property_ids ?? []).toSorted((a, b) => a - b);
    const room_type_ids = (given.room_type_ids ?? []).toSorted((a, b) => a - b);
    await addMembers(trx, tagProperties, owner, property_ids);
    await addMembers(trx, tagRoomTypes, owner, room_type_ids);
    change.audit('createPropertyTag', String(id));
    const tag = { id, name, color, property_ids, room_type_ids };
    return { tag, ...tag };
  });

export const updatePropertyTag: Handler<'updatePropertyTag'> = async (input, context) => {
  await context.change(async (change) => {
    const { trx } = change;
    const tag = await requireTag(change, context, input.id);
    const given = await requireCarriers(change, context, input);
    const { name = tag.row.name, color = tag.row.color } = input;
    if (name !== tag.row.name || color !== tag.row.color) {
      requireWhole(tag);
      const holder = await tagNamed(trx, tag.row.account_id, name);
      if (tagState(holder) === 'live' && holder?.id !== tag.row.id) throw taken();
      await changeTag(trx, tag.row, { name, color });
    }
    await replaceCarriers(change, tag, tag.properties, given.property_ids);
    await replaceCarriers(change, tag, tag.roomTypes, given.room_type_ids);
    change.audit('updatePropertyTag', String(tag.row.id));
  });
};

export const deletePropertyTag: Handler<'deletePropertyTag'> = async (input, context) => {
  await context.change(async (change) => {
    const tag = await requireTag(change, context, input.id);
    requireWhole(tag);
    for (const { list } of [tag.properties, tag.roomTypes]) {
      await dropMembers(change.trx, list, { accountId: tag.row.account_id, owner: tag.row.id });
    }
    await changeTag(change.trx, tag.row, { deleted_at: instantOf(change.now) });
    change.audit('deletePropertyTag', String(tag.row.id));
  });
};

interface Carriers {
  property_ids?: readonly number[] | undefined;
  room_type_ids?: readonly number[] | undefined;
}

/** Returns the carriers of a request, each once. @throws ApiError 403 or 404 for one that the caller may not use */
async function requireCarriers({ trx, account }: Change, principal: Principal, given: Carriers): Promise<Carriers> {
  return {
    property_ids: given.property_ids && (await requireProperties(trx, account, principal, given.property_ids)),
    room_type_ids: given.room_type_ids && (await requireRoomTypes(trx, account, principal, given.room_type_ids)),
  };
}

/** The carriers of a tag, and those that the caller sees. */
interface Carried {
  list: MemberList;
  members: readonly number[];
  visible: readonly number[] | null;
}

interface Tag {
  row: PropertyTagRow;
  properties: Carried;
  roomTypes: Carried;
}

/** Returns a tag and all its carriers, locked until the change ends. @throws ApiError 403 or 404 */
async function requireTag({ trx, account }: Change, principal: Principal, id: number): Promise<Tag> {
  await lockAccount(trx, account.account_id);
  const { visible } = principal;
  refuseForeign(await tagById(trx, id), account, 'id');
  const question = { accountId: account.account_id, visible, id, offset: 0, limit: 1 };
  const [row] = (await tagPage(trx, question)).rows;
  if (!row) throw new ApiError(404, 'id not found.', { field: 'id' });
  const properties = (await membersOf(trx, tagProperties, row.account_id, [id])).get(id) ?? [];
  const roomTypes = (await membersOf(trx, tagRoomTypes, row.account_id, [id])).get(id) ?? [];
  const shown = await shownRoomTypes(trx, principal, roomTypes);
  return {
    row,
    properties: { list: tagProperties, members: properties, visible },
    roomTypes: { list: tagRoomTypes, members: roomTypes, visible: shown },
  };
}

/** Refuses a sub-account that would change or delete a tag with carriers that it does not see. */
function requireWhole({ properties, roomTypes }: Tag): void {
  for (const { members, visible } of [properties, roomTypes]) {
    if (shownAmong(members, visible).length < members.length) throw notAuthorized();
  }
}

async function replaceCarriers(
  { trx }: Change,
  { row }: Tag,
  { list, members, visible }: Carried,
  given: readonly number[] | undefined,
): Promise<void> {
  if (!given) return;
  const owner = { accountId: row.account_id, owner: row.id };
  const { added, removed } = replacement(members, given, visible);
  await dropMembers(trx, list, owner, removed);
  await addMembers(trx, list, owner, added);
}

function taken(): ApiError {
  return new ApiError(409, 'A tag with this name exists.', { field: 'name' });
}

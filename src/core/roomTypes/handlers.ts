import { instantOf } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { lockAccount } from '../accounts/lock.ts';
import { channelsOf } from '../channels/listings.ts';
import type { Handler } from '../context.ts';
import { closePage, pageOf } from '../cursor.ts';
import { grouped } from '../grouped.ts';
import { addMembers, roomTypeProperties } from '../members.ts';
import { maySee, requireProperties } from '../ownership.ts';
import { tagsOfRoomTypes } from '../propertyTags/carried.ts';
import { requireRoom } from './rules.ts';
import { addRoomType, countRoomTypes, isPlaced, placedProperties, roomTypeNamed, roomTypePage } from './table.ts';

export const listRoomTypes: Handler<'listRoomTypes'> = async (input, context) => {
  const { db, visible } = context;
  const accountId = context.account.account_id;
  const page = pageOf('listRoomTypes', 'number', input, context);
  const found = await roomTypePage(db, { ...input, ...page.range, accountId, visible });
  const { rows, next } = closePage(page, found, (row) => row.id);
  const ids = rows.map((row) => row.id);
  const placed = (await placedProperties(db, accountId, ids)).filter((room) => maySee(context, room.id));
  const rooms = grouped(
    placed,
    (room) => room.room_type_id,
    ({ id, name }) => ({ id, name }),
  );
  const channels = await channelsOf(db, accountId, placed);
  const tags = await tagsOfRoomTypes(db, accountId, ids);
  const room_types = rows.map(({ id, name }) => {
    const properties = rooms.get(id) ?? [];
    return {
      id,
      name,
      properties,
      channels: properties.flatMap((room) => channels.get(room.id) ?? []),
      tags: tags.get(id) ?? [],
    };
  });
  return { room_types, total: found.total, ...next };
};

export const createRoomType: Handler<'createRoomType'> = (input, context) =>
  context.change(async (change) => {
    const { trx, account, now } = change;
    const accountId = account.account_id;
    const properties = await requireProperties(trx, account, context, input.property_ids ?? []);
    await lockAccount(trx, accountId);
    requireRoom(account, await countRoomTypes(trx, accountId));
    if (await roomTypeNamed(trx, accountId, input.name)) {
      throw new ApiError(409, 'A room type with this name exists.', { field: 'name' });
    }
    if (await isPlaced(trx, accountId, properties)) {
      throw new ApiError(409, 'A property belongs to another room type.', { field: 'property_ids' });
    }
    const id = await addRoomType(trx, accountId, input.name, instantOf(now));
    await addMembers(trx, roomTypeProperties, { accountId, owner: id }, properties);
    change.audit('createRoomType', String(id));
    return { room_type_id: id };
  });

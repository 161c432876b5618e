import { roomType } from '../../../contract/roomTypes.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { knownOf, listText } from '../wireValues.ts';

export const readRoomTypes = rowReader({
  schema: roomType,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    name: one.name,
    property_ids: listText(knownOf(one.properties?.map((property) => property.id))),
    tags: listText(knownOf(one.tags?.map((tag) => tag.name))),
  }),
});

export const roomTypes: MirrorResource = {
  name: 'room_type',
  table: 'room_types',
  keyColumn: 'id',
  groupColumn: 'id',
  mayShrink: true,
};

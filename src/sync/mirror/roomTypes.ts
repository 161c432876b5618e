import { roomType } from '../../contract/roomTypes.ts';
import { type MirrorResource, rowReader } from './resource.ts';

export const readRoomTypes = rowReader({
  schema: roomType,
  keyField: 'id',
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    name: one.name,
    property_ids: JSON.stringify(one.properties.map((property) => property.id)),
    tags: JSON.stringify(one.tags.map((tag) => tag.name)),
  }),
});

export const roomTypes: MirrorResource = {
  name: 'room_type',
  table: 'room_types',
  keyColumn: 'id',
  groupColumn: 'id',
  mayShrink: true,
};

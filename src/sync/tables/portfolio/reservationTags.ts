import { reservationTag } from '../../../contract/reservationTags.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { flag } from '../wireValues.ts';

export const readReservationTags = rowReader({
  schema: reservationTag,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    tag_name: one.tag_name,
    color: one.color,
    is_default: flag(one.is_default),
  }),
});

export const reservationTags: MirrorResource = {
  name: 'reservation_tag',
  table: 'reservation_tags',
  keyColumn: 'id',
  groupColumn: 'id',
  mayShrink: true,
};

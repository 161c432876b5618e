import { propertyTag } from '../../../contract/propertyTags.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { listText } from '../wireValues.ts';

export const readPropertyTags = rowReader({
  schema: propertyTag,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    name: one.name,
    color: one.color,
    property_ids: listText(one.property_ids),
    room_type_ids: listText(one.room_type_ids),
  }),
});

export const propertyTags: MirrorResource = {
  name: 'property_tag',
  table: 'property_tags',
  keyColumn: 'id',
  groupColumn: 'id',
  mayShrink: true,
};

import { propertyGroup } from '../../../contract/propertyGroups.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { listText } from '../wireValues.ts';

export const readPropertyGroups = rowReader({
  schema: propertyGroup,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    name: one.name,
    property_ids: listText(one.property_ids),
  }),
});

export const propertyGroups: MirrorResource = {
  name: 'property_group',
  table: 'property_groups',
  keyColumn: 'id',
  groupColumn: 'id',
  mayShrink: true,
};

import { propertyGroup } from '../../contract/propertyGroups.ts';
import { type MirrorResource, rowReader } from './resource.ts';

export const readPropertyGroups = rowReader({
  schema: propertyGroup,
  keyField: 'id',
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({
    id: one.id,
    name: one.name,
    property_ids: JSON.stringify(one.property_ids),
  }),
});

export const propertyGroups: MirrorResource = {
  name: 'property_group',
  table: 'property_groups',
  keyColumn: 'id',
  groupColumn: 'id',
  mayShrink: true,
};

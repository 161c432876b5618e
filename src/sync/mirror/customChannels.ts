import { customChannel } from '../../contract/customChannels.ts';
import { type MirrorResource, rowReader } from './resource.ts';

export const readCustomChannels = rowReader({
  schema: customChannel,
  keyField: 'id',
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({ id: one.id, name: one.name }),
});

export const customChannels: MirrorResource = {
  name: 'custom_channel',
  table: 'custom_channels',
  keyColumn: 'id',
  groupColumn: 'id',
};

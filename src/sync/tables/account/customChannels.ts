import { customChannel } from '../../../contract/customChannels.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';

const readCustomChannels = rowReader({
  schema: customChannel,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one) => ({ id: one.id, name: one.name }),
});

export const customChannels: MirrorResource = {
  name: 'custom_channel',
  table: 'custom_channels',
  keyColumn: 'id',
  groupColumn: 'id',
  lists: [
    {
      holds: () => true,
      async read(client, reading, options) {
        const answer = await client.call('listCustomChannels', {}, options);
        return readCustomChannels(answer.data.custom_channels, answer, reading);
      },
    },
  ],
};

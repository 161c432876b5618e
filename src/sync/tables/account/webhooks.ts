import { webhook } from '../../../contract/webhooks.ts';
import { type MirrorResource, rowReader } from '../rows/resource.ts';
import { flag, instantFrom, listText } from '../wireValues.ts';

const readWebhooks = rowReader({
  schema: webhook,
  keyFields: ['id'],
  rowKey: (one) => one.id,
  key: (one) => String(one.id),
  columns: (one, { zone }) => ({
    id: one.id,
    url: one.url,
    events: listText(one.events),
    manageable: flag(one.manageable),
    created_at: instantFrom(one.created_at, zone),
  }),
});

export const webhooks: MirrorResource = {
  name: 'webhook',
  table: 'webhooks',
  keyColumn: 'id',
  groupColumn: 'id',
  lists: [
    {
      holds: () => true,
      async read(client, reading, options) {
        const answer = await client.call('listWebhooks', {}, options);
        return readWebhooks(answer.data.webhooks, answer, reading);
      },
    },
  ],
};

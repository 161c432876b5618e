import type { Table } from '../../tables.ts';

/** Knowledge bases. */
export const knowledge: readonly Table[] = [
  {
    name: 'knowledge_bases',
    columns: {
      account_id: 'text!',
      id: 'bigint! unique',
      title: 'text!',
      contents: 'text!',
      scope_property: 'text!',
      scope_channel: 'text!',
      is_enable: 'bigint!',
      process_status: 'text!',
      revision: 'bigint!',
      attempts: 'bigint!',
      claimed_until: 'text',
      problem: 'text',
      created_at: 'text!',
      updated_at: 'text!',
    },
    key: ['account_id', 'id'],
    indexes: [
      { name: 'knowledge_bases_by_id', columns: ['account_id', 'id', 'scope_property', 'scope_channel'] },
      { name: 'knowledge_bases_unprocessed', columns: ['id'], where: "process_status in ('waiting', 'processing')" },
    ],
  },
  {
    name: 'knowledge_scope_ids',
    columns: { account_id: 'text!', knowledge_base_id: 'bigint!', scope_id: 'bigint!' },
    key: ['account_id', 'knowledge_base_id', 'scope_id'],
  },
  {
    name: 'knowledge_scope_channels',
    columns: { account_id: 'text!', knowledge_base_id: 'bigint!', channel_type: 'text!' },
    key: ['account_id', 'knowledge_base_id', 'channel_type'],
  },
  {
    name: 'knowledge_chunks',
    columns: {
      account_id: 'text!',
      knowledge_base_id: 'bigint!',
      position: 'bigint!',
      id: 'bigint! unique',
      sub_title: 'text!',
      text: 'text!',
    },
    key: ['account_id', 'knowledge_base_id', 'position'],
  },
];

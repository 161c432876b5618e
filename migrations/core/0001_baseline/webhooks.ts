import type { Table } from '../../tables.ts';

/** Webhooks, and the events on their way to them. */
export const webhooks: readonly Table[] = [
  {
    name: 'webhooks',
    columns: {
      account_id: 'text!',
      id: 'bigint! unique',
      url: 'text!',
      events: 'text',
      secret: 'text!',
      previous_secret: 'text',
      previous_until: 'text',
      manageable: 'bigint!',
      signature_only: 'bigint!',
      created_at: 'text!',
      deleted_at: 'text',
      client_id: 'text',
      farewell_event_id: 'text',
      operator_id: 'bigint',
      token_id: 'bigint',
    },
    key: ['account_id', 'id'],
    indexes: [
      {
        name: 'webhooks_farewell',
        columns: ['account_id', 'farewell_event_id'],
        where: 'farewell_event_id is not null',
      },
    ],
  },
  {
    name: 'outbox',
    columns: {
      account_id: 'text!',
      event_id: 'text!',
      event: 'text!',
      body: 'text!',
      queued_at: 'text!',
      fanned_out: 'bigint!',
    },
    key: ['account_id', 'event_id'],
    indexes: [{ name: 'outbox_waiting', columns: ['event_id'], where: 'fanned_out = 0' }],
  },
  {
    name: 'deliveries',
    columns: {
      account_id: 'text!',
      event_id: 'text!',
      webhook_id: 'bigint!',
      outcome: 'text',
      http_status: 'bigint',
      leased_until: 'bigint!',
      finished_at: 'text',
    },
    key: ['account_id', 'event_id', 'webhook_id'],
    indexes: [{ name: 'deliveries_waiting', columns: ['webhook_id', 'event_id'], where: 'outcome is null' }],
  },
];

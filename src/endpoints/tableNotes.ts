import type { TableNote } from '../sync/tables/tableNote.ts';

/** Notes on the tables of endpoints and their messages. */
export const endpointNotes: readonly TableNote[] = [
  {
    table: 'endpoints',
    is: 'One program that receives signed webhooks about changes; see docs/endpoints.md.',
    columns: {
      endpoint_id: 'Its id.',
      url: 'Where it listens, encrypted.',
      description: 'What its owner wrote.',
      kinds: 'What it wants to hear of, JSON.',
      property_ids: 'Only changes of these properties, JSON; null: all.',
      persons: '1: personal values are sent.',
      secret: 'What its webhooks are signed with, encrypted.',
      previous_secret: 'The secret before the last rotation, encrypted; signs too until `previous_until`.',
      previous_until: 'Until when (UTC).',
      state: 'active or disabled.',
      reason: 'Why it is disabled.',
      state_at: 'Since when (UTC).',
      cursor: 'The last change in `changes` that messages were made of.',
      failing_since: 'The first failure since it last succeeded (UTC).',
      succeeded_at: 'When it last answered 2xx (UTC).',
      created_at: 'When it was added (UTC).',
    },
  },
  {
    table: 'endpoint_messages',
    is: 'One change to be sent to one endpoint. Its content is put together when it is sent, and not stored.',
    columns: {
      message_id: '`webhook-id`: the same in every attempt, also after a restore.',
      endpoint_id: 'Whom.',
      seq: 'The change in `changes`.',
      kind: 'What the endpoint wanted to hear of.',
      resource: 'As in changes.',
      key: 'As in changes. Messages about one key are sent one after the other.',
      state: 'waiting, delivered, skipped (it concerned another property), or dead (given up).',
      attempts: 'Requests sent so far.',
      next_at: 'When the next one is due (UTC).',
      claimed_until: 'While it is being sent.',
      outcome: 'What became of the last request.',
      http_status: 'What was answered to it.',
      created_at: 'When it was made (UTC).',
      ended_at: 'When nothing more was to be sent (UTC).',
    },
  },
  {
    table: 'endpoint_attempts',
    is: 'One request that was sent to an endpoint.',
    columns: {
      message_id: 'Which message.',
      attempt: 'Counts from 1.',
      at: 'When it was sent (UTC).',
      outcome: 'delivered, refused, timeout, dns, tls, connect, private_address, bad_url or redirect.',
      http_status: 'What was answered; null: nothing.',
      ms: 'How long it took, in milliseconds.',
    },
  },
];

import type { Kysely } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: programs of others are told of changes, once each, in order, and again until they have heard.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'endpoints',
    columns: {
      endpoint_id: 'text!',
      url: 'text!',
      description: 'text',
      kinds: 'text!',
      property_ids: 'text',
      persons: 'bigint!',
      secret: 'text!',
      previous_secret: 'text',
      previous_until: 'text',
      state: 'text!',
      reason: 'text',
      state_at: 'text!',
      cursor: 'bigint!',
      failing_since: 'text',
      succeeded_at: 'text',
      created_at: 'text!',
    },
    key: ['endpoint_id'],
  });
  await createTable(db, {
    name: 'endpoint_messages',
    columns: {
      message_id: 'text!',
      endpoint_id: 'text!',
      seq: 'bigint!',
      kind: 'text!',
      resource: 'text!',
      key: 'text!',
      state: 'text!',
      attempts: 'bigint!',
      next_at: 'text!',
      claimed_until: 'text',
      outcome: 'text',
      http_status: 'bigint',
      created_at: 'text!',
      ended_at: 'text',
    },
    key: ['message_id'],
    narrow: true,
  });
  await index(db, 'order', ['connection', 'endpoint_id', 'state', 'resource', 'key', 'seq']);
  await index(db, 'time', ['connection', 'endpoint_id', 'seq']);
  await index(db, 'end', ['connection', 'ended_at']);
  await createTable(db, {
    name: 'endpoint_attempts',
    columns: {
      message_id: 'text!',
      attempt: 'bigint!',
      at: 'text!',
      outcome: 'text!',
      http_status: 'bigint',
      ms: 'bigint!',
    },
    key: ['message_id', 'attempt'],
    narrow: true,
  });
}

function index(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  return db.schema.createIndex(`endpoint_messages_${name}`).on('endpoint_messages').columns(columns).execute();
}

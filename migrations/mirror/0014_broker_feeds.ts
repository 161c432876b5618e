import type { Kysely } from 'kysely';
import { createTable } from './tables.ts';

// Why: the change feed goes to a message broker, and each connection has its own place up to which it was taken.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'broker_feeds',
    columns: {
      cursor: 'bigint!',
      published: 'bigint!',
      published_at: 'text',
      failures: 'bigint!',
      failing_since: 'text',
      problem: 'text',
      claimed_by: 'text',
      claimed_until: 'text',
    },
  });
}

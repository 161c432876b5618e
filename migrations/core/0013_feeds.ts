import type { Kysely } from 'kysely';
import { createSequences } from '../../src/store/leases/sequences.ts';
import { createTable } from '../tables.ts';

// Why: units are sold on marketplaces that have no API for their hosts, only calendars in iCalendar form. Each is read by
// an address and shown what we hold at another one. What a feed closes stands apart from blocks by hand, so that neither
// opens the nights of the other. The events of a feed are remembered, since its own identifiers are not to be trusted.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createSequences(db, ['feeds']);
  await createTable(db, {
    name: 'feeds',
    columns: {
      account_id: 'text!',
      id: 'bigint!',
      property_id: 'bigint!',
      name: 'text!',
      source: 'text!',
      audience: 'text!',
      url: 'text',
      host: 'text',
      token: 'text!',
      token_hash: 'text! unique',
      shows: 'text!',
      state: 'text!',
      created_at: 'text!',
      etag: 'text',
      last_modified: 'text',
      next_read_at: 'bigint',
      tried_at: 'text',
      good_at: 'text',
      failures: 'integer!',
      problem: 'text',
      good_reads: 'integer!',
      events: 'integer',
      unreadable: 'text',
      next_entry: 'bigint!',
      fetched_at: 'text',
      fetched_by: 'text',
      told: 'text',
    },
    key: ['account_id', 'id'],
    indexes: [
      { name: 'feeds_by_property', columns: ['account_id', 'property_id'] },
      { name: 'feeds_due', columns: ['next_read_at'], where: 'next_read_at is not null' },
    ],
  });
  await createTable(db, {
    name: 'feed_entries',
    columns: {
      account_id: 'text!',
      feed_id: 'bigint!',
      entry: 'bigint!',
      uid: 'text!',
      start_date: 'text!',
      end_date: 'text!',
      kind: 'text!',
      reference: 'text',
      guest: 'text',
      echo: 'integer!',
      reservation_code: 'text',
      clash: 'integer!',
      missing_reads: 'integer!',
      missing_since: 'text',
      first_seen_at: 'text!',
    },
    key: ['account_id', 'feed_id', 'entry'],
    indexes: [{ name: 'feed_entries_clashing', columns: ['account_id', 'feed_id'], where: 'clash = 1' }],
  });
  await createTable(db, {
    name: 'feed_closures',
    columns: { account_id: 'text!', property_id: 'bigint!', night: 'text!', feed_id: 'bigint!', name: 'text!' },
    key: ['account_id', 'property_id', 'night', 'feed_id'],
    narrow: true,
  });
}

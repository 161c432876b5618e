import type { Kysely } from 'kysely';
import { createTable } from './tables.ts';

// Why: where a property is mirrored from another deployment, its calendar at a marketplace can be read besides. A stay
// that only one of both knows is a booking that was lost, or nights that can be sold twice, and nothing else tells.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'comparisons',
    columns: {
      comparison_id: 'text!',
      property_id: 'bigint!',
      name: 'text!',
      source: 'text!',
      url: 'text!',
      host: 'text!',
      created_at: 'text!',
      next_read_at: 'text!',
      tried_at: 'text',
      good_at: 'text',
      failures: 'integer!',
      problem: 'text',
      events: 'integer',
    },
    key: ['comparison_id'],
    indexes: [{ name: 'comparisons_name', columns: ['connection', 'property_id', 'name'], unique: true }],
  });
  await createTable(db, {
    name: 'comparison_findings',
    columns: {
      comparison_id: 'text!',
      finding_id: 'text!',
      subject: 'text!',
      known_to: 'text!',
      stay_code: 'text',
      start_date: 'text!',
      end_date: 'text!',
      is_sold: 'integer!',
      first_seen_at: 'text!',
      seen_reads: 'integer!',
      settled_at: 'text',
    },
    key: ['finding_id'],
    indexes: [
      { name: 'comparison_findings_subject', columns: ['connection', 'comparison_id', 'subject'], unique: true },
    ],
  });
}

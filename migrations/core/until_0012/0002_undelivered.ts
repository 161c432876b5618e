import type { Kysely } from 'kysely';
import { createIndex, type Index } from '../../tables.ts';

// Why: after a stop, a mirror asks what could not be delivered to its webhook since. Nearly all deliveries succeed, so the
// index of the others is small.

export const UNDELIVERED: Index = {
  name: 'deliveries_undelivered',
  columns: ['webhook_id', 'finished_at'],
  where: "outcome <> 'delivered'",
};

export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'deliveries', UNDELIVERED);
}

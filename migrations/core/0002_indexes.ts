import type { Kysely } from 'kysely';
import { createIndex } from '../tables.ts';

// Why: after a stop, a mirror asks what could not be delivered to its webhook since; nearly all deliveries succeed, so the
// index of the others is small. And the newest reviews are read along an index instead of sorting a window of them.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'deliveries', {
    name: 'deliveries_undelivered',
    columns: ['webhook_id', 'finished_at'],
    where: "outcome <> 'delivered'",
  });
  await createIndex(db, 'reviews', {
    name: 'reviews_by_id',
    columns: ['account_id', 'id', 'stay_id', 'reservation_code'],
  });
}

import type { Kysely } from 'kysely';
import { createIndex } from '../tables.ts';

// Why: the first page of the console counts the requests that nobody has answered and the stays without a property. Both
// are few among all stays.

export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = ['connection', 'check_in_date', 'property_id'];
  await createIndex(db, 'stays', { name: 'stays_requested', columns, where: "status = 'wait_accept'" });
  await createIndex(db, 'stays', { name: 'stays_unplaced', columns, where: 'in_reservation_box = 1' });
}

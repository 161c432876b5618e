import type { Kysely } from 'kysely';
import { createIndex } from '../../tables.ts';

// Why: a list of reviews begins with the newest. Without an index by number, each page sorts all reviews of its window.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'reviews', { name: 'reviews_by_id', columns: ['account_id', 'id', 'stay_id'] });
}

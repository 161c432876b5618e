import type { Kysely } from 'kysely';
import { createSearchWords } from '../../src/store/queries/searchWords.ts';
import { createIndex } from '../tables.ts';

// Why: one box finds guests, messages and stays. Names and texts are found by the beginnings of their words, stays by the
// channel's own reference too.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'stays', { name: 'stays_by_channel_id', columns: ['connection', 'channel_id'] });
  await createSearchWords(db);
}

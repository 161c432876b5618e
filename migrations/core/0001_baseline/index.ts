import type { Kysely } from 'kysely';
import { createSequences } from '../../../src/store/leases/sequences.ts';
import { createFullText } from '../../../src/store/queries/fullText.ts';
import { createTable } from '../../tables.ts';
import { conversations } from './conversations.ts';
import { knowledge } from './knowledge.ts';
import { ledger } from './ledger.ts';
import { listings } from './listings.ts';
import { oauth } from './oauth.ts';
import { people } from './people.ts';
import { portfolio } from './portfolio.ts';
import { reservations } from './reservations.ts';
import { webhooks } from './webhooks.ts';
import { work } from './work.ts';

/** Ids come from sequences, so that the account can be the first column of every key on both databases. */
const sequences = [
  'automation_rules',
  'calendar_share_links',
  'calendar_tasks',
  'channel_accounts',
  'channel_posts',
  'conversations',
  'dictionary',
  'guests',
  'images',
  'inquiries',
  'knowledge_bases',
  'knowledge_chunks',
  'listings',
  'messages',
  'operators',
  'properties',
  'property_groups',
  'property_tags',
  'reservation_tags',
  'reviews',
  'room_types',
  'special_offers',
  'staffs',
  'stays',
  'tasks',
  'tokens',
  'transactions',
  'webhooks',
];

const tables = [
  ...people,
  ...oauth,
  ...portfolio,
  ...listings,
  ...reservations,
  ...ledger,
  ...webhooks,
  ...conversations,
  ...work,
  ...knowledge,
];

/** Makes the core's database as it was when the first baseline was drawn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSequences(db, sequences);
  for (const table of tables) await createTable(db, table);
  await createFullText(db, { table: 'knowledge_chunks', column: 'text', key: 'id' });
}

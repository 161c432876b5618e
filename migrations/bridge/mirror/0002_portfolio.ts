import type { Kysely } from 'kysely';
import { createTable, rawColumn, rowColumns } from '../../mirror/tables.ts';

// Why: room types, groups and tags that order properties, tags of reservations, and public calendar links.

export async function up(db: Kysely<unknown>): Promise<void> {
  const facts = { ...rowColumns, ...rawColumn };
  const tables = {
    room_types: { id: 'bigint!', name: 'text!', property_ids: 'text!', tags: 'text!', ...facts },
    property_groups: { id: 'bigint!', name: 'text!', property_ids: 'text!', ...facts },
    property_tags: {
      id: 'bigint!',
      name: 'text!',
      color: 'text!',
      property_ids: 'text!',
      room_type_ids: 'text!',
      ...facts,
    },
    reservation_tags: { id: 'bigint!', tag_name: 'text!', color: 'text!', is_default: 'bigint!', ...facts },
    calendar_share_links: {
      id: 'bigint!',
      scope: 'text!',
      property_ids: 'text!',
      url: 'text!',
      created_at: 'text',
      ...facts,
    },
  } as const;
  for (const [name, columns] of Object.entries(tables)) await createTable(db, { name, columns, key: ['id'] });
}

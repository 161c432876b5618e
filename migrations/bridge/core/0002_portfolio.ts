import { type Kysely, sql } from 'kysely';
import { createSequences } from '../../../src/store/leases/sequences.ts';

// Why: room types, groups and tags that order properties, tags of reservations, and public calendar links.

type Db = Kysely<unknown>;

export const sequences = ['room_types', 'property_groups', 'property_tags', 'reservation_tags', 'calendar_share_links'];

export async function up(db: Db): Promise<void> {
  await createSequences(db, sequences);
  await roomTypes(db);
  await propertyGroups(db);
  await propertyTags(db);
  await reservationTags(db);
  await calendarShareLinks(db);
}

async function roomTypes(db: Db): Promise<void> {
  await db.schema
    .createTable('room_types')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('room_types_key', ['account_id', 'id'])
    .addUniqueConstraint('room_types_name', ['account_id', 'name_key'])
    .execute();
  // The key holds the rule: a property is in one room type at most.
  await members(db, 'room_type_properties', ['property_id', 'room_type_id'], ['property_id']);
}

async function propertyGroups(db: Db): Promise<void> {
  await db.schema
    .createTable('property_groups')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('property_groups_key', ['account_id', 'id'])
    .addUniqueConstraint('property_groups_name', ['account_id', 'name_key'])
    .execute();
  await members(db, 'group_properties', ['property_id', 'group_id']);
}

async function propertyTags(db: Db): Promise<void> {
  await tags(db, 'property_tags', 'name');
  await members(db, 'tag_properties', ['property_id', 'tag_id']);
  await members(db, 'tag_room_types', ['room_type_id', 'tag_id']);
}

async function reservationTags(db: Db): Promise<void> {
  await tags(db, 'reservation_tags', 'tag_name');
  await members(db, 'stay_tags', ['stay_id', 'tag_id']);
}

async function calendarShareLinks(db: Db): Promise<void> {
  await db.schema
    .createTable('calendar_share_links')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('calendar_share_links_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('calendar_share_links_entire')
    .unique()
    .on('calendar_share_links')
    .column('account_id')
    .where(sql.ref('scope'), '=', sql.lit('entire'))
    .execute();
  await db.schema
    .createIndex('calendar_share_links_by_scope')
    .on('calendar_share_links')
    .columns(['account_id', 'scope', 'id'])
    .execute();
  await members(db, 'share_link_properties', ['property_id', 'link_id']);
  // A shared calendar shows the active ones by name.
  await db.schema
    .createIndex('properties_by_status')
    .on('properties')
    .columns(['account_id', 'status', 'name', 'id'])
    .execute();
}

/** A deleted tag stays, so that one of its name made later is the same tag; only live names are unique. */
async function tags(db: Db, table: string, name: string): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull().unique())
    .addColumn(name, 'text', (column) => column.notNull())
    .addColumn('name_key', 'text', (column) => column.notNull())
    .addColumn('color', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'text')
    .addPrimaryKeyConstraint(`${table}_key`, ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex(`${table}_live_name`)
    .unique()
    .on(table)
    .columns(['account_id', 'name_key'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute();
  await db.schema.createIndex(`${table}_name`).on(table).columns(['account_id', 'name_key', 'id']).execute();
}

/** Which members belong to which owner, found from either side. */
async function members(
  db: Db,
  table: string,
  [member, owner]: readonly [string, string],
  key: readonly string[] = [member, owner],
): Promise<void> {
  await db.schema
    .createTable(table)
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn(member, 'bigint', (column) => column.notNull())
    .addColumn(owner, 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint(`${table}_key`, ['account_id', ...key] as never[])
    .execute();
  await db.schema.createIndex(`${table}_of_owner`).on(table).columns(['account_id', owner, member]).execute();
}

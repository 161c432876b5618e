import { type Kysely, sql } from 'kysely';

// Why: people have roles, and some who are not the main account see all properties. Sub-accounts of before were managers.

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table operators add column role text not null default 'manager'`.execute(db);
  await sql`alter table operators add column all_properties bigint not null default 0`.execute(db);
  await sql`update operators set role = 'owner', all_properties = 1 where kind = 'master'`.execute(db);
  // The way by which an action came in: console, v3, mcp or portal. Null: by the service itself, or recorded before.
  await sql`alter table audit add column entrance text`.execute(db);
}

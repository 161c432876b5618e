import type { Kysely } from 'kysely';

// Why: a text that comes back cut short, or with a line below it, was not known as our own: one hash tells whole texts alone.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('automation_sends').addColumn('marks', 'text').execute();
}

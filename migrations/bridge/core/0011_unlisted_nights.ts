import type { Kysely } from 'kysely';

// Why: nights that are closed because no channel sells the property any more are told from those blocked by hand, so
// that only they open again with its next listing.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema
    .alterTable('blocks')
    .addColumn('unlisted', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}

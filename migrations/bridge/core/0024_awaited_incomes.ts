import type { Kysely } from 'kysely';

// Why: what an imported stay that lies ahead will bring is not received yet. When it is due stands beside its row, so that
// a later run of the same file books it, once.

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('import_rows').addColumn('income_at', 'text').execute();
}

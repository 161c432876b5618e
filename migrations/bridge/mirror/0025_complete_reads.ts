import type { Kysely } from 'kysely';

// Why: an event names some nights of a property. Whether all of them were ever read could not be told from that, so what
// was known and had never been read completely was found by nobody.

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['availability_reads', 'calendar_reads']) {
    await db.schema.alterTable(table).addColumn('complete_read_at', 'text').execute();
  }
}

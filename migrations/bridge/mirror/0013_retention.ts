import { type Kysely, sql } from 'kysely';
import { createTable } from '../../mirror/tables.ts';

// Why: what was said goes when its thread is over, not by its age alone, so each thread has a bound of its own; and a
// row that only the pruned part of the feed told of must still be known as told when the mirror is read anew.

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTable(db, {
    name: 'aged_threads',
    columns: { conversation_id: 'text!', since: 'text!' },
    key: ['conversation_id'],
    narrow: true,
  });
  await sql`
    insert into aged_threads (connection, conversation_id, since)
    select c.connection, c.conversation_id, b.since
    from history_bounds as b join conversations as c on c.connection = b.connection
    where b.kept = 'messages'
  `.execute(db);
  await sql`delete from history_bounds where kept = 'messages'`.execute(db);
  await createTable(db, {
    name: 'told_rows',
    columns: { resource: 'text!', key: 'text!', part: 'text!' },
    key: ['resource', 'key', 'part'],
    narrow: true,
  });
}

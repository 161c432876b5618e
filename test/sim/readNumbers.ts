import type { Database } from 'better-sqlite3';

/** Tables whose rows carry the number of the newest read that saw them, each with its key. */
const NUMBERED: Readonly<Record<string, string>> = {
  stays: 'stay_code',
  transactions: 'id',
  conversations: 'conversation_id',
  messages: 'message',
  reviews: 'reservation_code',
  listings: 'listing',
  properties: 'id',
  tasks: 'id',
  availability_reads: 'property_id',
  calendar_reads: 'listing',
};

/**
 * Watches one process of the daemon by triggers that vanish with its connection: no row is ever written by a read that
 * was sent before the one it shows already, even where both say the same.
 * @returns what tells of rows for which that has happened since it was asked last
 */
export function watchReadNumbers(database: Database): () => string[] {
  database.exec('create temp table overtaken (row text)');
  for (const [table, key] of Object.entries(NUMBERED)) {
    database.exec(
      `create temp trigger "read of ${table}" after update on main.${table} when new.read_number < old.read_number
       begin insert into overtaken values ('${table} ' || new.${key} || ' by read ' || new.read_number
         || ' over read ' || old.read_number); end`,
    );
  }
  const found = database.prepare<[], string>('select row from overtaken').pluck();
  const forget = database.prepare('delete from overtaken');
  return () => {
    const rows = found.all();
    if (rows.length > 0) forget.run();
    return rows;
  };
}

import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import { identifier } from '../queries/identifier.ts';
import { kindOf } from '../kind.ts';

/** Distinguishes our advisory locks from those of other programs in the same database. */
const LOCK_CLASS = 0x57a1d;

/**
 * Creates the named sequences for a migration. It is safe to repeat, and an existing sequence continues.
 *
 * On SQLite a sequence is a row, since transactions run one by one. On PostgreSQL a row would stay locked until the
 * commit of the last taker, so it is a real sequence, which no transaction locks and no rollback reverses. A real
 * sequence lacks blocks: n calls of `nextval` interleave with others, and nothing may come between a `nextval` and the
 * `setval` that skips the block. So an advisory lock protects both for microseconds: a subtransaction (a plpgsql block
 * with an exception handler) takes it and is rolled back on purpose. That releases the lock at once and keeps the ids,
 * because sequences are not transactional. A cancelled query leaves no lock either.
 */
export async function createSequences<DB>(db: Kysely<DB>, names: readonly string[]): Promise<void> {
  if (kindOf(db) === 'sqlite') await createRows(db, names);
  else await createRealSequences(db, names);
}

async function createRows<DB>(db: Kysely<DB>, names: readonly string[]): Promise<void> {
  await sql`create table if not exists sequences (name text primary key, value bigint not null)`.execute(db);
  for (const name of names) {
    await sql`insert into sequences (name, value) values (${name}, 0) on conflict (name) do nothing`.execute(db);
  }
}

async function createRealSequences<DB>(db: Kysely<DB>, names: readonly string[]): Promise<void> {
  await sql`
    create or replace function take_ids(sequence regclass, how_many bigint) returns bigint language plpgsql as $$
    declare
      first_id bigint;
    begin
      begin
        perform pg_advisory_xact_lock(${sql.lit(LOCK_CLASS)}, sequence::oid::int);
        first_id := nextval(sequence);
        if how_many > 1 then
          perform setval(sequence, first_id + how_many - 1);
        end if;
        raise sqlstate 'STAY1';
      exception when sqlstate 'STAY1' then
        null;
      end;
      return first_id;
    end
    $$`.execute(db);
  for (const name of names) await sql`create sequence if not exists ${sql.ref(sequenceName(name))}`.execute(db);
}

function sequenceName(name: string): string {
  return `${name}_sequence`;
}

const TAKE_FROM_ROW = 'update sequences set value = value + ? where name = ? returning value - ? + 1 as first';
const TAKE_FROM_SEQUENCE = 'select take_ids($1::regclass, $2) as first';

/**
 * Takes `count` consecutive ids and returns the first; the first ever is 1. Ids of different transactions never overlap
 * and grow in the order of their calls. A rollback may leave a gap.
 */
export async function nextIds<DB>(trx: Transaction<DB>, name: string, count = 1): Promise<number> {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`cannot take ${count} ids`);
  // As text, because compiling such a query each time costs more than its execution in SQLite.
  const query =
    kindOf(trx) === 'sqlite'
      ? CompiledQuery.raw(TAKE_FROM_ROW, [count, name, count])
      : CompiledQuery.raw(TAKE_FROM_SEQUENCE, [identifier(sequenceName(name)), count]);
  const { rows } = await trx.executeQuery<{ first: number }>(query as CompiledQuery<{ first: number }>);
  if (!rows[0]) throw new Error(`no migration has created the sequence ${name}`);
  return rows[0].first;
}

import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../../src/store/kind.ts';

// Why: people sign in with a password of their own, a subscription can end on a day, a token can be capped,
// and counting requests is not worth a write-ahead log.

type Db = Kysely<unknown>;

export async function up(db: Db): Promise<void> {
  await db.schema.alterTable('accounts').addColumn('expires_at', 'text').execute();
  await db.schema.alterTable('tokens').addColumn('per_minute', 'bigint').execute();
  await db.schema.alterTable('tokens').addColumn('per_hour', 'bigint').execute();
  await db.schema
    .alterTable('tokens')
    .addColumn('unlimited', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await people(db);
  if (kindOf(db) === 'postgres') await sql`alter table request_counters set unlogged`.execute(db);
}

async function people(db: Db): Promise<void> {
  await db.schema
    .createTable('logins')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('operator_id', 'bigint', (column) => column.notNull())
    .addColumn('login', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('logins_key', ['account_id', 'operator_id'])
    .execute();
  await db.schema
    .createTable('invites')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('operator_id', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('invites_key', ['account_id', 'operator_id'])
    .execute();
  await db.schema
    .createTable('sessions')
    .addColumn('account_id', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('operator_id', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('sessions_key', ['account_id', 'hash'])
    .execute();
}

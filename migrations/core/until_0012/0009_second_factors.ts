import { type Kysely, sql } from 'kysely';
import { createSequences } from '../../../src/store/leases/sequences.ts';
import { createTable, type Table } from '../../tables.ts';

// Why: a password alone can be phished. A second factor stands beside it, and people see where they are signed in.

const TABLES: readonly Table[] = [
  {
    name: 'second_factors',
    columns: {
      account_id: 'text!',
      id: 'bigint!',
      operator_id: 'bigint!',
      kind: 'text!',
      name: 'text!',
      // An authenticator's secret, sealed.
      secret: 'text',
      credential_id: 'text unique',
      public_key: 'text',
      counter: 'bigint',
      transports: 'text',
      // The time step of the last code, so that none is used twice.
      last_step: 'bigint',
      created_at: 'text!',
      last_used_at: 'text',
    },
    key: ['account_id', 'id'],
    indexes: [{ name: 'second_factors_of_person', columns: ['account_id', 'operator_id'] }],
  },
  {
    name: 'recovery_codes',
    columns: { account_id: 'text!', operator_id: 'bigint!', hash: 'text!', created_at: 'text!' },
    key: ['account_id', 'operator_id', 'hash'],
  },
  {
    name: 'sign_in_steps',
    columns: {
      hash: 'text primary key',
      account_id: 'text!',
      operator_id: 'bigint!',
      challenge: 'text',
      expires_at: 'text!',
    },
    indexes: [{ name: 'sign_in_steps_over', columns: ['expires_at'] }],
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of TABLES) await createTable(db, table);
  await createSequences(db, ['second_factors']);
  // What the browser says of itself, and where it was; null: signed in before.
  await sql`alter table sessions add column agent text`.execute(db);
  await sql`alter table sessions add column address text`.execute(db);
}

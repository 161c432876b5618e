import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../../src/store/kind.ts';
import { balances } from '../../mirror/0001_baseline/reports/balances.ts';

// Why: bookings of channels that bill their commission were called overpaid by as much.

export async function up(db: Kysely<unknown>): Promise<void> {
  if (kindOf(db) === 'sqlite') await sql`drop view v1_balances`.execute(db);
  const create = kindOf(db) === 'sqlite' ? 'create' : 'create or replace';
  await sql.raw(`${create} view v1_balances as ${balances}`).execute(db);
}

import { type Kysely, sql } from 'kysely';
import { kindOf } from '../../../src/store/kind.ts';
import { trialBalance } from '../../mirror/0001_baseline/books/trialBalance.ts';

// Why: the trial balance carried income and costs of a year on into the next.

export async function up(db: Kysely<unknown>): Promise<void> {
  if (kindOf(db) === 'sqlite') await sql`drop view v1_trial_balance`.execute(db);
  const create = kindOf(db) === 'sqlite' ? 'create' : 'create or replace';
  await sql.raw(`${create} view v1_trial_balance as ${trialBalance}`).execute(db);
}

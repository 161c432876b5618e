import type { Instant } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import type { SetupJobRow } from './rows.ts';

type Claim = Pick<SetupJobRow, 'account_id' | 'claimed_by'>;

/** Stores the newest work of an account, in the place of what is over. @returns false while that still goes on */
export async function beginSetupJob(db: CoreDb, row: SetupJobRow): Promise<boolean> {
  const { account_id: _, ...values } = row;
  const stored = await db
    .insertInto('setup_jobs')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet(values).where('setup_jobs.state', '!=', 'running'),
    )
    .returning('account_id')
    .execute();
  return stored.length > 0;
}

export function findSetupJob(db: CoreDb, accountId: AccountId): Promise<SetupJobRow | undefined> {
  return db.selectFrom('setup_jobs').where('account_id', '=', accountId).selectAll().executeTakeFirst();
}

/** Claims the work that no process does any more. @returns what was claimed */
export function claimSetupJobs(
  db: CoreDb,
  { by, until, now }: { by: string; until: Instant; now: Instant },
): Promise<SetupJobRow[]> {
  return db
    .updateTable('setup_jobs')
    .set({ claimed_by: by, claimed_until: until })
    .where('state', '=', 'running')
    .where('claimed_until', '<=', now)
    .returningAll()
    .execute();
}

/** Says how work stands. @returns false if another process does it now */
export async function saveSetupJob(
  db: CoreDb,
  { account_id, claimed_by }: Claim,
  values: Partial<Omit<SetupJobRow, keyof Claim>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('setup_jobs')
    .set(values)
    .where('account_id', '=', account_id)
    .where('claimed_by', '=', claimed_by)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends the work of all accounts. @param text why, for people */
export async function endSetupJobs(trx: CoreTransaction, text: string): Promise<void> {
  await trx.updateTable('setup_jobs').set({ state: 'failed', text }).where('state', '=', 'running').execute();
}

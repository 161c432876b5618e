import type { AccountId } from '../../../kernel/ids.ts';
import { insertMany } from '../../../store/queries/insertMany.ts';
import type { SecondFactorRow, SignInStepRow } from '../../accounts/rows.ts';
import type { CoreDb, CoreTransaction, LoginRow } from '../../database.ts';

export type Person = Pick<LoginRow, 'account_id' | 'operator_id'>;

export function factorsOf(
  db: CoreDb | CoreTransaction,
  { account_id, operator_id }: Person,
): Promise<SecondFactorRow[]> {
  return db
    .selectFrom('second_factors')
    .where('account_id', '=', account_id)
    .where('operator_id', '=', operator_id)
    .selectAll()
    .orderBy('id')
    .execute();
}

export async function saveFactor(trx: CoreTransaction, row: SecondFactorRow): Promise<void> {
  await trx.insertInto('second_factors').values(row).execute();
}

/** Records a use. @returns false if the code or the answer was used by another request meanwhile */
export async function noteUse(
  trx: CoreTransaction,
  { account_id, id, last_step, counter }: SecondFactorRow,
  use: Partial<Pick<SecondFactorRow, 'last_step' | 'counter'>> & { last_used_at: string },
): Promise<boolean> {
  const result = await trx
    .updateTable('second_factors')
    .set(use)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('last_step', last_step === null ? 'is' : '=', last_step)
    .where('counter', counter === null ? 'is' : '=', counter)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** @returns the name of the factor; undefined if the person has none of that number */
export async function deleteFactor(trx: CoreTransaction, person: Person, id: number): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('second_factors')
    .where('account_id', '=', person.account_id)
    .where('operator_id', '=', person.operator_id)
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** Deletes every factor and recovery code of a person. */
export async function deleteFactors(trx: CoreTransaction, { account_id, operator_id }: Person): Promise<void> {
  for (const table of ['second_factors', 'recovery_codes'] as const) {
    await trx.deleteFrom(table).where('account_id', '=', account_id).where('operator_id', '=', operator_id).execute();
  }
}

/** Replaces the recovery codes of a person, of which only hashes are stored. */
export async function saveRecoveryCodes(
  trx: CoreTransaction,
  { account_id, operator_id }: Person,
  hashes: readonly string[],
  created_at: string,
): Promise<void> {
  await trx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', account_id)
    .where('operator_id', '=', operator_id)
    .execute();
  const rows = hashes.map((hash) => ({ account_id, operator_id, hash, created_at }));
  await insertMany(trx, 'recovery_codes', rows);
}

/** Uses up a recovery code. @returns false if the person has no such code */
export async function takeRecoveryCode(
  trx: CoreTransaction,
  { account_id, operator_id }: Person,
  hash: string,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', account_id)
    .where('operator_id', '=', operator_id)
    .where('hash', '=', hash)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: CoreDb, { account_id, operator_id }: Person): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .where('account_id', '=', account_id)
    .where('operator_id', '=', operator_id)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Stores a sign-in that waits for its second factor, and deletes those that ran out. */
export async function saveStep(trx: CoreTransaction, row: SignInStepRow, now: string): Promise<void> {
  await trx.deleteFrom('sign_in_steps').where('expires_at', '<=', now).execute();
  await trx.insertInto('sign_in_steps').values(row).execute();
}

export function findStep(db: CoreDb | CoreTransaction, hash: string): Promise<SignInStepRow | undefined> {
  return db.selectFrom('sign_in_steps').where('hash', '=', hash).selectAll().executeTakeFirst();
}

export async function setChallenge(db: CoreDb, hash: string, challenge: string): Promise<void> {
  await db.updateTable('sign_in_steps').set({ challenge }).where('hash', '=', hash).execute();
}

/** Ends a step. @returns false when another request was faster */
export async function takeStep(trx: CoreTransaction, hash: string): Promise<boolean> {
  const result = await trx.deleteFrom('sign_in_steps').where('hash', '=', hash).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Returns every sealed secret with its place. */
export function sealedSecrets(
  trx: CoreTransaction,
): Promise<{ account_id: AccountId; id: number; secret: string | null }[]> {
  return trx
    .selectFrom('second_factors')
    .where('secret', 'is not', null)
    .select(['account_id', 'id', 'secret'])
    .execute();
}

export async function setSecret(
  trx: CoreTransaction,
  { account_id, id }: { account_id: AccountId; id: number },
  secret: string,
): Promise<void> {
  await trx
    .updateTable('second_factors')
    .set({ secret })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}

import { sql } from 'kysely';
import type { AccountId } from '../../kernel/ids.ts';
import type { CoreDb, CoreTransaction, InviteRow, LoginRow, SessionRow, SignInTriesRow } from '../database.ts';

type Person = Pick<LoginRow, 'account_id' | 'operator_id'>;

export function findLogin(db: CoreDb, login: string): Promise<LoginRow | undefined> {
  return db.selectFrom('logins').where('login', '=', login).selectAll().executeTakeFirst();
}

export async function hasLogins(db: CoreDb): Promise<boolean> {
  return (await db.selectFrom('logins').select('login').limit(1).execute()).length > 0;
}

export function loginOf(db: CoreDb | CoreTransaction, { account_id, operator_id }: Person) {
  return db
    .selectFrom('logins')
    .where('account_id', '=', account_id)
    .where('operator_id', '=', operator_id)
    .selectAll()
    .executeTakeFirst();
}

export async function saveLogin(trx: CoreTransaction, row: LoginRow): Promise<void> {
  const { login, password_hash, changed_at } = row;
  await trx
    .insertInto('logins')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'operator_id']).doUpdateSet({ login, password_hash, changed_at }),
    )
    .execute();
}

export async function saveInvite(trx: CoreTransaction, row: InviteRow): Promise<void> {
  const { hash, created_at, expires_at } = row;
  await trx
    .insertInto('invites')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'operator_id']).doUpdateSet({ hash, created_at, expires_at }),
    )
    .execute();
}

export async function hasLiveInvite(db: CoreDb, now: string): Promise<boolean> {
  return (await db.selectFrom('invites').where('expires_at', '>', now).select('hash').limit(1).execute()).length > 0;
}

export function findInvite(db: CoreDb, hash: string): Promise<InviteRow | undefined> {
  return db.selectFrom('invites').where('hash', '=', hash).selectAll().executeTakeFirst();
}

/** Uses up an invite. @returns false when another request was faster */
export async function takeInvite(trx: CoreTransaction, hash: string): Promise<boolean> {
  const result = await trx.deleteFrom('invites').where('hash', '=', hash).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Stores a new session and deletes expired ones of the same person. */
export async function saveSession(trx: CoreTransaction, row: SessionRow): Promise<void> {
  await trx
    .deleteFrom('sessions')
    .where('account_id', '=', row.account_id)
    .where('operator_id', '=', row.operator_id)
    .where('expires_at', '<=', row.created_at)
    .execute();
  await trx.insertInto('sessions').values(row).execute();
}

/** Returns a session with its person and their account. */
export function findSession(db: CoreDb, hash: string) {
  return db
    .selectFrom('sessions as session')
    .innerJoin('accounts as account', 'account.account_id', 'session.account_id')
    .innerJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'session.account_id').onRef('operator.id', '=', 'session.operator_id'),
    )
    .where('session.hash', '=', hash)
    .select(['session.seen_at', 'session.expires_at as ends_at'])
    .select(['operator.id as operator_id', 'operator.name as operator_name', 'operator.kind as operator_kind'])
    .select(['operator.role', 'operator.all_properties'])
    .selectAll('account')
    .executeTakeFirst();
}

export async function touchSession(db: CoreDb, hash: string, seen_at: string): Promise<void> {
  await db.updateTable('sessions').set({ seen_at }).where('hash', '=', hash).execute();
}

export function sessionsOf(db: CoreDb | CoreTransaction, { account_id, operator_id }: Person): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .where('account_id', '=', account_id)
    .where('operator_id', '=', operator_id)
    .selectAll()
    .orderBy('seen_at', 'desc')
    .orderBy('hash')
    .execute();
}

export async function deleteSession(db: CoreDb | CoreTransaction, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', hash).execute();
}

/** Ends every session of a person. */
export async function deleteSessionsOf(trx: CoreTransaction, accountId: AccountId, operatorId: number): Promise<void> {
  await trx.deleteFrom('sessions').where('account_id', '=', accountId).where('operator_id', '=', operatorId).execute();
}

/** Deletes login, invite and sessions of a person. */
export async function deleteWaysIn(trx: CoreTransaction, { account_id, operator_id }: Person): Promise<void> {
  for (const table of ['logins', 'invites', 'sessions'] as const) {
    await trx.deleteFrom(table).where('account_id', '=', account_id).where('operator_id', '=', operator_id).execute();
  }
}

/** Adds one attempt to each subject. The count of an earlier window starts again. @returns the counts afterwards */
export function addTries(
  trx: CoreTransaction,
  subjects: readonly string[],
  window_start: number,
): Promise<SignInTriesRow[]> {
  return trx
    .insertInto('sign_in_tries')
    .values(subjects.map((subject) => ({ subject, window_start, tries: 1 })))
    .onConflict((conflict) =>
      conflict.column('subject').doUpdateSet({
        tries: sql`case when sign_in_tries.window_start = excluded.window_start then sign_in_tries.tries + 1 else 1 end`,
        window_start: sql`excluded.window_start`,
      }),
    )
    .returningAll()
    .execute();
}

/** Removes one attempt of each subject, unless its window is over. */
export async function takeBackTries(db: CoreDb, subjects: readonly string[], window_start: number): Promise<void> {
  await db
    .updateTable('sign_in_tries')
    .set((columns) => ({ tries: columns('tries', '-', 1) }))
    .where('subject', 'in', subjects)
    .where('window_start', '=', window_start)
    .execute();
}

/** Deletes the counts of past windows. */
export async function forgetTries(trx: CoreTransaction, window_start: number): Promise<void> {
  await trx.deleteFrom('sign_in_tries').where('window_start', '<', window_start).execute();
}

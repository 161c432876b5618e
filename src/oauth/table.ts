import { sql } from 'kysely';
import type {
  CoreDb,
  CoreTransaction,
  OAuthClientRow,
  OAuthCodeRow,
  OAuthGrantRow,
  OAuthTokenRow,
} from '../core/accounts/ground.ts';
import { liveOAuthTokens } from '../core/accounts/table.ts';
import type { Instant } from '../kernel/dates.ts';
import type { AccountId } from '../kernel/ids.ts';

type Db = CoreDb | CoreTransaction;

/** Columns of a grant, qualified since several of these tables have columns of the same names. */
const GRANT = [
  'allowed.account_id',
  'allowed.id as grant_id',
  'allowed.client_id',
  'allowed.scope',
  'allowed.audience',
  'allowed.expires_at as grant_expires_at',
  'allowed.revoked_at as grant_revoked_at',
] as const;

export function findClient(db: Db, clientId: string): Promise<OAuthClientRow | undefined> {
  return db.selectFrom('oauth_clients').where('client_id', '=', clientId).selectAll().executeTakeFirst();
}

/** Stores an application. A row with the same client_id gets the new description. */
export async function saveClient(trx: CoreTransaction, row: OAuthClientRow): Promise<void> {
  const { account_id: _, client_id: __, created_at: ___, ...changed } = row;
  await trx
    .insertInto('oauth_clients')
    .values(row)
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(changed))
    .execute();
}

export async function deleteClient(trx: CoreTransaction, clientId: string): Promise<void> {
  await trx.deleteFrom('oauth_clients').where('client_id', '=', clientId).execute();
}

/** Returns the applications that the people of an account may meet; null: all. */
export function clientsFor(db: Db, accountId: AccountId | null): Promise<OAuthClientRow[]> {
  return db
    .selectFrom('oauth_clients')
    .$if(accountId !== null, (clients) => clients.where('account_id', 'in', ['' as const, accountId ?? '']))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('client_id')
    .execute();
}

export async function saveGrant(trx: CoreTransaction, row: OAuthGrantRow, code: OAuthCodeRow): Promise<void> {
  await trx.insertInto('oauth_grants').values(row).execute();
  await trx.insertInto('oauth_codes').values(code).execute();
}

/** Returns a code with its grant. */
export function findCode(db: Db, hash: string) {
  return db
    .selectFrom('oauth_codes as code')
    .innerJoin('oauth_grants as allowed', (join) =>
      join.onRef('allowed.account_id', '=', 'code.account_id').onRef('allowed.id', '=', 'code.grant_id'),
    )
    .where('code.hash', '=', hash)
    .select(GRANT)
    .select(['code.hash', 'code.redirect_uri', 'code.code_challenge', 'code.expires_at', 'code.used_at'])
    .executeTakeFirst();
}

/** Uses a code up. @returns false when it was used before */
export async function useCode(db: Db, accountId: AccountId, hash: string, at: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_codes')
    .set({ used_at: at })
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Returns a token of any kind with its grant. */
export function findToken(db: Db, hash: string) {
  return db
    .selectFrom('oauth_tokens as token')
    .innerJoin('oauth_grants as allowed', (join) =>
      join.onRef('allowed.account_id', '=', 'token.account_id').onRef('allowed.id', '=', 'token.grant_id'),
    )
    .where('token.hash', '=', hash)
    .select(GRANT)
    .select(['token.hash', 'token.kind', 'token.expires_at', 'token.used_at', 'token.revoked_at'])
    .executeTakeFirst();
}

/** Uses a refresh token up. @returns false when it was used or ended before */
export async function useRefreshToken(
  trx: CoreTransaction,
  accountId: AccountId,
  hash: string,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('oauth_tokens')
    .set({ used_at: at })
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Returns true if a used refresh token may be used again, as by a client that lost the answer or refreshes twice at
 * once: its first use was at `since` or later, and none of the tokens from it has been used.
 */
export async function mayRepeat(db: Db, accountId: AccountId, hash: string, since: Instant): Promise<boolean> {
  const row = await db
    .selectFrom('oauth_tokens as spent')
    .where('spent.account_id', '=', accountId)
    .where('spent.hash', '=', hash)
    .where('spent.used_at', '>=', since)
    .where('spent.revoked_at', 'is', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('oauth_tokens as next')
            .whereRef('next.account_id', '=', 'spent.account_id')
            .whereRef('next.grant_id', '=', 'spent.grant_id')
            .whereRef('next.hash', '<>', 'spent.hash')
            .whereRef('next.created_at', '>=', 'spent.used_at')
            .where('next.kind', '=', 'refresh')
            .where('next.used_at', 'is not', null)
            .select('next.hash'),
        ),
      ),
    )
    .select('spent.hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a grant for this transaction. @returns false when it was revoked */
export async function holdGrant(trx: CoreTransaction, accountId: AccountId, id: string): Promise<boolean> {
  const row = await trx
    .selectFrom('oauth_grants')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .select('revoked_at')
    .forUpdate()
    .executeTakeFirst();
  return row?.revoked_at === null;
}

export async function saveTokens(trx: CoreTransaction, rows: readonly OAuthTokenRow[]): Promise<void> {
  await trx
    .insertInto('oauth_tokens')
    .values([...rows])
    .execute();
}

/** Ends one token. @returns false when it had ended before */
export async function endToken(
  trx: CoreTransaction,
  accountId: AccountId,
  hash: string,
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('oauth_tokens')
    .set({ revoked_at: at })
    .where('account_id', '=', accountId)
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends a grant with all its tokens. @returns false when it had ended before */
export async function endGrant(
  trx: CoreTransaction,
  { account_id, id }: Pick<OAuthGrantRow, 'account_id' | 'id'>,
  at: Instant,
  why: string,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('oauth_grants')
    .set({ revoked_at: at, revoked_why: why })
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends all grants of an application in an account. */
export async function endGrantsOf(
  trx: CoreTransaction,
  { accountId, clientId }: { accountId: AccountId; clientId: string },
  at: Instant,
  why: string,
): Promise<void> {
  await trx
    .updateTable('oauth_grants')
    .set({ revoked_at: at, revoked_why: why })
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function hasLiveToken(
  db: Db,
  { accountId, clientId }: { accountId: AccountId; clientId: string },
  now: Instant,
): Promise<boolean> {
  const found = await liveOAuthTokens(db, now)
    .where('allowed.account_id', '=', accountId)
    .where('allowed.client_id', '=', clientId)
    .select('allowed.id')
    .limit(1)
    .execute();
  return found.length > 0;
}

/** Returns the accounts in which an application has live tokens or codes that are not exchanged yet. */
export async function accountsOf(db: Db, clientId: string): Promise<AccountId[]> {
  const rows = await db
    .selectFrom('oauth_grants')
    .where('client_id', '=', clientId)
    .where('revoked_at', 'is', null)
    .select('account_id')
    .distinct()
    .orderBy('account_id')
    .execute();
  return rows.map((row) => row.account_id);
}

/** Returns the connections of an account: application, person and scope. */
export function connectedTo(db: Db, accountId: AccountId, now: Instant) {
  return liveOAuthTokens(db, now)
    .innerJoin('operators as operator', (join) =>
      join.onRef('operator.account_id', '=', 'allowed.account_id').onRef('operator.id', '=', 'allowed.operator_id'),
    )
    .leftJoin('oauth_clients as client', 'client.client_id', 'allowed.client_id')
    .where('allowed.account_id', '=', accountId)
    .groupBy([
      'allowed.id',
      'allowed.client_id',
      'client.name',
      'operator.id',
      'operator.name',
      'allowed.scope',
      'allowed.audience',
      'allowed.created_at',
      'allowed.expires_at',
    ])
    .select([
      'allowed.client_id',
      'client.name as name',
      'operator.id as operator_id',
      'operator.name as operator_name',
      'allowed.scope',
      'allowed.audience',
      'allowed.created_at as since',
      'allowed.expires_at as until',
    ])
    .select((of) => of.fn.max('token.created_at').as('refreshed_at'))
    .orderBy('allowed.created_at', 'desc')
    .execute();
}

/** Adds one failure to the window. The count of an earlier window starts again. @returns the count */
export async function addFailure(db: Db, client_id: string, window_start: number): Promise<number> {
  const { failures } = await db
    .insertInto('oauth_failures')
    .values({ client_id, window_start, failures: 1 })
    .onConflict((conflict) =>
      conflict.column('client_id').doUpdateSet({
        failures: sql`case when oauth_failures.window_start = excluded.window_start then oauth_failures.failures + 1 else 1 end`,
        window_start: sql`excluded.window_start`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return failures;
}

export async function failuresIn(db: Db, clientId: string, windowStart: number): Promise<number> {
  const row = await db
    .selectFrom('oauth_failures')
    .where('client_id', '=', clientId)
    .where('window_start', '=', windowStart)
    .select('failures')
    .executeTakeFirst();
  return row?.failures ?? 0;
}

/** Returns the next account after this one that has grants. */
export async function nextAccount(db: Db, after: string): Promise<AccountId | undefined> {
  const next = await db
    .selectFrom('oauth_grants')
    .where('account_id', '>', after as AccountId)
    .select('account_id')
    .orderBy('account_id')
    .limit(1)
    .executeTakeFirst();
  return next?.account_id;
}

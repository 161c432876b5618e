import type { CoreDb, CoreTransaction } from '../core/accounts/ground.ts';
import type { Instant } from '../kernel/dates.ts';
import type { AccountId } from '../kernel/ids.ts';

/** The limits of one deletion. */
interface Batch {
  /** Rows that ended before this moment. */
  readonly before: Instant;
  /** Most rows. */
  readonly limit: number;
}

type OfAccount = Batch & { readonly accountId: AccountId };

/** Returns families that have expired while one of their tokens could still be used. */
export function familiesRunOut(
  db: CoreDb,
  { accountId, before: now, limit }: OfAccount,
): Promise<{ account_id: AccountId; grant_id: string; client_id: string }[]> {
  return db
    .selectFrom('oauth_grants as allowed')
    .where('allowed.account_id', '=', accountId)
    .where('allowed.revoked_at', 'is', null)
    .where('allowed.expires_at', '<=', now)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('oauth_tokens as token')
          .whereRef('token.account_id', '=', 'allowed.account_id')
          .whereRef('token.grant_id', '=', 'allowed.id')
          .where('token.used_at', 'is', null)
          .where('token.revoked_at', 'is', null)
          .select('token.hash'),
      ),
    )
    .select(['allowed.account_id', 'allowed.id as grant_id', 'allowed.client_id'])
    .limit(limit)
    .execute();
}

/**
 * Deletes expired tokens. A used refresh token is deleted with its family, since until then its reuse must be noticed.
 */
export async function deleteTokensOver(trx: CoreTransaction, { accountId, before, limit }: OfAccount): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('oauth_tokens')
    .where('account_id', '=', accountId)
    .where('hash', 'in', (over) =>
      over
        .selectFrom('oauth_tokens as token')
        .where('token.account_id', '=', accountId)
        .where('token.expires_at', '<', before)
        .select('token.hash')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes tokens of ended families. */
export async function deleteTokensEnded(
  trx: CoreTransaction,
  { accountId, before, limit }: OfAccount,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('oauth_tokens')
    .where('account_id', '=', accountId)
    .where('hash', 'in', (ended) =>
      ended
        .selectFrom('oauth_tokens as token')
        .innerJoin('oauth_grants as allowed', (join) =>
          join.onRef('allowed.account_id', '=', 'token.account_id').onRef('allowed.id', '=', 'token.grant_id'),
        )
        .where('token.account_id', '=', accountId)
        .where('allowed.revoked_at', '<', before)
        .select('token.hash')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Deletes codes that were never exchanged. An exchanged one is deleted with its family, since until then its reuse must
 * be noticed.
 */
export async function deleteCodesOver(trx: CoreTransaction, { accountId, before, limit }: OfAccount): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('oauth_codes')
    .where('account_id', '=', accountId)
    .where('hash', 'in', (over) =>
      over
        .selectFrom('oauth_codes as code')
        .innerJoin('oauth_grants as allowed', (join) =>
          join.onRef('allowed.account_id', '=', 'code.account_id').onRef('allowed.id', '=', 'code.grant_id'),
        )
        .where('code.account_id', '=', accountId)
        .where('code.expires_at', '<', before)
        .where((where) =>
          where.or([
            where('code.used_at', 'is', null),
            where('allowed.revoked_at', '<', before),
            where('allowed.expires_at', '<', before),
          ]),
        )
        .select('code.hash')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes grants without codes and tokens. */
export async function deleteGrantsEmpty(
  trx: CoreTransaction,
  { accountId, before, limit }: OfAccount,
): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('oauth_grants')
    .where('account_id', '=', accountId)
    .where('id', 'in', (empty) =>
      empty
        .selectFrom('oauth_grants as allowed')
        .where('allowed.account_id', '=', accountId)
        .where('allowed.created_at', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('oauth_tokens as token')
                .whereRef('token.account_id', '=', 'allowed.account_id')
                .whereRef('token.grant_id', '=', 'allowed.id')
                .select('token.hash'),
            ),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('oauth_codes as code')
                .whereRef('code.account_id', '=', 'allowed.account_id')
                .whereRef('code.grant_id', '=', 'allowed.id')
                .select('code.hash'),
            ),
          ),
        )
        .select('allowed.id')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/**
 * Deletes applications that registered themselves and have no grants, because no person authorised them or their grants
 * are deleted.
 */
export async function deleteClientsUnused(trx: CoreTransaction, { before, limit }: Batch): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('oauth_clients')
    .where('client_id', 'in', (unused) =>
      unused
        .selectFrom('oauth_clients as client')
        .where('client.origin', 'in', ['dynamic', 'document'])
        .where('client.created_at', '<', before)
        .where((where) => where.or([where('client.stale_at', 'is', null), where('client.stale_at', '<', before)]))
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('oauth_grants as allowed')
                .whereRef('allowed.client_id', '=', 'client.client_id')
                .select('allowed.id'),
            ),
          ),
        )
        .select('client.client_id')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes counts of wrong secrets and verifiers in past windows. */
export async function deleteFailuresBefore(trx: CoreTransaction, windowStart: number): Promise<void> {
  await trx.deleteFrom('oauth_failures').where('window_start', '<', windowStart).execute();
}

import type { Audience } from '../core/accounts/authenticate.ts';
import { type Change, type OAuthGrantRow, runChange, writeAudit } from '../core/accounts/ground.ts';
import { disconnectApplication } from '../core/accounts/disconnect.ts';
import { accountById } from '../core/accounts/subAccounts.ts';
import { freshToken } from '../core/accounts/tokens.ts';
import { instantOf } from '../kernel/dates.ts';
import type { AccountId } from '../kernel/ids.ts';
import { OAuthFailure } from './failure.ts';
import { requireOpen, secretsOf, verifiersOf } from './guard.ts';
import type { Scope } from './scopes.ts';
import type { OAuth } from './server.ts';
import { endGrant, hasLiveToken, holdGrant, mayRepeat, saveTokens, useRefreshToken } from './table.ts';

/** Seconds for which an access token is valid. */
export const ACCESS_SECONDS = 7 * 86_400;

/**
 * Milliseconds after its first use in which a refresh token may be used again. The description asks clients for one
 * refresh at a time.
 */
export const REPEAT_MS = 10_000;

/** The fields of a token family that are needed to issue tokens. */
export interface Family {
  readonly account_id: AccountId;
  readonly grant_id: string;
  readonly client_id: string;
  readonly scope: Scope;
  readonly audience: string;
  /** End of the grant, however often it is refreshed. */
  readonly grant_expires_at: OAuthGrantRow['expires_at'];
}

/** The tokens that an application receives. */
export interface TokenPair {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Lifetime in seconds. */
  readonly expires_in: number;
  readonly scope: Scope;
  readonly audience: readonly Audience[];
}

/**
 * Issues the next two tokens of a family; the access token has this scope and audience. With `spent`, the refresh token
 * that is exchanged, the new tokens commit together with its use: a crash leaves either the old token or the new ones.
 * @throws OAuthFailure invalid_grant when the family has ended, or when someone else has used the refresh token; the
 * family ends then
 */
export async function giveTokens(
  oauth: OAuth,
  family: Family,
  { scope, audience, spent }: { scope: Scope; audience: readonly Audience[]; spent?: string | undefined },
): Promise<TokenPair> {
  const { core } = oauth;
  const { account_id, grant_id } = family;
  const access = freshToken(core.random, 'access');
  const refresh = freshToken(core.random, 'refresh');
  const fate = await core.store.transaction(async (trx) => {
    const now = core.clock.now();
    const at = instantOf(now);
    // Guesses that ran concurrently may have locked the client meanwhile.
    await requireOpen(trx, secretsOf(family.client_id), now);
    await requireOpen(trx, verifiersOf(family), now);
    if (!(await holdGrant(trx, account_id, grant_id))) return 'ended';
    if (spent !== undefined && !(await useRefreshToken(trx, account_id, spent, at))) {
      if (!(await mayRepeat(trx, account_id, spent, instantOf(now - REPEAT_MS)))) return 'used';
    }
    await saveTokens(trx, tokenRows(family, { scope, audience, access: access.hash, refresh: refresh.hash, now }));
    const action = spent === undefined ? 'give oauth tokens' : 'refresh oauth tokens';
    const actor = { account: { account_id }, operator: null, clientId: family.client_id };
    const values = { after: { scope, audience } };
    await writeAudit(trx, core, actor, [{ action, subject: `oauth client ${family.client_id}`, values }]);
    return 'given';
  });
  if (fate === 'used') await endFamily(oauth, family, 'a refresh token was used twice');
  if (fate !== 'given') throw new OAuthFailure('invalid_grant', 'What was allowed has ended.');
  return {
    access_token: access.token,
    refresh_token: refresh.token,
    expires_in: ACCESS_SECONDS,
    scope,
    audience,
  };
}

/** Returns the rows of an access token and of the refresh token that goes with it. */
function tokenRows(
  family: Family,
  given: { scope: Scope; audience: readonly Audience[]; access: string; refresh: string; now: number },
): Parameters<typeof saveTokens>[1] {
  const { account_id, grant_id } = family;
  const both = { account_id, grant_id, created_at: instantOf(given.now), used_at: null, revoked_at: null };
  return [
    {
      ...both,
      hash: given.access,
      kind: 'access',
      scope: given.scope,
      audience: given.audience.join(' '),
      expires_at: instantOf(given.now + ACCESS_SECONDS * 1_000),
    },
    {
      ...both,
      hash: given.refresh,
      kind: 'refresh',
      scope: family.scope,
      audience: family.audience,
      expires_at: family.grant_expires_at,
    },
  ];
}

/** Ends all tokens of a family: two parties hold one of them, and the rightful one is unknown. */
export async function endFamily(
  { core }: OAuth,
  { account_id, grant_id, client_id }: Pick<Family, 'account_id' | 'grant_id' | 'client_id'>,
  why: string,
): Promise<void> {
  const account = await accountById(core.store.db, account_id);
  await runChange(core, { account, operator: null }, async (change) => {
    if (!(await endGrant(change.trx, { account_id, id: grant_id }, instantOf(change.now), why))) return;
    change.audit(`end oauth grant: ${why}`, `oauth client ${client_id}`);
    await disconnectWithLast(change, client_id);
  });
}

/** Disconnects an application whose last token in an account has just ended. */
export async function disconnectWithLast(change: Change, clientId: string): Promise<void> {
  const where = { accountId: change.account.account_id, clientId };
  if (await hasLiveToken(change.trx, where, instantOf(change.now))) return;
  await disconnectApplication(change, clientId);
}

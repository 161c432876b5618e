import OAuth2Server from '@node-oauth/oauth2-server';
import type { Audience } from '../core/accounts/authenticate.ts';
import { hashToken } from '../core/accounts/tokens.ts';
import { instantOf, msOf } from '../kernel/dates.ts';
import { audienceAsked } from './audience.ts';
import { authenticateClient, type Client } from './clients.ts';
import { isOAuthError, OAuthFailure } from './failure.ts';
import { ACCESS_SECONDS, endFamily, type Family, giveTokens, REPEAT_MS, type TokenPair } from './grants.ts';
import { countFailure, requireOpen, verifiersOf } from './guard.ts';
import { provesChallenge } from './pkce.ts';
import type { Scope } from './scopes.ts';
import type { OAuth } from './server.ts';
import { findCode, findToken, mayRepeat, useCode } from './table.ts';

/** An application's request for tokens. */
interface Exchange {
  readonly grant_type: string | undefined;
  readonly client_id: string | undefined;
  readonly client_secret: string | undefined;
  readonly code: string | undefined;
  readonly code_verifier: string | undefined;
  readonly redirect_uri: string | undefined;
  readonly refresh_token: string | undefined;
  readonly scope: string | undefined;
  /** Addresses that the access token is for; none: all that the person allowed. */
  readonly resources: readonly string[];
}

/**
 * An expiry that never passes. The library compares with the machine's clock, while this code checks expiry with its
 * own.
 */
const NOT_OVER = new Date(8_640_000_000_000_000);
/** Field that each type of grant exchanges. */
const NEEDED = { authorization_code: 'code', refresh_token: 'refresh_token' } as const;
const GRANTS = Object.keys(NEEDED);

/**
 * Exchanges a code or a refresh token for tokens. The library handles the grants; its model connects our storage and
 * the rules that it lacks.
 * @throws OAuthFailure
 */
export async function exchange(oauth: OAuth, asked: Exchange): Promise<TokenPair> {
  if (asked.grant_type === undefined) throw new OAuthFailure('invalid_request', 'grant_type: is required');
  const client = await authenticateClient(oauth, { clientId: asked.client_id, secret: asked.client_secret });
  if (!GRANTS.includes(asked.grant_type)) {
    throw new OAuthFailure('unsupported_grant_type', `grant_type: ${GRANTS.join(' and ')} are the only ones`);
  }
  const needed = NEEDED[asked.grant_type as keyof typeof NEEDED];
  if (!asked[needed]) throw new OAuthFailure('invalid_request', `${needed}: is required`);
  const model = new ExchangeModel(oauth, client, asked);
  const server = new OAuth2Server({
    model,
    accessTokenLifetime: ACCESS_SECONDS,
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
  });
  try {
    await server.token(requestOf(client, asked), new OAuth2Server.Response());
  } catch (error) {
    throw failureOf(error);
  }
  if (!model.given) throw new Error('the library gave an answer without tokens');
  return model.given;
}

/**
 * Returns the request for the library, with the client, which is authenticated already, and the fields of its grant.
 */
function requestOf(
  client: Client,
  { client_id: _, client_secret: __, resources: ___, ...fields }: Exchange,
): OAuth2Server.Request {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return new OAuth2Server.Request({
    method: 'POST',
    query: {},
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '1' },
    // A client_id can be an address of any length; the library only needs a valid one.
    body: { ...Object.fromEntries(given), client_id: client.client_id },
  });
}

type Model = OAuth2Server.AuthorizationCodeModel & OAuth2Server.RefreshTokenModel;

/** The library's model for one exchange. */
class ExchangeModel implements Model {
  readonly #oauth: OAuth;
  readonly #client: Client;
  readonly #asked: Exchange;
  readonly #party: { id: string; grants: string[] };
  /** The tokens, once they are given. */
  given: TokenPair | undefined;

  constructor(oauth: OAuth, client: Client, asked: Exchange) {
    this.#oauth = oauth;
    this.#client = client;
    this.#asked = asked;
    this.#party = { id: client.client_id, grants: GRANTS };
  }

  async getClient(): Promise<OAuth2Server.Client> {
    return this.#party;
  }

  /** Not used: access tokens are checked per protected resource. */
  async getAccessToken(): Promise<undefined> {}

  /** Not used: codes are made where people are asked. */
  async saveAuthorizationCode(): Promise<undefined> {}

  async generateAccessToken(): Promise<string> {
    return 'ours';
  }

  async generateRefreshToken(): Promise<string> {
    return 'ours';
  }

  async getAuthorizationCode(code: string): Promise<OAuth2Server.AuthorizationCode | undefined> {
    const { core } = this.#oauth;
    const { db } = core.store;
    const row = await findCode(db, hashToken(code));
    if (!row || row.client_id !== this.#client.client_id) return undefined;
    await requireOpen(db, verifiersOf(row), core.clock.now());
    if (row.used_at !== null) {
      await endFamily(this.#oauth, row, 'a code was used twice');
      return undefined;
    }
    if (msOf(row.expires_at) <= core.clock.now() || row.grant_revoked_at !== null) return undefined;
    return {
      authorizationCode: code,
      expiresAt: NOT_OVER,
      redirectUri: redirectToRepeat(this.#client, this.#asked, row.redirect_uri),
      client: this.#party,
      user: { family: row },
      ...(row.code_challenge !== null && { codeChallenge: row.code_challenge, codeChallengeMethod: 'S256' }),
    };
  }

  /** Uses the code up before its verifier is checked, so that a guess costs a code. */
  async revokeAuthorizationCode(code: OAuth2Server.AuthorizationCode): Promise<boolean> {
    const { authorizationCode, user, codeChallenge } = code;
    const { clock, store } = this.#oauth.core;
    const family = user['family'] as Family;
    const now = clock.now();
    if (!(await useCode(store.db, family.account_id, hashToken(authorizationCode), instantOf(now)))) {
      await endFamily(this.#oauth, family, 'a code was used twice');
      return false;
    }
    const { code_verifier: verifier } = this.#asked;
    if (codeChallenge !== undefined && !verifier) {
      throw new OAuthFailure('invalid_grant', 'code_verifier: is required, since a code_challenge was sent');
    }
    if (codeChallenge !== undefined && !provesChallenge(verifier ?? '', codeChallenge)) {
      await countFailure(store.db, verifiersOf(family), now);
      throw new OAuthFailure('invalid_grant', 'code_verifier: is wrong');
    }
    return true;
  }

  async getRefreshToken(token: string): Promise<OAuth2Server.RefreshToken | undefined> {
    const { clock, store } = this.#oauth.core;
    const row = await findToken(store.db, hashToken(token));
    if (!row || row.kind !== 'refresh' || row.client_id !== this.#client.client_id) return undefined;
    await requireOpen(store.db, verifiersOf(row), clock.now());
    const repeatable = instantOf(clock.now() - REPEAT_MS);
    if (row.used_at !== null && !(await mayRepeat(store.db, row.account_id, row.hash, repeatable))) {
      await endFamily(this.#oauth, row, 'a refresh token was used twice');
      return undefined;
    }
    const isOver = msOf(row.expires_at) <= clock.now();
    if (isOver || row.revoked_at !== null || row.grant_revoked_at !== null) return undefined;
    return {
      refreshToken: token,
      scope: scopesOf(row.scope),
      client: this.#party,
      user: { family: row, spent: row.hash },
    };
  }

  /** The token is used up in the transaction that stores the new tokens. */
  async revokeToken(): Promise<boolean> {
    return true;
  }

  async saveToken(
    { scope }: OAuth2Server.Token,
    _client: OAuth2Server.Client,
    user: OAuth2Server.User,
  ): Promise<OAuth2Server.Token> {
    const family = user['family'] as Family;
    const less = scope !== undefined && !scope.includes('write');
    this.given = await giveTokens(this.#oauth, family, {
      scope: less ? 'read' : family.scope,
      audience: audienceWithin(this.#oauth, family, this.#asked.resources),
      spent: user['spent'] as string | undefined,
    });
    return { accessToken: 'ours', client: this.#party, user };
  }
}

/**
 * Returns the redirect URI that an exchange must repeat; '' where it need not: the request for the code did not name
 * one, or the application has registered no other.
 */
function redirectToRepeat({ redirectUris }: Client, { redirect_uri }: Exchange, named: string | null): string {
  if (named === null) return '';
  if (redirect_uri !== undefined) return named;
  if (redirectUris.length === 1) return '';
  throw new OAuthFailure(
    'invalid_request',
    'redirect_uri: is required, as in the request for the code, since several are registered',
  );
}

function scopesOf(scope: Scope): string[] {
  return scope === 'write' ? ['read', 'write'] : ['read'];
}

/** Returns the requested protected resources; none: all that the person allowed. */
function audienceWithin(oauth: OAuth, { audience }: Family, resources: readonly string[]): Audience[] {
  const granted = audience.split(' ') as Audience[];
  if (resources.length === 0) return granted;
  const now = audienceAsked(oauth, resources);
  if (now.every((one) => granted.includes(one))) return now;
  throw new OAuthFailure('invalid_target', 'resource: the person was not asked for that');
}

/** Converts the library's error to ours. An error of ours comes back wrapped. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof OAuth2Server.OAuthError)) return error;
  const inner: unknown = 'inner' in error ? error.inner : undefined;
  if (inner instanceof OAuthFailure) return inner;
  if (error instanceof OAuth2Server.ServerError || !isOAuthError(error.name)) return inner ?? error;
  return new OAuthFailure(error.name, error.message, { cause: error });
}

import type { Dialect, Row } from './show.ts';

export interface Answered {
  /** HTTP status. */
  status: number;
  body: Row;
}

/** Access by OAuth: a pair of tokens that a refresh takes the place of. */
export interface TokenService {
  /** A pair as consent would have given it. */
  issue(): { accessToken: string; refreshToken: string };
  isGood(token: string): boolean;
  /** Ends an access token, as seven days do. */
  expire(token: string): void;
  /** undefined: it is no path of OAuth. */
  answer(method: string, path: string, body: Row): Answered | undefined;
}

const LIFE_S = 7 * 24 * 60 * 60;

/** The address of the service, as others see it. */
export function tokenService(
  dialect: Dialect,
  client: { id: string; secret: string },
  origin: () => string,
): TokenService {
  const live = new Set<string>();
  const refreshers = new Set<string>();
  let next = 0;

  function issue() {
    next += 1;
    const pair = { accessToken: `access-${next}`, refreshToken: `refresh-${next}` };
    live.add(pair.accessToken);
    refreshers.add(pair.refreshToken);
    return pair;
  }

  function refresh(body: Row): Row | undefined {
    const isClient = body['client_id'] === client.id && body['client_secret'] === client.secret;
    const old = String(body['refresh_token']);
    if (!isClient || body['grant_type'] !== 'refresh_token' || !refreshers.delete(old)) return undefined;
    const { accessToken, refreshToken } = issue();
    return { access_token: accessToken, refresh_token: refreshToken, token_type: 'Bearer', expires_in: LIFE_S };
  }

  /** JSON in, the envelope out, HTTP 200 whatever comes of it. */
  function byJson(body: Row): Answered {
    const data = refresh(body);
    return data
      ? { status: 200, body: { request_id: 'f', error_code: 200, error_msg: 'Done.', data } }
      : { status: 200, body: { request_id: 'f', error_code: 401, error_msg: 'Invalid client' } };
  }

  /** A form in, the standard's own body out. */
  function byForm(body: Row): Answered {
    const data = refresh(body);
    return data ? { status: 200, body: data } : { status: 400, body: { error: 'invalid_grant' } };
  }

  function metadata(): Answered {
    const base = origin();
    return {
      status: 200,
      body: {
        issuer: base,
        authorization_endpoint: `${base}/oauth/authorize`,
        token_endpoint: `${base}/oauth/token`,
        revocation_endpoint: `${base}/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
      },
    };
  }

  return {
    issue,
    isGood: (token) => live.has(token),
    expire: (token) => void live.delete(token),
    answer(method, path, body) {
      if (path === '/v3/oauth/authorizations' && method === 'POST') return byJson(body);
      if (path === '/v3/oauth/revoke' && method === 'POST') {
        live.delete(String(body['token']));
        refreshers.delete(String(body['token']));
        return { status: 200, body: { request_id: 'f', error_code: 200, error_msg: 'Done.' } };
      }
      // The public service has no discovery.
      if (dialect === 'hostex') return undefined;
      if (path.startsWith('/.well-known/')) return metadata();
      return path === '/oauth/token' && method === 'POST' ? byForm(body) : undefined;
    },
  };
}

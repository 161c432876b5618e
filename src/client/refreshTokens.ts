import {
  type AuthorizationServer,
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discoveryRequest,
  None,
  processDiscoveryResponse,
  processRefreshTokenResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
} from 'oauth4webapi';
import { messageOf } from '../kernel/errors.ts';
import { CallError, transportFailure } from './callError.ts';
import { openPool } from './transport.ts';

/** The identity of an application at an authorization server. */
export interface OAuthClient {
  /** The authorization server, as its metadata names itself. */
  readonly issuer: string;
  readonly clientId: string;
  /** null for a public client. */
  readonly clientSecret: string | null;
}

export interface FreshTokens {
  readonly accessToken: string;
  /** null if the sent one remains valid. */
  readonly refreshToken: string | null;
  readonly expiresInMs: number;
}

/** Exchanges a refresh token. Every failure is a CallError: `host` if only a person can help. */
export type Refresh = (client: OAuthClient, refreshToken: string) => Promise<FreshTokens>;

const OPERATION = 'createAuthorization';
/** Seconds that a token lives if the other side does not state it. */
const USUAL_SECONDS = 3_600;
const ANSWER_BYTES = 64 * 1_024;
/** Final refusals: a person must grant access again, or correct the configuration; everything else may pass. */
const FINAL = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client', 'unsupported_grant_type']);

/** Creates a refresh at the address in the authorization server's own metadata (RFC 8414). */
export function refreshTokens(userAgent: string): Refresh {
  return async ({ issuer, clientId, clientSecret }, refreshToken) => {
    const url = new URL(issuer);
    const options = {
      [customFetch]: fetchThrough(userAgent),
      // The owner configured the address, so http in it is intended.
      [allowInsecureRequests]: url.protocol === 'http:',
    };
    try {
      const found = await discoveryRequest(url, { ...options, algorithm: 'oauth2' });
      const server: AuthorizationServer = await processDiscoveryResponse(url, found);
      const auth = clientAuth(server, clientSecret);
      const client = { client_id: clientId };
      const answer = await refreshTokenGrantRequest(server, client, auth, refreshToken, options);
      const given = await processRefreshTokenResponse(server, client, answer);
      return {
        accessToken: given.access_token,
        refreshToken: given.refresh_token ?? null,
        expiresInMs: (given.expires_in ?? USUAL_SECONDS) * 1_000,
      };
    } catch (error) {
      throw failureOf(error);
    }
  };
}

/** Chooses the method in which the server accepts the secret; a server that names none gets the usual one. */
function clientAuth(
  { token_endpoint_auth_methods_supported: methods }: AuthorizationServer,
  secret: string | null,
): ClientAuth {
  if (secret === null) return None();
  const isByForm = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return isByForm ? ClientSecretPost(secret) : ClientSecretBasic(secret);
}

function failureOf(error: unknown): CallError {
  if (error instanceof ResponseBodyError) {
    const message = `${error.error}: ${error.error_description ?? 'the authorization server gives no reason'}`;
    if (FINAL.has(error.error)) {
      return new CallError({ operation: OPERATION, kind: 'api', code: 401, client: 'host', message, cause: error });
    }
    if (error.status === 429) {
      return new CallError({ operation: OPERATION, kind: 'api', code: 429, client: 'retry', message, cause: error });
    }
    return transportFailure(OPERATION, message, error);
  }
  return transportFailure(OPERATION, `no new access token could be had (${messageOf(error)})`, error);
}

interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Sends one request on its own connection, because it happens once a week. */
function fetchThrough(userAgent: string) {
  return async (address: string, { method = 'GET', headers = {}, body }: Asked): Promise<Response> => {
    const pool = openPool(address);
    try {
      const { pathname, search } = new URL(address);
      const answer = await pool.request({
        path: pathname + search,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: { ...headers, 'user-agent': userAgent },
        body: body instanceof URLSearchParams ? body.toString() : null,
      });
      const text = await textOf(answer.body);
      const type = String(answer.headers['content-type'] ?? '');
      return new Response(text, { status: answer.statusCode, headers: { 'content-type': type } });
    } finally {
      await pool.destroy();
    }
  };
}

async function textOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) throw new Error(`an answer of more than ${ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

import type { Authenticated, Audience } from '../core/accounts/authenticate.ts';
import { runChange } from '../core/accounts/ground.ts';
import { freshToken } from '../core/accounts/tokens.ts';
import { instantOf } from '../kernel/dates.ts';
import { audienceAsked } from './audience.ts';
import { type Client, knownClient } from './clients.ts';
import { describedClient, isDocumentAddress } from './documents.ts';
import { OAuthFailure } from './failure.ts';
import { CHALLENGE_METHOD, isChallenge } from './pkce.ts';
import { matchesRedirect, withAnswer } from './redirects.ts';
import { type Scope, scopeAsked } from './scopes.ts';
import type { OAuth } from './server.ts';
import { saveGrant } from './table.ts';

/** Milliseconds for which a code can be exchanged. */
const CODE_MS = 60_000;
const DAY_MS = 86_400_000;
const LONGEST_STATE = 2_000;

/** The validated request of an application for a person's permission. */
export interface Authorization {
  readonly client: Client;
  /** Address that receives the answer. */
  readonly redirectUri: string;
  /** true: the request named the address, so the exchange must name it too. */
  readonly namesRedirect: boolean;
  readonly state: string | undefined;
  readonly scope: Scope;
  readonly audience: readonly Audience[];
  readonly challenge: string | null;
}

/** Thrown for a request that is refused: on a page of ours, or (`answer`) at the application's own address. */
export class RefusedAuthorization extends Error {
  override readonly name = 'RefusedAuthorization';
  readonly answer: string | undefined;
  /** The application that asked, once it is known. */
  readonly client: Client | undefined;

  constructor(failure: OAuthFailure, to: { answer?: string; client?: Client } = {}) {
    super(failure.message, { cause: failure });
    this.answer = to.answer;
    this.client = to.client;
  }
}

/**
 * Parses the request that a browser brings to `/oauth/authorize`. Nothing is sent anywhere until application and
 * redirect URI are verified.
 * @param mayFetch true: the description of an application may be read from its own server
 * @throws RefusedAuthorization
 */
export async function readAuthorization(
  oauth: OAuth,
  query: URLSearchParams,
  { mayFetch }: { mayFetch: boolean },
): Promise<Authorization> {
  const { client, redirectUri, namesRedirect } = await whereTo(oauth, query, mayFetch);
  const state = query.get('state') ?? undefined;
  try {
    requireSingle(query);
    if ((state?.length ?? 0) > LONGEST_STATE) {
      throw new OAuthFailure('invalid_request', `state: is longer than ${LONGEST_STATE} characters`);
    }
    requireCodeFlow(query);
    const audience = audienceAsked(oauth, query.getAll('resource'));
    const scope = scopeAsked(query.get('scope') ?? undefined, client.scope);
    const challenge = challengeOf(query);
    if (challenge === null && (client.kind === 'public' || audience.includes('mcp'))) {
      throw new OAuthFailure(
        'invalid_request',
        `code_challenge: is required of a public application, and of any for /mcp (code_challenge_method ${CHALLENGE_METHOD})`,
      );
    }
    return { client, redirectUri, namesRedirect, state, scope, audience, challenge };
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error;
    throw new RefusedAuthorization(error, { client, answer: refusalAt(oauth, { redirectUri, state }, error) });
  }
}

/** Answers for a person who refuses. @returns the browser's next address */
export function denied(oauth: OAuth, asked: Pick<Authorization, 'redirectUri' | 'state'>): string {
  return refusalAt(oauth, asked, new OAuthFailure('access_denied', 'The person did not allow it.'));
}

/** Answers for a person who agrees. @returns the browser's next address, with the code */
export async function allowed(oauth: OAuth, asked: Authorization, who: Authenticated): Promise<string> {
  const { core, settings } = oauth;
  const code = freshToken(core.random, 'code');
  const { account_id } = who.account;
  await runChange(core, who, async ({ trx, now, audit }) => {
    const id = core.ids();
    const grant = {
      account_id,
      id,
      client_id: asked.client.client_id,
      operator_id: who.operator.id,
      scope: asked.scope,
      audience: asked.audience.join(' '),
      created_at: instantOf(now),
      expires_at: instantOf(now + settings.grantDays * DAY_MS),
      revoked_at: null,
      revoked_why: null,
    };
    await saveGrant(trx, grant, {
      account_id,
      hash: code.hash,
      grant_id: id,
      redirect_uri: asked.namesRedirect ? asked.redirectUri : null,
      code_challenge: asked.challenge,
      expires_at: instantOf(now + CODE_MS),
      used_at: null,
    });
    audit(`allow ${asked.scope}`, `oauth client ${asked.client.client_id}`);
  });
  return withAnswer(asked.redirectUri, { code: code.token, state: asked.state, iss: core.publicUrl() });
}

/** Returns true if the application belongs to another account only. */
export function isForOthers({ client }: Pick<Authorization, 'client'>, { account }: Authenticated): boolean {
  return client.account_id !== '' && client.account_id !== account.account_id;
}

async function whereTo(oauth: OAuth, query: URLSearchParams, mayFetch: boolean) {
  const [clientId, twice] = query.getAll('client_id');
  if (clientId === undefined || clientId === '') throw onPage('invalid_request', 'The link names no application.');
  if (twice !== undefined) throw onPage('invalid_request', 'The link names two applications.');
  const client = await clientNamed(oauth, clientId, mayFetch);
  const [named, second] = query.getAll('redirect_uri');
  if (second !== undefined) throw onPage('invalid_request', 'The link names two addresses to return to.');
  const [only, ...others] = client.redirectUris;
  const redirectUri = named ?? (others.length === 0 ? only : undefined);
  if (redirectUri === undefined) throw onPage('invalid_request', 'The link does not say where to return to.');
  if (!client.redirectUris.some((registered) => matchesRedirect(registered, redirectUri))) {
    throw onPage('invalid_request', 'The address to return to is not one that the application has registered.');
  }
  return { client, redirectUri, namesRedirect: named !== undefined };
}

async function clientNamed(oauth: OAuth, clientId: string, mayFetch: boolean): Promise<Client> {
  try {
    const client = isDocumentAddress(clientId)
      ? await describedClient(oauth, clientId, mayFetch)
      : await knownClient(oauth, clientId);
    if (client) return client;
  } catch (error) {
    if (error instanceof OAuthFailure) throw new RefusedAuthorization(error);
    throw error;
  }
  throw onPage('invalid_client', 'This application is not known here. Its owner has to register it first.');
}

/** Refuses repeated parameters, except `resource` (RFC 6749, 8707). */
function requireSingle(query: URLSearchParams): void {
  const names = [...query.keys()].filter((name) => name !== 'resource');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new OAuthFailure('invalid_request', 'A parameter stands there twice.');
}

function requireCodeFlow(query: URLSearchParams): void {
  if (query.has('request') || query.has('request_uri')) {
    throw new OAuthFailure('request_not_supported', 'Requests as tokens are not read.');
  }
  // A request without response_type can mean no other flow, and public clients leave it out.
  if ((query.get('response_type') ?? 'code') !== 'code')
    throw new OAuthFailure('unsupported_response_type', 'response_type: code is the only one');
  if ((query.get('response_mode') ?? 'query') !== 'query') {
    throw new OAuthFailure('invalid_request', 'response_mode: query is the only one');
  }
}

function challengeOf(query: URLSearchParams): string | null {
  const challenge = query.get('code_challenge');
  const method = query.get('code_challenge_method');
  if (challenge === null) {
    if (method === null) return null;
    throw new OAuthFailure('invalid_request', 'code_challenge: is missing');
  }
  // Without a method the challenge would mean `plain`.
  if (method !== CHALLENGE_METHOD) {
    throw new OAuthFailure('invalid_request', `code_challenge_method: ${CHALLENGE_METHOD} is the only one`);
  }
  if (!isChallenge(challenge)) {
    throw new OAuthFailure('invalid_request', 'code_challenge: must be a SHA-256 in base64url, 43 characters');
  }
  return challenge;
}

function refusalAt(
  { core }: OAuth,
  { redirectUri, state }: Pick<Authorization, 'redirectUri' | 'state'>,
  { error, message }: OAuthFailure,
): string {
  return withAnswer(redirectUri, { error, error_description: message, state, iss: core.publicUrl() });
}

function onPage(error: 'invalid_request' | 'invalid_client', message: string): RefusedAuthorization {
  return new RefusedAuthorization(new OAuthFailure(error, message));
}

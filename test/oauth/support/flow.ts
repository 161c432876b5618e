import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { acceptInvite, invite } from '../../../src/core/people/signIn.ts';
import { addClient, type ClientDraft } from '../../../src/oauth/clients.ts';
import type { OAuth } from '../../../src/oauth/server.ts';
import type { AccountRow } from '../../../src/core/database.ts';
import type { TestCore } from '../../support/core.ts';

export const REDIRECT = 'https://app.example/callback';
export const PASSWORD = 'correct horse battery staple';

/** A verifier and the challenge made of it. */
export function pkcePair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

export interface Registered {
  client_id: string;
  client_secret?: string;
}

/** Registers an application for everybody. */
export function register(oauth: OAuth, draft: Partial<ClientDraft> = {}): Promise<Registered> {
  const whole: ClientDraft = {
    name: 'Channel helper',
    kind: 'public',
    redirectUris: [REDIRECT],
    scope: 'write',
    ...draft,
  };
  return addClient(oauth, null, whole);
}

/** Signs a person in, who has no login yet. @returns the cookie of their browser */
export async function signedIn(
  core: TestCore,
  account: AccountRow,
  login: string,
  operatorId?: number,
): Promise<string> {
  const { secret } = await invite(core.core, account, operatorId);
  return `stayd_session=${await acceptInvite(core.core, { secret, login, password: PASSWORD })}`;
}

export type Fields = Record<string, string | undefined>;

/** A browser of somebody who is signed in, with what it sends along. */
export class Browser {
  readonly #core: TestCore;
  readonly cookie: string | undefined;

  constructor(core: TestCore, cookie?: string) {
    this.#core = core;
    this.cookie = cookie;
  }

  get(path: string): Promise<LightMyRequestResponse> {
    return this.#core.app.inject({ url: path, headers: { ...(this.cookie && { cookie: this.cookie }) } });
  }

  /** A form that a page of ours sends, unless told otherwise. */
  post(path: string, fields: Fields, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) {
    return this.#core.app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(this.cookie && { cookie: this.cookie }),
        ...headers,
      },
      payload: formText(fields),
    });
  }

  /** The whole of it: asks, and answers what the page asks. @returns the parameters of where it leads */
  async consent(query: Fields, answer: 'allow' | 'deny' = 'allow'): Promise<URLSearchParams> {
    const page = await this.get(`/oauth/authorize?${formText(query)}`);
    assert.equal(page.statusCode, 200, page.body);
    const left = await this.post('/oauth/consent', { request: sealedIn(page.body), answer });
    assert.equal(left.statusCode, 303, left.body);
    return paramsOf(left);
  }
}

export function formText(fields: Fields): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) text.append(name, value);
  return text.toString();
}

/** What a consent page carries in its form. */
export function sealedIn(page: string): string {
  const [, sealed] = /name="request" value="([^"]+)"/.exec(page) ?? [];
  assert.ok(sealed, page);
  return sealed;
}

/** The parameters of the address that an answer leads to. */
export function paramsOf(answer: LightMyRequestResponse): URLSearchParams {
  return new URL(String(answer.headers.location)).searchParams;
}

/** What an application sends to `/oauth/token` and the like. */
export function post(core: TestCore, path: string, fields: Fields, headers: Record<string, string> = {}) {
  return core.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: formText(fields),
  });
}

export interface Given {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
}

/** An application that a person has let in. */
export async function connect(
  core: TestCore,
  browser: Browser,
  client: Registered,
  more: { scope?: string; resource?: string; redirect_uri?: string } = {},
): Promise<Given> {
  const { verifier, challenge } = pkcePair();
  const { client_id } = client;
  const { resource, ...rest } = more;
  const asked = { redirect_uri: REDIRECT, scope: 'write', ...rest };
  const answered = await browser.consent({
    client_id,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...(resource !== undefined && { resource }),
    ...asked,
  });
  const exchanged = await post(core, '/oauth/token', {
    ...client,
    grant_type: 'authorization_code',
    code: answered.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: asked.redirect_uri,
  });
  assert.equal(exchanged.statusCode, 200, exchanged.body);
  return exchanged.json<Given>();
}

export function refresh(core: TestCore, client: Registered, refresh_token: string, more: Fields = {}) {
  return post(core, '/oauth/token', { ...client, grant_type: 'refresh_token', refresh_token, ...more });
}

/** Whether an access token opens v3. */
export async function opens(core: TestCore, token: string): Promise<boolean> {
  const { error_code } = await core.request('GET', '/accounts/me', {
    token: null,
    headers: { authorization: `Bearer ${token}` },
  });
  return error_code === 200;
}

import assert from 'node:assert/strict';
import { portal, type Reached } from './service.ts';

/** Who is signed in at a service that runs, by the cookie of their browser. */
export async function signIn(service: Reached, login = 'ann'): Promise<string> {
  const { secret } = await portal(service, 'POST', '/portal/invites', {});
  const accepted = await fetch(`${service.url}/portal/invites/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret, login, password: 'correct horse battery staple' }),
  });
  assert.equal(accepted.status, 200, await accepted.text());
  return (accepted.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}

/** Opens the address that an application sends a person to, and allows what is asked there. @returns where it leads */
export async function allow(service: Reached, cookie: string, address: string): Promise<string> {
  const page = await (await fetch(address, { headers: { cookie } })).text();
  const [, request] = /name="request" value="([^"]+)"/.exec(page) ?? [];
  assert.ok(request, page);
  const answered = await fetch(`${service.url}/oauth/consent`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      cookie,
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams({ request, answer: 'allow' }).toString(),
  });
  assert.equal(answered.status, 303, await answered.text());
  return answered.headers.get('location') ?? '';
}

/** Registers an application, as `./stayd oauth client` does. @returns its client_id */
export async function addApplication(service: Reached, redirect: string): Promise<string> {
  const draft = { name: 'Assistant', kind: 'public', redirect_uris: [redirect] };
  return (await portal(service, 'POST', '/portal/oauth/clients', draft)).client_id;
}

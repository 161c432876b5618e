import { createHash, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { addDays, dateIn, LAST_DATE } from '../../../src/kernel/dates.ts';
import { MOST_WEBHOOKS } from '../../../src/core/webhooks/register.ts';
import { type Answered, call, portal, type Reached, rowsOf, until } from '../../support/service.ts';

/** What a service is attacked with, and by whom. It must let webhooks reach this machine. */
export interface Attacked {
  service: Reached;
  /** The account that is attacked, by a writable token of its main account. */
  token: string;
  /** Made-up addresses of shared calendars, and how often one of them is asked for. */
  junk: number;
}

/** One way of stopping or robbing everybody. */
export interface Attack {
  name: string;
  /** @returns what the attacker has achieved; nothing: it was held */
  play(attacked: Attacked): Promise<string[]>;
}

const PASSWORD = 'a quiet heron over wet stones';
const REDIRECT = 'http://127.0.0.1:9/callback';
const BROWSER = { 'sec-fetch-site': 'same-origin' };
/** An attack that holds others up takes for ever, or seconds; a busy machine takes less. */
const PATIENCE_MS = 10_000;
const OTHERS_WAIT_MS = 2_000;

const soon = (days: number) => addDays(dateIn('UTC', Date.now()), days);
const unlike = (what: string, answer: Answered, isHeld: boolean) =>
  isHeld ? [] : [`${what}: ${answer.http} ${answer.text.slice(0, 200)}`];
const byToken = (token: string) => ({ token });
const bearer = (token: string) => ({ token: null, headers: { authorization: `Bearer ${token}` } });

let made = 0;
/** A name that was not used before, on this service or another. */
const fresh = (what: string) => `${what} ${(made += 1)} ${randomBytes(3).toString('hex')}`;

/** What is asked while others ask, too. @returns what came of it, and how long the others waited at the most */
async function beside(service: Reached, work: () => Promise<Answered>): Promise<string[]> {
  let longest = 0;
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await fetch(`${service.url}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) }).then((one) => one.text());
      longest = Math.max(longest, performance.now() - begun);
    }
  })();
  const answer = await Promise.race([
    work(),
    new Promise<string>((resolve) => setTimeout(() => resolve('no end'), PATIENCE_MS).unref()),
  ]);
  isOver = true;
  const waited = await others.then(() => longest).catch(() => Infinity);
  const hung = answer === 'no end' ? [`no answer in ${PATIENCE_MS} ms`] : [];
  const held = waited > OTHERS_WAIT_MS ? [`others waited for ${waited} ms`] : [];
  const taken =
    typeof answer === 'object' && answer.text.includes('"error_code":200')
      ? [`taken: ${answer.text.slice(0, 100)}`]
      : [];
  return [...hung, ...held, ...taken];
}

async function newProperty({ service, token }: Attacked): Promise<number> {
  const body = { title: fresh('House') };
  return (await call(service, 'POST', '/v3/properties', { ...byToken(token), body })).json.data.property_id;
}

/** Something that is told to webhooks and to whoever follows the feed. */
async function book(attacked: Attacked): Promise<void> {
  const property_id = await newProperty(attacked);
  const stay = { check_in_date: soon(10), check_out_date: soon(13), guest_name: 'A. Guest' };
  const money = { rate_amount: 300, commission_amount: 0, received_amount: 0 };
  const answer = await call(attacked.service, 'POST', '/v3/reservations', {
    ...byToken(attacked.token),
    body: { property_id, ...stay, ...money },
  });
  if (answer.json?.error_code !== 200) throw new Error(`no reservation: ${answer.text}`);
}

interface Stranger {
  account: string;
  /** Of a browser in which the main person of the account has signed in. */
  headers: Record<string, string>;
  login: string;
}

const cookieIn = (answer: Answered) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

/** Somebody who may be here, with an account of their own. */
async function newStranger(service: Reached): Promise<Stranger> {
  const account = fresh('stranger');
  await portal(service, 'POST', '/portal/accounts', { name: account, time_zone: 'UTC', currency: 'EUR' });
  return { account, ...(await signUp(service, account)) };
}

async function signUp(service: Reached, account: string): Promise<{ headers: Record<string, string>; login: string }> {
  const { secret } = await portal(service, 'POST', '/portal/invites', { account });
  const login = fresh('person').replaceAll(' ', '.');
  const answer = await call(service, 'POST', '/portal/invites/accept', {
    token: null,
    headers: BROWSER,
    body: { secret, login, password: PASSWORD },
  });
  if (answer.http !== 200) throw new Error(`nobody signed up: ${answer.text}`);
  return { headers: { cookie: cookieIn(answer), ...BROWSER }, login };
}

async function ownAccount(service: Reached, token: string): Promise<string> {
  const all = (await portal(service, 'GET', '/portal/accounts')).accounts as { name: string; account_id: string }[];
  // A dialect without the operation names no account: there is one alone then.
  const { json } = await call(service, 'GET', '/v3/accounts/me', byToken(token));
  return all.find((one) => one.account_id === json.data?.account_id)?.name ?? all[0]?.name ?? '';
}

/** What a person allows an application in their browser. @returns the code, and what proves who asked for it */
async function allow(service: Reached, headers: Record<string, string>, client_id: string) {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'write',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  });
  const page = await (await fetch(`${service.url}/oauth/authorize?${query.toString()}`, { headers })).text();
  const [, request = ''] = /name="request" value="([^"]+)"/.exec(page) ?? [];
  const left = await fetch(`${service.url}/oauth/consent`, {
    method: 'POST',
    redirect: 'manual',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ request, answer: 'allow' }),
  });
  const location = left.headers.get('location');
  if (location === null) throw new Error(`nothing was allowed: ${left.status} ${await left.text()}`);
  return { code: new URL(location).searchParams.get('code') ?? '', verifier };
}

function tokenRequest(service: Reached, fields: Record<string, string>): Promise<Response> {
  return fetch(`${service.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });
}

async function exchanged(service: Reached, client_id: string, { code, verifier }: { code: string; verifier: string }) {
  const grant = { client_id, grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: REDIRECT };
  const answer = await tokenRequest(service, grant);
  return { status: answer.status, ...((await answer.json()) as { access_token?: string; refresh_token?: string }) };
}

const ranges: Attack = {
  name: 'ranges without end',
  async play(attacked) {
    const { service, token } = attacked;
    const property = await newProperty(attacked);
    const ask = (path: string, body: object) =>
      beside(service, () => call(service, 'POST', path, { ...byToken(token), body }));
    const all = { start_date: soon(1), end_date: LAST_DATE };
    return [
      ...(await ask('/portal/exports/close', { period: '9999-12' })),
      ...(await ask('/v3/availabilities', { property_ids: [property], available: false, ...all })),
      ...(await ask('/v3/listings/calendar', { ...all, listings: [{ channel_type: 'x', listing_id: 'y' }] })),
      ...(await ask('/portal/exports/reopen', { period: '9999-12', reason: 'x' })),
      ...(await beside(service, () =>
        call(
          service,
          'GET',
          `/v3/availabilities?property_ids=${property}&start_date=${soon(1)}&end_date=${LAST_DATE}`,
          byToken(token),
        ),
      )),
    ];
  },
};

const robbers: Attack = {
  name: 'webhooks of others',
  async play(attacked) {
    const { service, token } = attacked;
    const account = await ownAccount(service, token);
    const url = 'https://own.example/in';
    const { id } = (await call(service, 'POST', '/v3/webhooks', { ...byToken(token), body: { url } })).json.data;
    const property = await newProperty(attacked);
    const sub = await portal(service, 'POST', '/portal/sub_accounts', {
      account,
      name: fresh('sub'),
      property_ids: [property],
    });
    const operator_id = sub.id ?? sub.operator_id ?? sub.sub_account_id;
    const draft = { account, name: fresh('token'), scope: 'write', operator_id };
    const subToken = (await portal(service, 'POST', '/portal/tokens', draft)).token as string;
    const person = await signUp(service, account);
    const client = await portal(service, 'POST', '/portal/oauth/clients', {
      account,
      name: 'Helper',
      kind: 'public',
      redirect_uris: [REDIRECT],
    });
    const app = await exchanged(service, client.client_id, await allow(service, person.headers, client.client_id));
    const found: string[] = [];
    const thieves = [
      ['a sub-account', { token: subToken }],
      ['an application', bearer(app.access_token ?? '')],
    ] as const;
    for (const [who, as] of thieves) {
      const moved = await call(service, 'PATCH', `/v3/webhooks/${String(id)}`, {
        ...as,
        body: { url: 'https://thief.example/' },
      });
      found.push(...unlike(`${who} re-points`, moved, moved.json?.error_code === 403));
      found.push(...(moved.text.includes('whsec_') ? [`${who} is told the secret`] : []));
      const ended = await call(service, 'DELETE', `/v3/webhooks/${String(id)}`, as);
      found.push(...unlike(`${who} deletes`, ended, ended.json?.error_code === 403));
    }
    const planted = await call(service, 'POST', '/v3/webhooks', {
      ...bearer(app.access_token ?? ''),
      body: { url: 'https://helper.example/' },
    });
    await portal(service, 'DELETE', `/portal/oauth/connected/${String(client.client_id)}`, { account });
    const { webhooks } = (await call(service, 'GET', '/v3/webhooks', byToken(token))).json.data;
    const left = (webhooks as { id: number; url: string }[]).filter((one) => one.id === planted.json.data?.id);
    found.push(...(left.length > 0 ? ['the webhook of a disconnected application stays'] : []));
    const own = (webhooks as { id: number; url: string }[]).find((one) => one.id === id);
    found.push(...(own?.url === url ? [] : [`the webhook leads to ${own?.url}`]));
    await call(service, 'DELETE', `/v3/webhooks/${String(id)}`, byToken(token));
    return found;
  },
};

const lingerers: Attack = {
  name: 'streams and sessions that outlive their rights',
  async play(attacked) {
    const { service, token } = attacked;
    const account = await ownAccount(service, token);
    const found: string[] = [];
    const changes = await portal(service, 'GET', '/portal/status');
    const connection = Object.keys(changes.connections)[0] ?? '';
    const [last] = await rowsOf(service, `select max(seq) as seq from mirror.changes`);
    const after = Number(last?.['seq'] ?? 0);
    const { id, token: short } = await portal(service, 'POST', '/portal/tokens', {
      account,
      name: fresh('token'),
      scope: 'read',
    });
    const asked = `connection=${connection}&after=${after}`;
    const stream = await fetch(`${service.url}/mirror/changes/stream?${asked}`, {
      headers: { 'service-access-token': short },
    });
    const told = toldBy(stream);
    const waiting = call(service, 'GET', `/mirror/changes?${asked}&wait=30`, { token: short });
    await portal(service, 'DELETE', `/portal/tokens/${String(id)}`, { account });
    await book(attacked);
    const polled = await waiting;
    found.push(...unlike('a long poll of a revoked token', polled, polled.http === 401));
    found.push(...((await told).includes('data:') ? ['a stream of a revoked token goes on'] : []));
    const shut = await newStranger(service);
    await portal(service, 'PUT', `/portal/accounts/${encodeURIComponent(shut.account)}`, { suspended: true });
    for (const path of ['/portal/session', '/portal/tokens', '/portal/webhooks']) {
      const answer = await call(service, 'GET', path, { token: null, headers: shut.headers });
      found.push(...unlike(`a session of a suspended account at ${path}`, answer, answer.http === 403));
    }
    return found;
  },
};

/** What a stream tells until it ends, has told of something, or has been listened to for long enough. */
async function toldBy(stream: Response): Promise<string> {
  const end = AbortSignal.timeout(PATIENCE_MS);
  let text = '';
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const late = new Promise<undefined>((resolve) => end.addEventListener('abort', () => resolve(undefined)));
  while (reader && !end.aborted && !text.includes('data:')) {
    const next = await Promise.race([reader.read(), late]);
    if (next === undefined || next.done) break;
    text += next.value;
  }
  await reader?.cancel().catch(() => {});
  return text;
}

const doors: Attack = {
  name: 'doors that are for others',
  async play(attacked) {
    const { service, token } = attacked;
    const found: string[] = [];
    const person = await newStranger(service);
    const query = new URLSearchParams({ login: person.login, password: PASSWORD });
    const shown = await call(service, 'POST', `/portal/login?${query.toString()}`, { token: null, headers: BROWSER });
    found.push(...unlike('a password in an address', shown, shown.http !== 200 && cookieIn(shown) === ''));
    const { id } = (
      await call(service, 'POST', '/v3/webhooks', {
        ...byToken(token),
        body: { url: `${service.url}/portal/tokens`, events: ['reservation_created'] },
      })
    ).json.data;
    await book(attacked);
    const outcomes = () =>
      rowsOf(service, `select outcome from core.deliveries where webhook_id = ${String(id)} and outcome is not null`);
    await until(async () => (await outcomes()).length > 0, 'a delivery to the service itself to end');
    const [{ outcome } = {}] = await outcomes();
    found.push(...(outcome === 'private_address' ? [] : [`a webhook reached the service itself: ${String(outcome)}`]));
    await call(service, 'DELETE', `/v3/webhooks/${String(id)}`, byToken(token));
    return found;
  },
};

const proxies: Attack = {
  name: 'what a proxy passes on',
  async play({ service, token }) {
    const found: string[] = [];
    const said = async (
      what: string,
      path: string,
      headers: Record<string, string>,
      isHeld: (one: Answered) => boolean,
    ) => {
      const answer = await plain(service, path, headers);
      found.push(...unlike(what, answer, isHeld(answer)));
    };
    const refused = ({ http }: Answered) => [401, 403, 404].includes(http);
    const key = { 'service-access-token': token };
    await said('plain http before a proxy', '/v3/accounts/me', { ...key, 'x-forwarded-proto': 'http' }, refused);
    for (const path of ['/', '/metrics', '/portal/tokens', '/v3/accounts/me', '/mirror/changes']) {
      await said(`a foreign name at ${path}`, path, { ...key, host: 'evil.example' }, refused);
    }
    const far = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
    for (const path of ['/status.txt', '/metrics']) await said(`from far at ${path}`, path, far, refused);
    await said(
      'the control secret from far',
      '/portal/accounts',
      { ...far, 'stayd-control-secret': service.secret },
      refused,
    );
    const person = await newStranger(service);
    for (let tries = 0; tries < 15; tries += 1) {
      await call(service, 'POST', '/portal/login', {
        token: null,
        headers: { ...BROWSER, 'x-forwarded-proto': 'https', 'x-forwarded-for': `192.0.2.${tries}` },
        body: { login: `nobody${tries}`, password: 'wrong wrong wrong' },
      });
    }
    const answer = await call(service, 'POST', '/portal/login', {
      token: null,
      headers: BROWSER,
      body: { login: person.login, password: PASSWORD },
    });
    found.push(...unlike('a right password is locked out', answer, answer.http === 200));
    return found;
  },
};

/** A request as a program makes it that names any host it likes. */
async function plain(service: Reached, path: string, headers: Record<string, string>): Promise<Answered> {
  const pool = new Pool(service.url);
  const { statusCode, headers: received, body } = await pool.request({ path, method: 'GET', headers });
  const text = await body.text();
  await pool.destroy();
  return {
    http: statusCode,
    headers: new Headers(Object.entries(received).map(([name, value]) => [name, String(value)])),
    text,
    json: undefined,
  };
}

const floods: Attack = {
  name: 'more than there is room for',
  async play(attacked) {
    const { service, token, junk } = attacked;
    const found: string[] = [];
    const flooder = await newStranger(service);
    const account = flooder.account;
    const theirs = (await portal(service, 'POST', '/portal/tokens', { account, name: 'flood', scope: 'write' }))
      .token as string;
    const hook = () =>
      call(service, 'POST', '/v3/webhooks', { ...byToken(theirs), body: { url: 'https://flood.example/' } });
    for (let count = 0; count < MOST_WEBHOOKS; count += 1) await hook();
    const more = await hook();
    found.push(...unlike(`webhook ${MOST_WEBHOOKS + 1}`, more, more.json?.error_code === 422));

    const capped = (
      await portal(service, 'POST', '/portal/tokens', { account, name: 'slow', scope: 'read', per_minute: 1 })
    ).token as string;
    await call(service, 'GET', '/portal/tokens', byToken(capped));
    const again = await call(service, 'GET', '/portal/tokens', byToken(capped));
    found.push(...unlike('a token beyond its cap', again, again.http === 429));

    const link = (
      await call(service, 'POST', '/v3/calendar_share_links', { ...byToken(token), body: { scope: 'entire' } })
    ).json.data;
    const pool = new Pool(service.url, { connections: 16, pipelining: 4 });
    const visit = async (path: string) => {
      const { statusCode, body } = await pool.request({ path, method: 'GET' });
      await body.dump();
      return statusCode;
    };
    for (let done = 0; done < junk; done += 64) {
      await Promise.all(Array.from({ length: 64 }, () => visit(`/share/${randomBytes(24).toString('base64url')}`)));
    }
    const status = await visit(new URL(String(link.url)).pathname);
    await pool.destroy();
    found.push(...(status === 200 ? [] : [`a shared calendar is closed by made-up addresses: ${status}`]));
    return found;
  },
};

const guessers: Attack = {
  name: 'guesses that shut an application out',
  async play({ service, token }) {
    const account = await ownAccount(service, token);
    const own = await signUp(service, account);
    const stranger = await newStranger(service);
    // Registered for one account alone there is nobody else to shut out; it is made everybody's.
    const client = await sharedClient(service);
    const given = await exchanged(service, client, await allow(service, own.headers, client));
    for (let guess = 0; guess < 12; guess += 1) {
      const { code } = await allow(service, stranger.headers, client);
      await exchanged(service, client, { code, verifier: randomBytes(32).toString('base64url') });
    }
    const refreshed = await tokenRequest(service, {
      client_id: client,
      grant_type: 'refresh_token',
      refresh_token: given.refresh_token ?? '',
    });
    const text = await refreshed.text();
    return refreshed.status === 200 ? [] : [`a shared application is shut out: ${refreshed.status} ${text}`];
  },
};

async function sharedClient(service: Reached): Promise<string> {
  const draft = { name: 'Shared', kind: 'public', redirect_uris: [REDIRECT] };
  return (await portal(service, 'POST', '/portal/oauth/clients', draft)).client_id;
}

/** Every attack, in the order in which they are played. */
export const attacks: readonly Attack[] = [ranges, robbers, lingerers, doors, proxies, floods, guessers];

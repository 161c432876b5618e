import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays, dateIn } from '../../src/kernel/dates.ts';
import { call, startTestService, type TestService } from '../support/service.ts';

const PASSWORD = 'correct horse battery staple';
/** The service goes by the machine's clock. */
const soon = (days: number) => addDays(dateIn('UTC', Date.now()), days);
const BROWSER = { 'sec-fetch-site': 'same-origin' };

/** What somebody who is let in sends along, and what ends it. */
interface Way {
  headers: Record<string, string>;
  end(): Promise<unknown>;
  /** Lets in again where it is the account that was shut out. */
  restore?(): Promise<unknown>;
}

describe('what was opened ends with that by which it was opened', () => {
  let service: TestService;
  let account: string;
  let houses = 0;
  before(async () => {
    service = await startTestService();
    account = (await service.portal('GET', '/portal/accounts')).accounts[0].name;
    const secret = await service.service.firstSecret();
    const accepted = await ask('POST', '/portal/invites/accept', { secret, login: 'ada', password: PASSWORD });
    assert.equal(accepted.http, 200, accepted.text);
    await change();
  });
  after(() => service.remove());

  const ask = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    call(service, method, path, { token: null, headers, ...(body && { body }) });
  /** Something for the feed to tell. */
  async function change(): Promise<void> {
    houses += 1;
    const { property_id } = await service.v3('POST', '/properties', { title: `House ${houses}` });
    await service.v3('POST', '/reservations', {
      property_id,
      check_in_date: soon(10),
      check_out_date: soon(13),
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    });
  }
  async function newToken() {
    const { id, token } = await service.portal('POST', '/portal/tokens', { name: 'follower', scope: 'read' });
    return { id: Number(id), headers: { 'service-access-token': String(token) } };
  }
  async function signedIn(): Promise<Record<string, string>> {
    const answer = await ask('POST', '/portal/login', { login: 'ada', password: PASSWORD }, BROWSER);
    assert.equal(answer.http, 200, answer.text);
    return { cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '', ...BROWSER };
  }
  const set = (body: object) => service.portal('PUT', `/portal/accounts/${account}`, body);
  const head = async () => {
    await service.settled();
    const { changes } = await service.portal('GET', '/mirror/changes?limit=1000');
    return Number(changes.at(-1)?.seq ?? 0);
  };

  const ways: Record<string, () => Promise<Way>> = {
    'a token that is revoked': async () => {
      const { id, headers } = await newToken();
      return { headers, end: () => service.portal('DELETE', `/portal/tokens/${id}`) };
    },
    'a session that is ended': async () => {
      const headers = await signedIn();
      return { headers, end: () => ask('POST', '/portal/logout', {}, headers) };
    },
    'a token whose account is suspended': async () => {
      const { headers } = await newToken();
      return { headers, end: () => set({ suspended: true }), restore: () => set({ suspended: false }) };
    },
    'a session whose account has expired': async () => {
      const headers = await signedIn();
      return { headers, end: () => set({ expires_at: '2020-01-01' }), restore: () => set({ expires_at: null }) };
    },
  };

  for (const [name, open] of Object.entries(ways)) {
    it(`${name}: a question that waits is refused in the end`, async () => {
      const way = await open();
      const waiting = ask('GET', `/mirror/changes?after=${await head()}&wait=1`, undefined, way.headers);
      await way.end();
      const answer = await waiting;
      await way.restore?.();
      assert.ok(answer.http === 401 || answer.http === 403, `${answer.http} ${answer.text}`);
    });

    // Nothing is told of an account that is shut out; its stream ends with the next sign of life.
    if (name.includes('account')) continue;
    it(`${name}: the stream ends in place of what it would have told next`, async () => {
      const way = await open();
      const stream = await fetch(`${service.url}/mirror/changes/stream?after=${await head()}`, {
        headers: way.headers,
      });
      assert.equal(stream.status, 200);
      const text = stream.text();
      await way.end();
      await change();
      assert.doesNotMatch(await text, /data:/);
    });
  }

  it('a session of an account that is shut out opens nothing, and nobody signs in to it', async () => {
    const headers = await signedIn();
    await set({ suspended: true });
    for (const path of ['/portal/session', '/portal/tokens', '/mirror/changes', '/portal/status']) {
      const answer = await ask('GET', path, undefined, headers);
      assert.deepEqual([answer.http, answer.json.error.message], [403, 'Account suspended'], path);
    }
    const again = await ask('POST', '/portal/login', { login: 'ada', password: PASSWORD }, BROWSER);
    assert.equal(again.http, 403, again.text);
    assert.equal(again.headers.get('set-cookie'), null);
    const asked = await ask('GET', '/oauth/authorize?client_id=x', undefined, headers);
    assert.ok(asked.http >= 400, asked.text);
    await set({ suspended: false });
    assert.equal((await ask('GET', '/portal/session', undefined, headers)).http, 200);
  });
});

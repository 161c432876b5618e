import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { createToken } from '../../src/core/accounts/create.ts';
import { RequestCounters } from '../../src/core/limits/counters.ts';
import { type LimitSetting, limitPolicy } from '../../src/core/limits/policy.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { type Answer, startCore, type TestCore } from '../support/core.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

describe('a request beyond a limit', () => {
  let core: TestCore;
  afterEach(() => core.close());

  const start = async (limits: LimitSetting = 'on') => {
    core = await startCore(undefined, silentLogger, limits);
  };
  const me = (token?: string) => core.request('GET', '/accounts/me', token === undefined ? {} : { token });
  /** As if an account had asked so often already. */
  const use = (times: number, bucket: string, token: { id: number; per_minute: number } | null = null) => {
    const limited = token && { ...token, per_hour: null, unlimited: false };
    for (let i = 0; i < times; i += 1)
      core.counters.admit({ account: core.own.account, token: limited }, bucket, 'default');
  };
  const fail = (times: number, bucket: string) => {
    for (let i = 0; i < times; i += 1) {
      core.counters.countFailure({ account: core.own.account, token: null }, bucket, 'default');
    }
  };
  const limit = ({ headers }: Answer) =>
    ['retry-after', 'x-ratelimit-scope', 'x-ratelimit-window', 'x-ratelimit-reason'].map((name) => headers[name]);

  it('of the endpoint: the 601st in a minute, with how long to wait; the next minute it is served', async () => {
    await start();
    core.clock.jump(20_000);
    use(599, 'GET /accounts/me');
    const last = await me();
    assert.equal(last.error_code, 200);
    assert.deepEqual(limit(last), [undefined, undefined, undefined, undefined]);
    const refused = await me();
    assert.deepEqual([refused.http, refused.error_code, refused.error_msg], [200, 429, 'Too Many Attempts.']);
    assert.equal(refused.data, undefined);
    assert.deepEqual(limit(refused), ['40', 'endpoint', '1m', 'requests to the endpoint']);
    assert.equal((await core.request('GET', '/properties')).error_code, 200, 'another endpoint is served');
    core.clock.jump(39_999);
    assert.deepEqual(limit(await me())[0], '1');
    core.clock.jump(1);
    assert.equal((await me()).error_code, 200);
  });

  it('of the account: all endpoints and all tokens together, 1,200 a minute; other accounts are served', async () => {
    await start();
    const other = await core.addAccount('other');
    for (const bucket of ['GET /a', 'GET /b']) use(600, bucket);
    for (const token of [core.own.token, core.own.readToken]) {
      assert.deepEqual(limit(await me(token)), ['60', 'user', '1m', 'requests of the account']);
    }
    assert.equal((await me(other.token)).error_code, 200);
  });

  it('consumes nothing in any window', async () => {
    await start();
    use(600, 'GET /accounts/me');
    const before = core.counters.usage(core.own.account.account_id);
    for (let i = 0; i < 50; i += 1) assert.equal((await me()).error_code, 429);
    assert.deepEqual(core.counters.usage(core.own.account.account_id), before);
  });

  it('names only the limit that resets last, though several are full', async () => {
    await start();
    for (let minute = 0; minute < 5; minute += 1) {
      use(600, 'GET /accounts/me');
      core.clock.jump(MINUTE_MS);
    }
    assert.deepEqual(limit(await me()), ['300', 'endpoint', '10m', 'requests to the endpoint']);
    use(600, 'GET /b');
    use(600, 'GET /c');
    assert.deepEqual(limit(await core.request('GET', '/properties')), ['60', 'user', '1m', 'requests of the account']);
    assert.deepEqual(limit(await me()), ['300', 'endpoint', '10m', 'requests to the endpoint']);
    fail(500, 'GET /accounts/me');
    assert.equal(limit(await me())[1], 'endpoint_error');
    assert.equal(limit(await me())[0], String(55 * 60));
  });

  it('POST /reservations has its own class: 60 a minute and no longer window', async () => {
    await start();
    for (let minute = 0; minute < 3; minute += 1) {
      for (let i = 0; i < 60; i += 1) {
        assert.equal((await core.request('POST', '/reservations', { body: {} })).error_code, 422);
      }
      const refused = await core.request('POST', '/reservations', { body: {} });
      assert.deepEqual(limit(refused).slice(1, 3), ['endpoint', '1m']);
      core.clock.jump(MINUTE_MS);
    }
  });

  it('of failures: after 500 answers 400 or 404 in an hour, good requests of that endpoint too', async () => {
    await start();
    const gone = () => core.request('DELETE', '/reservations/5-NOBODY');
    fail(498, 'DELETE /reservations/{reservation_code}');
    assert.equal((await gone()).error_code, 404);
    assert.equal((await gone()).error_code, 404);
    const refused = await gone();
    assert.equal(refused.error_code, 429);
    assert.match(refused.error_msg, /cannot succeed/);
    assert.deepEqual(limit(refused), ['3600', 'endpoint_error', '1h', 'failed requests to the endpoint']);
    assert.equal((await me()).error_code, 200);
    core.clock.jump(HOUR_MS);
    assert.equal((await gone()).error_code, 404);
  });

  it('of failures: many that fail at once are not more than the quota has room for', async () => {
    await start();
    const bucket = 'DELETE /reservations/{reservation_code}';
    fail(490, bucket);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => core.request('DELETE', `/reservations/5-NOBODY${i}`)),
    );
    const codes = answers.map((answer) => answer.error_code);
    assert.deepEqual(
      [codes.filter((code) => code === 404).length, codes.filter((code) => code === 429).length],
      [10, 30],
    );
    const failed = core.counters.usage(core.own.account.account_id).filter((row) => row.bucket === `failed ${bucket}`);
    assert.deepEqual(
      failed.map(({ count }) => count),
      [500, 500],
    );
  });

  it('of failures: good ones at the edge of the quota wait for each other and are all served', async () => {
    await start();
    fail(499, 'GET /accounts/me');
    const answers = await Promise.all(Array.from({ length: 50 }, () => me()));
    assert.deepEqual([...new Set(answers.map((answer) => answer.error_code))], [200]);
  });

  it('401, 403, 420, 422 and 429 are not counted as failures', async () => {
    await start();
    const other = await core.addAccount('other');
    const { id } = await core.call('createWebhook', { url: 'https://hooks.example/1' }, other.token);
    const failures = () =>
      core.counters.usage(core.own.account.account_id).filter(({ bucket }) => bucket.startsWith('failed '));
    const codes = [];
    codes.push(await core.request('POST', '/properties', { token: core.own.readToken, body: { name: 'a' } }));
    codes.push(await core.request('DELETE', `/webhooks/${id}`));
    codes.push(await core.request('POST', '/properties', { body: {} }));
    await core.core.store.db.updateTable('accounts').set({ property_quota: 0 }).execute();
    codes.push(await core.request('POST', '/properties', { body: { name: 'a' } }));
    use(597, 'POST /properties');
    codes.push(await core.request('POST', '/properties', { body: { name: 'a' } }));
    codes.push(await core.request('POST', '/properties', { body: { name: 'a' } }));
    assert.deepEqual(
      codes.map((answer) => answer.error_code),
      [401, 403, 422, 420, 420, 429],
    );
    assert.deepEqual(failures(), []);
    await core.request('POST', '/webhooks', { raw: '[' });
    assert.deepEqual(
      failures().map(({ bucket, count }) => [bucket, count]),
      [
        ['failed POST /webhooks', 1],
        ['failed POST /webhooks', 1],
      ],
    );
  });

  it('to unknown paths: they share one bucket, also of failures', async () => {
    await start();
    fail(499, 'unknown');
    assert.equal((await core.request('GET', '/nothing')).error_code, 404);
    assert.equal((await core.request('GET', '/else')).error_code, 429);
    assert.equal((await core.request('PUT', '/properties')).headers['x-ratelimit-scope'], 'endpoint_error');
  });

  it('of a capped token: its scope is token, its number is told nowhere, other tokens are served', async () => {
    await start();
    const draft = { name: 'slow', scope: 'read', per_minute: 3, per_hour: 5 } as const;
    const { token } = await createToken(core.core, core.own.account, draft);
    for (let i = 0; i < 3; i += 1) assert.equal((await me(token)).error_code, 200);
    const refused = await me(token);
    assert.deepEqual(limit(refused), ['60', 'token', '1m', 'requests of the token']);
    assert.equal(refused.error_msg, 'Too Many Attempts.');
    assert.ok(!`${refused.text}${String(limit(refused))}`.replace(refused.request_id, '').includes('3'));
    assert.equal((await me()).error_code, 200);
    core.clock.jump(MINUTE_MS);
    for (let i = 0; i < 2; i += 1) assert.equal((await me(token)).error_code, 200);
    assert.deepEqual(limit(await me(token)).slice(1, 3), ['token', '1h']);
  });

  it('is refused nowhere when limits are off, but by the cap of a token', async () => {
    await start('off');
    use(2_000, 'GET /accounts/me');
    assert.equal((await me()).error_code, 200);
    const { token } = await createToken(core.core, core.own.account, { name: 'slow', scope: 'read', per_minute: 1 });
    assert.deepEqual([(await me(token)).error_code, (await me(token)).error_code], [200, 429]);
  });

  it('comes later where the described numbers are multiplied', async () => {
    await start({ multiply: 2 });
    use(1_199, 'GET /accounts/me');
    assert.deepEqual([(await me()).error_code, (await me()).error_code], [200, 429]);
  });

  it('the service’s own token is neither counted nor refused', async () => {
    await start();
    use(600, 'GET /accounts/me');
    const { token } = await createToken(core.core, core.own.account, { name: 'own', scope: 'read', unlimited: true });
    const before = core.counters.usage(core.own.account.account_id);
    assert.equal((await me(token)).error_code, 200);
    assert.equal((await core.request('GET', '/nothing', { token })).error_code, 404);
    assert.deepEqual(core.counters.usage(core.own.account.account_id), before);
  });

  it('two processes on one database learn of each other’s requests when they write', async () => {
    await start();
    const second = new RequestCounters(core.core.store, core.clock, limitPolicy('on'), silentLogger);
    const asker = { account: core.own.account, token: null };
    await core.counters.start();
    await second.start();
    for (let i = 0; i < 400; i += 1) core.counters.admit(asker, 'GET /a', 'default');
    for (let i = 0; i < 100; i += 1) second.admit(asker, 'GET /a', 'default');
    await core.clock.advance(1_000);
    await core.clock.advance(1_000);
    for (let i = 0; i < 1; i += 1) core.counters.admit(asker, 'GET /a', 'default');
    second.admit(asker, 'GET /a', 'default');
    await core.clock.advance(1_000);
    await core.clock.advance(1_000);
    second.admit(asker, 'GET /a', 'default');
    await core.clock.advance(1_000);
    const used = (counters: RequestCounters) =>
      counters.usage(asker.account.account_id).find((one) => one.bucket === 'GET /a' && one.window_seconds === 60)
        ?.count;
    assert.equal(used(second), 503);
    await core.counters.stop();
    await second.stop();
    const stored = await core.core.store.db.selectFrom('request_counters').selectAll().execute();
    assert.equal(stored.find((row) => row.bucket === 'GET /a' && row.window_seconds === 60)?.count, 503);
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ACCOUNT_BUCKET, RequestCounters } from '../../src/core/limits/counters.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { limitPolicy } from '../../src/core/limits/policy.ts';
import { START, startCore, type TestCore } from '../support/core.ts';

const MINUTE = 60;
const ALL_WINDOWS = [MINUTE, 600, 3_600, 86_400];
const FAILED_WINDOWS = [3_600, 86_400];

describe('requests are counted', () => {
  let core: TestCore;
  beforeEach(async () => {
    core = await startCore();
  });
  afterEach(() => core.close());

  const asker = () => ({ account: core.own.account, token: null });
  const me = (token?: string) => core.request('GET', '/accounts/me', token === undefined ? {} : { token });
  const usage = (counters = core.counters, account = core.own.account) =>
    Object.fromEntries(
      counters
        .usage(account.account_id)
        .map(({ bucket, window_seconds, count }) => [`${bucket} ${window_seconds}`, count]),
    );
  const windows = (bucket: string, count: number, seconds = ALL_WINDOWS) =>
    Object.fromEntries(seconds.map((one) => [`${bucket} ${one}`, count]));

  it('in every window of both layers, per account and per route template', async () => {
    await me();
    await me(core.own.readToken);
    await core.request('DELETE', '/transactions/1');
    await core.request('DELETE', '/transactions/2');
    await core.request('PATCH', '/transactions/2', { body: {} });
    assert.deepEqual(usage(), {
      ...windows(ACCOUNT_BUCKET, 5),
      ...windows('GET /accounts/me', 2),
      ...windows('DELETE /transactions/{id}', 2),
      ...windows('failed DELETE /transactions/{id}', 2, FAILED_WINDOWS),
      ...windows('PATCH /transactions/{id}', 1),
      ...windows('failed PATCH /transactions/{id}', 1, FAILED_WINDOWS),
    });
  });

  it('a class with one window is counted in that one', async () => {
    await core.request('POST', '/reservations', { body: {} });
    assert.deepEqual(usage(), { ...windows(ACCOUNT_BUCKET, 1), ...windows('POST /reservations', 1, [MINUTE]) });
  });

  it('what fails after the limits counts as what succeeds; who is a stranger or may not, does not', async () => {
    await core.request('POST', '/properties', { raw: '{' });
    await core.request('GET', '/transactions');
    await me('nobody');
    await core.request('GET', '/accounts/me', { token: null });
    await core.request('POST', '/properties', { token: core.own.readToken, body: { title: 'No' } });
    await core.request('GET', '/accounts/me', { remoteAddress: '203.0.113.7' });
    assert.deepEqual(usage(), {
      ...windows(ACCOUNT_BUCKET, 2),
      ...windows('POST /properties', 1),
      ...windows('failed POST /properties', 1, FAILED_WINDOWS),
      ...windows('GET /transactions', 1),
    });
  });

  it('all that reaches no operation shares one bucket', async () => {
    await core.request('GET', '/nothing');
    await core.request('GET', '/nothing/else');
    await core.request('PUT', '/properties', { body: {} });
    await core.request('GET', '');
    await core.request('POST', '/properties', { raw: Buffer.alloc(2_097_152, 32) });
    const counted = usage();
    assert.deepEqual(counted, {
      ...windows(ACCOUNT_BUCKET, 5),
      ...windows('unknown', 5),
      ...windows('failed unknown', 5, FAILED_WINDOWS),
    });
  });

  it('accounts do not share; a sub-account and its parent do', async () => {
    const other = await core.addAccount('other');
    const sub = await core.addSubAccount(core.own.account, []);
    await me();
    await me(sub);
    await me(other.token);
    assert.equal(usage()[`${ACCOUNT_BUCKET} 60`], 2);
    assert.equal(usage(core.counters, other.account)[`${ACCOUNT_BUCKET} 60`], 1);
  });

  it('a window ends at the multiples of its length, whenever its first request came', async () => {
    assert.equal(START % 86_400_000, 43_200_000, 'noon');
    core.clock.jump(59_999);
    await me();
    assert.equal(usage()[`${ACCOUNT_BUCKET} 60`], 1);
    core.clock.jump(1);
    assert.equal(usage()[`${ACCOUNT_BUCKET} 60`], undefined, 'a minute has begun');
    assert.equal(usage()[`${ACCOUNT_BUCKET} 600`], 1);
    await me();
    assert.deepEqual(
      ALL_WINDOWS.map((seconds) => usage()[`${ACCOUNT_BUCKET} ${seconds}`]),
      [1, 2, 2, 2],
    );
    core.clock.jump(59_999);
    assert.equal(usage()[`${ACCOUNT_BUCKET} 60`], 1, 'the whole minute long');
    core.clock.jump(1 + 8 * 60_000);
    assert.deepEqual(
      ALL_WINDOWS.map((seconds) => usage()[`${ACCOUNT_BUCKET} ${seconds}`]),
      [undefined, undefined, 2, 2],
    );
    core.clock.jump(50 * 60_000);
    assert.deepEqual(
      ALL_WINDOWS.map((seconds) => usage()[`${ACCOUNT_BUCKET} ${seconds}`]),
      [undefined, undefined, undefined, 2],
    );
    core.clock.jump(11 * 3_600_000 - 1);
    assert.equal(usage()[`${ACCOUNT_BUCKET} 86400`], 2);
    core.clock.jump(1);
    assert.deepEqual(usage(), {}, 'midnight UTC');
  });

  it('and, where limits are off, never refused: a client far beyond every limit is served', async () => {
    for (let i = 0; i < 1_300; i += 1) core.counters.admit(asker(), 'GET /accounts/me', 'default');
    assert.equal((await me()).error_code, 200);
    assert.equal(usage()[`${ACCOUNT_BUCKET} 60`], 1_301);
  });

  it('across a restart: what was counted before goes on being counted, in its own windows', async () => {
    await core.counters.start();
    await me();
    await core.request('GET', '/nothing');
    const before = usage();
    await core.counters.stop();
    const { store } = core.core;
    const again = new RequestCounters(store, core.clock, limitPolicy('off'), silentLogger);
    await again.start();
    assert.deepEqual(usage(again), before);
    again.admit(asker(), 'GET /accounts/me', 'default');
    assert.equal(usage(again)[`${ACCOUNT_BUCKET} 60`], 3);
    await again.stop();
    const rows = await store.db
      .selectFrom('request_counters')
      .select(['bucket', 'count'])
      .where('window_seconds', '=', MINUTE)
      .orderBy('bucket')
      .execute();
    assert.deepEqual(rows, [
      { bucket: 'GET /accounts/me', count: 2 },
      { bucket: ACCOUNT_BUCKET, count: 3 },
      { bucket: 'unknown', count: 1 },
    ]);
    core.clock.jump(60_000);
    const later = new RequestCounters(store, core.clock, limitPolicy('off'), silentLogger);
    await later.start();
    assert.equal(usage(later)[`${ACCOUNT_BUCKET} 60`], undefined, 'a window that has ended meanwhile');
    assert.equal(usage(later)[`${ACCOUNT_BUCKET} 600`], 3);
    await later.stop();
  });

  it('written once a second while it runs, and not when nothing was asked', async () => {
    await core.counters.start();
    await me();
    const written = async () => (await core.core.store.db.selectFrom('request_counters').selectAll().execute()).length;
    await core.clock.advance(999);
    assert.equal(await written(), 0);
    await core.clock.advance(1);
    assert.equal(await written(), 8);
    await core.core.store.db.deleteFrom('request_counters').execute();
    await core.clock.advance(5_000);
    assert.equal(await written(), 0);
    await core.counters.stop();
    assert.equal(core.clock.waiting, 0, 'no timer is left behind');
  });
});

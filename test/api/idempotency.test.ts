import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StoreLocation } from '../../src/store/store.ts';
import { createToken } from '../../src/core/accounts/create.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

const DAY_MS = 86_400_000;

function requestsComeOnce(place: () => StoreLocation | undefined): void {
  let core: TestCore;
  before(async () => {
    core = await startCore(place());
  });
  after(() => core.close());

  const post = async (key: string, body: object, token = core.own.token) => {
    const answer = await core.app.inject({
      method: 'POST',
      url: '/v3/properties',
      headers: { 'service-access-token': token, 'content-type': 'application/json', 'idempotency-key': key },
      payload: JSON.stringify(body),
    });
    return { ...answer.json(), replayed: answer.headers['idempotency-replayed'] };
  };
  const count = async () => (await core.call('listProperties', {})).total;

  it('a request that comes again with its key is answered as the first time, and done once', async () => {
    const before = await count();
    const first = await post('k1', { title: 'One' });
    const again = await post('k1', { title: 'One' });
    assert.deepEqual(
      [first.error_code, again.error_code, first.replayed, again.replayed],
      [200, 200, undefined, 'true'],
    );
    assert.deepEqual(again.data, first.data);
    assert.equal((await count()) - before, 1);
  });

  it('many at once: one is done, the others are answered the same or told to wait', async () => {
    const before = await count();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('k2', { title: 'Two' })));
    assert.ok(answers.every(({ error_code }) => error_code === 200 || error_code === 409));
    const ids = new Set(answers.flatMap(({ data }) => (data ? [data.property_id] : [])));
    assert.deepEqual([ids.size, (await count()) - before], [1, 1]);
  });

  it('stands for one request: another one with it is refused; of another token it is another key', async () => {
    await post('k3', { title: 'Three' });
    const other = await post('k3', { title: 'Four' });
    assert.deepEqual([other.error_code, other.error_msg.startsWith('Idempotency-Key: was used')], [422, true]);
    const { token } = await createToken(core.core, core.own.account, { name: 'second', scope: 'write' });
    assert.equal((await post('k3', { title: 'Five' }, token)).error_code, 200);
  });

  it('what was refused has changed nothing, and can be corrected under the same key', async () => {
    assert.equal((await post('k4', { title: 'One' })).error_code, 409, 'a taken name');
    assert.equal((await post('k4', { title: 'Six' })).error_code, 200);
  });

  it('what was done by a process that died before it could answer is not done again', async () => {
    const { db } = core.core.store;
    const before = await count();
    await post('k5', { title: 'Seven' });
    await db
      .updateTable('idempotency_keys')
      .set({ state: 'committed', answer: null })
      .where('key', '=', 'k5')
      .execute();
    const again = await post('k5', { title: 'Seven' });
    assert.deepEqual([again.error_code, /answer is lost/.test(again.error_msg)], [409, true]);
    assert.equal((await count()) - before, 1);
    await db.updateTable('idempotency_keys').set({ state: 'begun' }).where('key', '=', 'k5').execute();
    assert.match((await post('k5', { title: 'Seven' })).error_msg, /still being carried out/);
    await core.clock.advance(120_000);
    const taken = await post('k5', { title: 'Eight' });
    assert.equal(taken.error_code, 422, 'still the same request');
    assert.equal((await post('k5', { title: 'Seven' })).error_code, 409, 'its name is taken, so that it was tried');
  });

  it('is forgotten after a day, keeps no answer in clear, and must be visible', async () => {
    const hook = await core.request('POST', '/webhooks', {
      headers: { 'idempotency-key': 'k6' },
      body: { url: 'https://hooks.example/a' },
    });
    const secret = String((hook.data as { secret_token?: string }).secret_token);
    assert.match(secret, /^whsec_/);
    const rows = await core.core.store.db.selectFrom('idempotency_keys').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(secret));
    await core.clock.advance(DAY_MS + 1);
    assert.notDeepEqual((await post('k1', { title: 'Nine' })).replayed, 'true');
    for (const key of ['a b', 'x'.repeat(256), 'ä']) {
      assert.equal((await post(key, { title: 'Ten' })).error_code, 422, key.slice(0, 10));
    }
  });
}

describe('Idempotency-Key', () => requestsComeOnce(() => undefined));

describeOnPostgres('Idempotency-Key, on PostgreSQL', () => {
  let server: TestPostgres;
  let url: string;
  before(async () => {
    server = await startPostgres();
    url = await server.freshDatabase();
  });
  after(() => server.stop());
  describe('there', () => requestsComeOnce(() => ({ kind: 'postgres', url, schema: 'core' })));
});

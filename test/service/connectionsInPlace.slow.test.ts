import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { stringify } from 'yaml';
import { call, newToken, startTestService, type TestService, until } from '../support/service.ts';

/** Milliseconds for a first read, also on a busy machine. */
const READ_MS = 90_000;

/** A service with a core of its own that mirrors another one, which comes and goes. */
describe('connections while the service runs', () => {
  let other: TestService;
  let service: TestService;
  let startedAt: string;

  const status = async () => (await service.portal('GET', '/portal/status')).connections;
  const write = (settings: object) => writeFileSync(join(service.dataDir, 'stayd.yaml'), stringify(settings));
  const reload = () => service.portal('POST', '/portal/settings/reload', {});
  const north = (more: object = {}) => ({ url: other.url, token: other.token, ...more });
  const readOnce = (name: string) =>
    until(async () => (await status())[name]?.caught_up_age !== null, `the first read of ${name}`, READ_MS);

  before(async () => {
    service = await startTestService();
    other = await startTestService({
      STAYD_ROLES: 'core',
      STAYD_OUTBOUND_ALLOW: `127.0.0.1:${new URL(service.url).port}`,
    });
    await other.v3('POST', '/properties', { name: 'House by the sea' });
    await readOnce('local');
    startedAt = (await service.portal('GET', '/portal/settings')).started_at;
  });
  after(async () => {
    await service.remove();
    await other.remove();
  });

  it('a new one begins, and the others go on', async () => {
    write({ connections: { north: north() } });
    const { reloading, added, removed, changed, failed } = await reload();
    assert.deepEqual(
      { reloading, added, removed, changed, failed },
      {
        reloading: false,
        added: ['north'],
        removed: [],
        changed: [],
        failed: [],
      },
    );
    await readOnce('north');
    assert.deepEqual(Object.keys(await status()), ['local', 'north']);
    assert.equal((await service.portal('GET', '/portal/settings')).started_at, startedAt);
    assert.equal((await other.v3('GET', '/webhooks')).webhooks.length, 1);
  });

  it('what it says of itself opens it to no account here; the setting does', async () => {
    const [own] = await service.rows("select account_id from mirror.accounts where connection = 'local'");
    await service.run(
      `update mirror.accounts set account_id = '${String(own?.['account_id'])}' where connection = 'north'`,
    );
    const token = await newToken(service, 'read');
    const seen = async () => Object.keys((await call(service, 'GET', '/portal/status', { token })).json.connections);
    assert.deepEqual(await seen(), ['local']);
    const [{ name }] = (await service.portal('GET', '/portal/accounts')).accounts;
    write({ connections: { north: north({ account: 'nobody' }) } });
    const refused = await call(service, 'POST', '/portal/settings/reload', { body: {} });
    assert.equal(refused.http, 422);
    assert.match(refused.text, /connections\.north\.account: there is no account/);
    assert.deepEqual(Object.keys(await status()), ['local', 'north']);
    write({ connections: { north: north({ account: name }) } });
    assert.deepEqual((await reload()).changed, ['north']);
    assert.deepEqual(await seen(), ['local', 'north']);
  });

  it('one that is gone ends with its webhook; its rows stay until they are deleted', async () => {
    write({ connections: {} });
    assert.deepEqual((await reload()).removed, ['north']);
    assert.deepEqual(Object.keys(await status()), ['local']);
    assert.deepEqual((await other.v3('GET', '/webhooks')).webhooks, []);
    assert.equal((await call(service, 'POST', '/hooks/north', { token: null, body: {} })).http, 404);
    const houses = async () =>
      (await service.rows("select 1 from mirror.properties where connection = 'north'")).length;
    assert.equal(await houses(), 1);
    const { connections } = await service.portal('GET', '/portal/connections');
    assert.deepEqual(connections, [
      { connection: 'local', running: true },
      { connection: 'north', running: false },
    ]);
    const running = await call(service, 'POST', '/portal/connections/delete', { body: { connection: 'local' } });
    assert.match(running.text, /local is being mirrored/);
    const { rows } = await service.portal('POST', '/portal/connections/delete', { connection: 'north' });
    assert.ok(rows > 10, String(rows));
    const tables = await service.rows(
      `select m.name from mirror.sqlite_schema m join pragma_table_info(m.name, 'mirror') c on c.name = 'connection'
       where m.type = 'table'`,
    );
    assert.ok(tables.length > 40, String(tables.length));
    for (const { name } of tables) {
      assert.deepEqual(
        await service.rows(`select connection from mirror."${String(name)}" where connection = 'north'`),
        [],
        String(name),
      );
    }
    assert.equal((await service.portal('GET', '/portal/settings')).started_at, startedAt);
  });

  it('the same name again begins from nothing', async () => {
    write({ connections: { north: north() } });
    assert.deepEqual((await reload()).added, ['north']);
    await readOnce('north');
    assert.equal((await service.rows("select 1 from mirror.properties where connection = 'north'")).length, 1);
  });
});

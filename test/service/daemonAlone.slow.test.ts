import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { stringify } from 'yaml';
import { freePort } from '../support/port.ts';
import {
  call,
  dataDirectory,
  newToken,
  portal,
  rowsOf,
  startTestService,
  type TestService,
  until,
} from '../support/service.ts';
import { type ServiceProcess, startProcess } from './support/process.ts';

describe('a daemon alone, in a process of its own', () => {
  let core: TestService;
  let port: number;
  let dataDir: string;
  let daemon: ServiceProcess | undefined;

  beforeEach(async () => {
    port = await freePort();
    dataDir = dataDirectory();
    core = await startTestService({ STAYD_OUTBOUND_ALLOW: `127.0.0.1:${port}` });
  });
  afterEach(async () => {
    await daemon?.kill('SIGINT');
    daemon = undefined;
    await core.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const caughtUp = async (connection: string): Promise<void> => {
    const { connections } = await portal(alone(), 'GET', '/portal/status');
    assert.ok(connections[connection], JSON.stringify(connections));
    await until(async () => {
      const status = (await portal(alone(), 'GET', '/portal/status')).connections[connection];
      return status.caught_up_age !== null && status.catch_up_due === null;
    }, 'the first read');
  };
  const alone = (): ServiceProcess => {
    assert.ok(daemon);
    return daemon;
  };
  const book = async (name = 'House'): Promise<string> => {
    const { property_id } = await core.v3('POST', '/properties', { name });
    const { reservation_code } = await core.v3('POST', '/reservations', {
      property_id,
      check_in_date: '2027-03-01',
      check_out_date: '2027-03-04',
      guest_name: 'Ada',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    });
    return reservation_code;
  };
  const arrives = (code: string) =>
    until(
      async () => (await rowsOf(alone(), `select 1 from mirror.stays where reservation_code = '${code}'`)).length === 1,
      'the booking in the other mirror',
    );

  it('mirrors the core of another process, announced by that one’s webhook', async () => {
    daemon = await startProcess(dataDir, {
      STAYD_PORT: String(port),
      STAYD_UPSTREAM_URL: core.url,
      STAYD_UPSTREAM_TOKEN: core.token,
    });
    await caughtUp('upstream');
    const code = await book();
    await arrives(code);
    const [change] = await rowsOf(daemon, `select * from mirror.changes where key = '${code}'`);
    assert.deepEqual([change?.['connection'], change?.['op'], change?.['seen_by']], ['upstream', 'created', 'event']);
    // There is no core here: v3 answers nothing.
    assert.equal((await call(daemon, 'GET', '/v3/account', { token: core.token })).http, 404);
  });

  it('asks the core after a stop what it has missed: nothing is read again, or everything', async () => {
    const environment = { STAYD_PORT: String(port), STAYD_UPSTREAM_URL: core.url, STAYD_UPSTREAM_TOKEN: core.token };
    daemon = await startProcess(dataDir, environment);
    await caughtUp('upstream');
    await arrives(await book());
    const reads = async () =>
      (await rowsOf(alone(), `select 1 from mirror.scans where purpose = 'catch_up' and resource = 'reservation'`))
        .length;
    const before = await reads();
    assert.equal(await daemon.kill('SIGTERM'), 0);

    daemon = await startProcess(dataDir, environment);
    await caughtUp('upstream');
    assert.equal(await reads(), before, 'nothing happened meanwhile');
    await arrives(await book('Hut'));
    assert.equal(await daemon.kill('SIGTERM'), 0);

    const missed = await book('Barn');
    await until(
      async () => (await core.rows(`select 1 from core.deliveries where outcome = 'connect'`)).length > 0,
      'a delivery to nobody',
    );
    daemon = await startProcess(dataDir, environment);
    await arrives(missed);
    await caughtUp('upstream');
    assert.equal(await reads(), before + 1, 'a delivery has failed');
  });

  it('with a read-only token it says which URL to register; a webhook made by hand works', async () => {
    const token = await newToken(core, 'read');
    const config = join(dataDir, 'stayd.yaml');
    const write = (secret: string | null) =>
      writeFileSync(config, stringify({ connections: { other: { url: core.url, token, webhook_secret: secret } } }));
    const environment = { STAYD_PORT: String(port), STAYD_CONFIG: config, STAYD_ROLES: 'receive,work,schedule' };
    write(null);
    daemon = await startProcess(dataDir, environment);
    const url = `http://127.0.0.1:${port}/hooks/other`;
    await until(
      () => alone().stdout().includes(url),
      () => `the URL in the log: ${alone().stdout()}`,
    );
    assert.match(daemon.stdout(), /read-only and cannot register a webhook/);
    assert.equal(await daemon.kill('SIGTERM'), 0);

    const { secret_token: secret } = await core.portal('POST', '/portal/webhooks', { url });
    write(secret);
    daemon = await startProcess(dataDir, environment);
    await caughtUp('other');
    const code = await book();
    await arrives(code);
    const [change] = await rowsOf(daemon, `select seen_by from mirror.changes where key = '${code}'`);
    assert.equal(change?.['seen_by'], 'event');
  });
});

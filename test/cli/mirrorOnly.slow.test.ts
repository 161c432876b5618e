import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { connectionSettings } from '../../src/compose/mirror/connections.ts';
import { loadConfig } from '../../src/config.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { AccountId, ConnectionId } from '../../src/kernel/ids.ts';
import { startTestService, type TestService, until } from '../support/service.ts';
import { runMany, runOne } from './support/runMany.ts';

const OWN = { connection: 'local' as ConnectionId, accountId: 'A' as AccountId, token: 'x' };

describe('commands on a service without a core', () => {
  let core: TestService;
  let mirror: TestService;
  let environment: Record<string, string>;

  before(async () => {
    core = await startTestService();
    const upstream = {
      STAYD_UPSTREAM_URL: core.url,
      STAYD_UPSTREAM_TOKEN: core.token,
      STAYD_SECRET_KEY: '11'.repeat(32),
      STAYD_UPSTREAM_PUBLIC_URL: 'http://mirror.example.com:8080',
    };
    mirror = await startTestService(upstream);
    environment = { STAYD_PORT: '0', STAYD_DATA_DIR: mirror.dataDir, ...upstream };
    await until(async () => {
      const { connections } = await mirror.portal('GET', '/portal/status');
      return connections.upstream.caught_up_age !== null;
    }, 'the first read');
  });
  after(async () => {
    await mirror.remove();
    await core.remove();
  });

  it('what needs a core says that there is none', async () => {
    const outcomes = await runMany(
      [
        ['token', 'create', '--name', 'x', '--scope', 'read'],
        ['token', 'list'],
        ['account', 'list'],
        ['account', 'create', '--name', 'x', '--time-zone', 'Europe/Oslo', '--currency', 'NOK'],
      ],
      environment,
    );
    for (const { code, stdout, stderr } of outcomes) {
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /no core runs here/);
    }
  });

  it('status tells of the mirror alone, and names the account it mirrors', async () => {
    const { code, stdout } = await runOne(['status', '--json'], environment);
    assert.equal(code, 0);
    const status = JSON.parse(stdout);
    assert.equal('core' in status, false);
    assert.equal(status.connections.upstream.account.name, 'demo');
    assert.deepEqual(status.accounts_not_mirrored, []);
  });

  it('upstream.public_url in the environment is where the webhook goes', async () => {
    const { webhooks } = await core.v3('GET', '/webhooks');
    const urls: string[] = webhooks.map(({ url }: { url: string }) => url);
    assert.ok(
      urls.some((url) => url.startsWith('http://mirror.example.com:8080/hooks/upstream?instance=')),
      urls.join(),
    );
  });

  it('a state that no event has is refused, exit 2, with those there are', async () => {
    const { code, stderr, stdout } = await runOne(['events', 'list', '--state', 'bananas'], environment);
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(stderr, /state: must be one of pending, done, unreadable, ignored/);
    assert.match((await runOne(['events', 'list', '--help'], {})).stdout, /how many \(default: 20\)/);
  });

  it('a key that does not open the stored secrets stops the start', async () => {
    await mirror.stop();
    const wrong = { ...environment, STAYD_SECRET_KEY: '22'.repeat(32) };
    await assert.rejects(startTestService(wrong, { dataDir: mirror.dataDir }), /secret of .+ was sealed with the key/);
    await mirror.restart();
  });
});

describe('a core with an account that nobody mirrors', () => {
  it('is named by status', async () => {
    const service = await startTestService();
    try {
      const north = { name: 'north', time_zone: 'Europe/Oslo', currency: 'NOK', mirrored: false };
      await service.portal('POST', '/portal/accounts', north);
      await service.settled();
      const environment = { STAYD_PORT: '0', STAYD_DATA_DIR: service.dataDir };
      const { stdout } = await runOne(['status'], environment);
      assert.match(stdout, /^account north is mirrored by no connection$/m);
      assert.doesNotMatch(stdout, /account demo is/);
    } finally {
      await service.remove();
    }
  });
});

describe('connections in the environment', () => {
  it('every key of one has a variable', () => {
    const { connections, upstream } = loadConfig({
      STAYD_CONNECTIONS_NORTH_SEA_URL: 'https://north.example.com',
      STAYD_CONNECTIONS_NORTH_SEA_TOKEN: '123',
      STAYD_CONNECTIONS_NORTH_SEA_PUBLIC_URL: 'https://mirror.example.com',
      STAYD_CONNECTIONS_NORTH_SEA_WEBHOOK_AUTHENTICATION: 'token',
      STAYD_CONNECTIONS_NORTH_SEA_WEBHOOK_SECRET: '456',
      STAYD_CONNECTIONS_NORTH_SEA_RESPECT_LIMITS: 'false',
      STAYD_CONNECTIONS_NORTH_SEA_RECONCILE: '{schedules: [{resource: transaction, cron: 30 5 * * 1-5}]}',
      STAYD_UPSTREAM_URL: 'https://south.example.com',
      STAYD_UPSTREAM_RESPECT_LIMITS: 'false',
    });
    assert.deepEqual(connections, {
      north_sea: {
        url: 'https://north.example.com',
        account: null,
        oauth: null,
        token: '123',
        profile: 'described',
        time_zone: null,
        currency: null,
        webhook_authentication: 'token',
        webhook_secret: '456',
        trust_first_secret: false,
        public_url: 'https://mirror.example.com',
        respect_limits: false,
        reconcile: { schedules: [{ resource: 'transaction', cron: '30 5 * * 1-5' }] },
      },
    });
    assert.equal(upstream.respect_limits, false);
    const wrong = (name: string, value: string) => () => loadConfig({ [name]: value });
    assert.throws(wrong('STAYD_CONNECTIONS_NORTH_COLOUR', 'red'), /STAYD_CONNECTIONS_NORTH_COLOUR is no setting/);
    assert.throws(wrong('STAYD_CONNECTIONS_NORTH_URL', 'ftp://x'), /STAYD_CONNECTIONS_NORTH_URL: .*http or https/);
  });

  it('a schedule that cannot be kept is told from one by its key, with what is right', () => {
    const settingsOf = (schedule: string) => {
      const config = loadConfig({ STAYD_DAEMON_RECONCILE_SCHEDULES: `[${schedule}]` });
      return connectionSettings(config, systemClock, { url: 'http://127.0.0.1:1', accounts: [OWN] });
    };
    const [local] = settingsOf('{resource: calendar.near, cron: "*/5 8-18 * * *", zone: Europe/Oslo}');
    assert.deepEqual(
      local?.schedules?.map(({ resource, pattern, zone }) => [resource, pattern, zone]),
      [['calendar.near', '*/5 8-18 * * *', 'Europe/Oslo']],
    );
    const key = /daemon\.reconcile\.schedules/;
    for (const [schedule, says] of [
      ['{resource: bookings, cron: 0 5 * * *}', /schedules\[0\]\.resource: "bookings" is nothing that is scanned/],
      ['{resource: review, cron: 0 25 * * *}', /schedules\[0\]\.cron: "0 25 \* \* \*" hour: /],
      ['{resource: review, cron: 0 5 * * *, zone: Mars}', /zone: must be an IANA time zone/],
    ] as const) {
      assert.throws(() => settingsOf(schedule), key);
      assert.throws(() => settingsOf(schedule), says);
    }
  });
});

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { addDays } from '../../src/kernel/dates.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { call, startTestService, type TestService, until } from '../support/service.ts';

const KEY = '33'.repeat(32);
const RULES = `
name: wifi
state: live
when: message from guest
if: { says: [wifi] }
quiet: "off"
do:
  message: { text: "The network is called Mill." }
`;
/** Guests who ask at once. */
const GUESTS = 12;
/** Milliseconds in which another process notices what one has changed, on a busy machine. */
const NOTICED_MS = 30_000;

const property = async (service: TestService, title: string): Promise<number> =>
  (await service.v3('POST', '/properties', { title })).property_id;

async function book(service: TestService, property_id: number, month: string): Promise<string> {
  const { reservation_code } = await service.v3('POST', '/reservations', {
    property_id,
    check_in_date: `${month}-01`,
    check_out_date: `${month}-04`,
    guest_name: 'Ada',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 0,
  });
  return reservation_code;
}

/** What first announced a reservation to the mirror; waits until something has. */
async function announcedBy(service: TestService, code: string): Promise<unknown> {
  let seen: unknown;
  await until(
    async () => {
      const rows = await service.rows(`select seen_by from mirror.changes where key = '${code}' order by seq`);
      seen = rows[0]?.['seen_by'];
      return seen !== undefined;
    },
    `${code} in the mirror`,
    NOTICED_MS,
  );
  return seen;
}

describeOnPostgres('two whole services on one database', () => {
  const rules = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
  let server: TestPostgres;
  let one: TestService;
  let other: TestService;
  let house: number;
  let shared: Record<string, string>;

  before(async () => {
    server = await startPostgres();
    writeFileSync(join(rules, 'rules.yaml'), RULES);
    shared = {
      STAYD_DATABASE_URL: await server.freshDatabase(),
      STAYD_SECRET_KEY: KEY,
      STAYD_AUTOMATIONS_RULES: rules,
    };
    one = await startTestService(shared);
    other = await startTestService(shared);
    house = await property(one, 'House');
    await one.settled();
  });
  after(async () => {
    await other.remove();
    await one.remove();
    await server.stop();
    rmSync(rules, { recursive: true });
  });

  it('have one token and one webhook between them', async () => {
    const tokens = `select id from core.tokens where unlimited = 1 and revoked_at is null`;
    assert.equal((await one.rows(tokens)).length, 1);
    assert.equal((await one.rows('select id from core.webhooks where deleted_at is null')).length, 1);
  });

  it('take in what either commits, though the webhook is registered with one of them', async () => {
    assert.equal(await announcedBy(one, await book(one, house, '2027-01')), 'event');
    assert.equal(await announcedBy(one, await book(other, house, '2027-02')), 'event');
    const outcomes = await one.rows('select distinct outcome from core.deliveries');
    assert.deepEqual(outcomes, [{ outcome: 'delivered' }]);
  });

  it('answer each guest once, though both have the same rules', async () => {
    const act = (service: TestService, path: string, body: object) =>
      service.portal('POST', `/portal/sandbox/${path}`, body);
    const { channel_account_id } = await act(one, 'channel_accounts', { channel_type: 'marketplace_a' });
    const { listing_id } = await act(one, 'listings', { channel_account_id, property_id: house, base_price: 100 });
    const [rule] = (await one.portal('GET', '/portal/automations')).rules;
    await until(() => Date.now() > Date.parse(rule.armed_at) + 1_100, 'the second after the start');
    const threads: string[] = [];
    for (let guest = 0; guest < GUESTS; guest += 1) {
      const { conversation_id } = await act(one, 'bookings', {
        channel_type: 'marketplace_a',
        listing_id,
        check_in_date: addDays('2027-06-01', guest),
        check_out_date: addDays('2027-06-01', guest + 1),
        guest: { name: `Guest ${guest}` },
      });
      threads.push(conversation_id);
    }
    await one.settled();
    await Promise.all(
      threads.map((conversation_id, index) =>
        act(index % 2 === 0 ? one : other, 'messages', { conversation_id, content: 'Is there wifi?' }),
      ),
    );
    const answers = async () => {
      const rows = await one.rows("select conversation_id from core.messages where sender_role = 'host'");
      return rows.map((row) => String(row['conversation_id'])).toSorted();
    };
    await until(async () => (await answers()).length >= GUESTS, 'an answer to each', NOTICED_MS);
    await one.settled();
    assert.deepEqual(await answers(), threads.toSorted());
  });

  it('serve for the seconds of drain_seconds, in which a proxy hears that they stop', async () => {
    const third = await startTestService({ ...shared, STAYD_DRAIN_SECONDS: '2' });
    const agent = new Agent({ keepAlive: true });
    const ask = (path: string) =>
      new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
        const asked = request(`${third.url}${path}`, { agent }, (answer) => {
          answer.resume();
          answer.on('end', () => resolve({ status: answer.statusCode, connection: answer.headers.connection }));
        });
        asked.on('error', reject);
        asked.end();
      });
    assert.deepEqual(await ask('/readyz'), { status: 200, connection: 'keep-alive' });
    const stopped = third.stop();
    const stopping = { status: 503, connection: 'close' };
    assert.deepEqual(await ask('/readyz'), stopping);
    assert.deepEqual(await ask('/healthz'), { status: 200, connection: 'close' });
    const { json } = await call(third, 'GET', '/v3/properties', { token: third.token });
    assert.equal(json.error_code, 200, json.error_msg);
    await stopped;
    agent.destroy();
    await assert.rejects(ask('/healthz'), /ECONNREFUSED/);
    await third.remove();
  });

  it('mirror an account that was made at one of them, in both', async () => {
    const { connection } = await one.portal('POST', '/portal/accounts', {
      name: 'Second',
      time_zone: 'Europe/Berlin',
      currency: 'EUR',
    });
    const isThere = async () => (await other.portal('GET', '/portal/status')).connections[connection] !== undefined;
    await until(isThere, 'the connection in the other process', NOTICED_MS);
  });

  it('serve on when one has gone, and nothing is announced to it', async () => {
    await one.stop();
    assert.equal(await announcedBy(other, await book(other, house, '2027-03')), 'event');
    await one.restart();
    await other.stop();
    assert.equal(await announcedBy(one, await book(one, house, '2027-04')), 'event');
    await other.restart();
    const lost = "select event_id from core.deliveries where outcome is distinct from 'delivered'";
    await one.settled();
    assert.deepEqual(await one.rows(lost), []);
  });

  it('take the token of an earlier version from its file, which is gone then', async () => {
    await other.stop();
    await one.stop();
    const [row] = await one.rows('select account_id, token from core.daemon_tokens order by account_id');
    const seals = sealer(Buffer.from(KEY, 'hex'), systemRandom);
    const token = seals.open(String(row?.['token']), `daemon token of ${String(row?.['account_id'])}`);
    writeFileSync(join(one.dataDir, 'local.token'), `${seals.seal(token, 'local-token')}\n`);
    const tokens = 'select count(*)::int as count from core.tokens';
    const before = await one.rows(tokens);
    await one.run(`delete from core.daemon_tokens where account_id = '${String(row?.['account_id'])}'`);
    await one.restart();
    const [again] = await one.rows(
      `select token from core.daemon_tokens where account_id = '${String(row?.['account_id'])}'`,
    );
    assert.equal(seals.open(String(again?.['token']), `daemon token of ${String(row?.['account_id'])}`), token);
    // One is made by the test itself at each start.
    assert.deepEqual(await one.rows(tokens), before);
    await other.restart();
  });
});

/** A proxy as people put before several processes: hooks go to the daemons, all else to the cores, each in turn. */
function startProxy(targets: { cores: string[]; daemons: string[] }): Promise<Server> {
  const turns = { cores: 0, daemons: 0 };
  const server = createServer((incoming, outgoing) => {
    const kind = incoming.url?.startsWith('/hooks/') ? 'daemons' : 'cores';
    const list = targets[kind];
    const target = list[turns[kind]++ % list.length];
    if (target === undefined) {
      outgoing.writeHead(503).end();
      return;
    }
    const passed = request(
      `${target}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(passed);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describeOnPostgres('cores and daemons in processes of their own', () => {
  const targets = { cores: [] as string[], daemons: [] as string[] };
  const cores: TestService[] = [];
  const daemons: TestService[] = [];
  let server: TestPostgres;
  let proxy: Server;
  let house: number;
  let shared: Record<string, string>;

  before(async () => {
    server = await startPostgres();
    proxy = await startProxy(targets);
    shared = {
      STAYD_DATABASE_URL: await server.freshDatabase(),
      STAYD_SECRET_KEY: KEY,
      STAYD_INNER_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    };
    const start = async (roles: string) => startTestService({ ...shared, STAYD_ROLES: roles });
    for (const _ of [1, 2]) cores.push(await start('core,console'));
    targets.cores = cores.map(({ url }) => url);
    for (const _ of [1, 2]) daemons.push(await start('receive,work,schedule'));
    targets.daemons = daemons.map(({ url }) => url);
    const [core] = cores;
    assert.ok(core);
    house = await property(core, 'House');
    await until(
      async () => (await core.rows('select 1 from mirror.connections where caught_up_at is not null')).length === 1,
      'the first read',
      NOTICED_MS,
    );
    await core.settled();
  });
  after(async () => {
    for (const one of [...daemons, ...cores]) await one.remove();
    proxy.close();
    proxy.closeAllConnections();
    await server.stop();
  });

  it('what either core commits reaches the mirror by its event', async () => {
    for (const [index, core] of cores.entries()) {
      assert.equal(await announcedBy(core, await book(core, house, `2027-0${index + 1}`)), 'event');
    }
  });

  it('a daemon that was not told where the cores are says so', async () => {
    const said: string[] = [];
    const log = { ...silentLogger, warn: (_: object, text: string) => void said.push(text) };
    const { STAYD_INNER_URL: _, ...without } = shared;
    const lost = await startTestService({ ...without, STAYD_ROLES: 'receive,work,schedule' }, { log });
    assert.ok(
      said.some((text) => /mirrors nothing: set inner_url/.test(text)),
      said.join(),
    );
    await lost.remove();
  });

  it('a daemon that is left does the work of both', async () => {
    const [core] = cores;
    const [first] = daemons;
    assert.ok(core && first);
    targets.daemons = targets.daemons.slice(1);
    await first.stop();
    assert.equal(await announcedBy(core, await book(core, house, '2027-05')), 'event');
  });
});

it('inner_url on SQLite is refused, with what to do', async () => {
  await assert.rejects(
    startTestService({ STAYD_INNER_URL: 'http://127.0.0.1:1' }),
    /^UsageError: inner_url: on SQLite one process does everything/,
  );
});

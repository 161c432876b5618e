import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { portalRoutes } from '../../src/api/portal/routes.ts';
import { addDays, dateIn } from '../../src/kernel/dates.ts';
import { call, startTestService, type TestService, until } from '../support/service.ts';

/** Milliseconds for a first read, also on a busy machine. */
const READ_MS = 90_000;

interface Side {
  readonly connection: string;
  readonly account: string;
  readonly token: string;
  readonly readToken: string;
  readonly guest: string;
  readonly code: string;
}

/** One core with two accounts, both mirrored beside it. */
describe('several accounts of one core', () => {
  const today = dateIn('Europe/Berlin', Date.now());
  let service: TestService;
  let first: Side;
  let second: Side;

  const statusOf = async (connection: string) =>
    (await service.portal('GET', '/portal/status')).connections[connection] ?? null;
  const caughtUp = (connection: string) =>
    until(
      async () => {
        const status = await statusOf(connection);
        return status !== null && status.caught_up_age !== null && status.catch_up_due === null;
      },
      `the first read of ${connection}`,
      READ_MS,
    );
  const tokenOf = async (account: string, scope: string): Promise<string> =>
    (await service.portal('POST', '/portal/tokens', { name: 'test', scope, account })).token;
  const asked = (side: Side, method: string, path: string, body?: object) =>
    call(service, method, path, { token: side.token, ...(body && { body }) });

  async function sideOf(account: string, connection: string, house: string, guest: string): Promise<Side> {
    const token = await tokenOf(account, 'write');
    const v3 = async (method: string, path: string, body: object) => {
      const { json, text } = await call(service, method, `/v3${path}`, { token, body });
      assert.equal(json.error_code, 200, text);
      return json.data;
    };
    const { property_id } = await v3('POST', '/properties', { name: house });
    const { reservation_code: code } = await v3('POST', '/reservations', {
      property_id,
      check_in_date: today,
      check_out_date: addDays(today, 3),
      guest_name: guest,
      number_of_guests: 2,
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    });
    return { connection, account, token, readToken: await tokenOf(account, 'read'), guest, code };
  }

  before(async () => {
    service = await startTestService();
    const [{ name }] = (await service.portal('GET', '/portal/accounts')).accounts;
    first = await sideOf(name, 'local', 'Pine house', 'Grace Hopper');
    const made = await service.portal('POST', '/portal/accounts', {
      name: 'Südstrand & Söhne',
      time_zone: 'Europe/Berlin',
      currency: 'EUR',
    });
    assert.deepEqual([made.connection, made.mirrored], ['local-sudstrand-sohne', true]);
    second = await sideOf(made.name, made.connection, 'Palm house', 'Ada Lovelace');
    await caughtUp('local');
    await caughtUp(second.connection);
    await service.settled();
  });
  after(() => service.remove());

  it('a new account is mirrored at once, by a connection named after it', async () => {
    const { accounts } = await service.portal('GET', '/portal/accounts');
    assert.deepEqual(
      accounts.map((one: { connection: string; mirrored: boolean }) => [one.connection, one.mirrored]),
      [
        ['local', true],
        [second.connection, true],
      ],
    );
    const guests = await service.rows('select connection, name from mirror.guests order by connection');
    assert.equal(new Set(guests.map(({ connection }) => connection)).size, 2);
  });

  it('an event of either is applied in its own connection', async () => {
    for (const side of [first, second]) {
      const answer = await call(service, 'PATCH', `/v3/reservations/${side.code}`, {
        token: side.token,
        body: { remarks: `of ${side.guest}` },
      });
      assert.ok(answer.http < 500);
    }
    await service.settled();
    const seen = await service.rows(
      "select distinct connection from mirror.changes where seen_by = 'event' order by connection",
    );
    assert.deepEqual(
      seen.map(({ connection }) => connection),
      ['local', second.connection],
    );
  });

  it('tokens see the connection of their own account alone, on every way to the mirror', async () => {
    for (const [own, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { json } = await asked(own, 'GET', '/portal/status');
      assert.deepEqual(Object.keys(json.connections), [own.connection]);
      // Without a name there is only one.
      assert.equal((await asked(own, 'GET', `/mirror/reservation/${own.code}`)).http, 200);
      assert.equal((await asked(own, 'GET', `/mirror/reservation/${other.code}`)).http, 404);
      const changes = await asked(own, 'GET', '/mirror/changes?limit=1000');
      assert.ok(changes.text.includes(own.code) && !changes.text.includes(other.code));
      const stream = await call(service, 'GET', `/mirror/changes/stream?connection=${other.connection}`, {
        token: own.token,
      });
      assert.equal(stream.http, 404);
    }
  });

  it('every operation of the management API refuses to name the connection of another account', async () => {
    const open: string[] = [];
    let tried = 0;
    for (const route of portalRoutes) {
      if (route.access === 'control' || !('connection' in route.input.shape) || OF_ALL.has(route.path)) continue;
      const named = { connection: second.connection };
      const path = route.path
        .replaceAll(/:([a-z_]+)/g, (_, field: string) =>
          field.endsWith('id') ? '1' : field === 'month' ? '2027-03' : 'reservation',
        )
        .replace('*', second.code);
      const inQuery = route.method === 'GET' || route.method === 'DELETE';
      const answer = await call(service, route.method, inQuery ? `${path}?connection=${second.connection}` : path, {
        token: first.token,
        ...(!inQuery && { body: { ...sample(route.path), ...named } }),
      });
      tried += 1;
      const lines = answer.text.trim().split('\n');
      const failed = answer.http >= 400 || (JSON.parse(lines.at(-1) ?? '{}') as { error?: object }).error !== undefined;
      if (!failed || answer.text.includes(second.guest) || answer.text.includes('Palm house')) {
        open.push(`${route.method} ${route.path}: ${answer.http} ${answer.text.slice(0, 200)}`);
      }
    }
    assert.deepEqual(open, []);
    assert.ok(tried > 40, `${tried} operations name a connection`);
  });

  it('alarms, figures and files of rules of all accounts are for who runs the service', async () => {
    const far = { 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' };
    for (const [own, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const { http, text } = await call(service, 'GET', '/metrics', { token: own.token, headers: far });
      assert.equal(http, 200, text);
      assert.ok(text.includes(`connection="${own.connection}"`));
      assert.equal(text.includes(`connection="${other.connection}"`), false);
      assert.equal(/^stayd_alarm\{/m.test(text), false);
    }
    const near = await call(service, 'GET', '/metrics', { token: null });
    for (const { connection } of [first, second]) assert.ok(near.text.includes(`connection="${connection}"`));
    assert.equal((await asked(first, 'GET', '/portal/automations/files')).http, 403);
    assert.equal((await asked(second, 'GET', '/portal/status')).json.alarms, undefined);
  });

  it('rules do not act for a further account until a person has armed them', async () => {
    const facts = () =>
      service.rows("select connection, value from mirror.connection_facts where name = 'automations_disarmed'");
    const [only, ...others] = await facts();
    assert.deepEqual([only?.['connection'], others], [second.connection, []]);
    assert.match(String(only?.['value']), /not mirrored before/);
    assert.equal((await asked(first, 'POST', '/portal/automations/arm', { connection: second.connection })).http, 404);
    assert.equal((await facts()).length, 1);
    assert.equal((await asked(second, 'POST', '/portal/automations/arm', {})).http, 200);
    assert.deepEqual(await facts(), []);
  });

  it('each has books of its own', async () => {
    for (const side of [first, second]) {
      const run = await service.portal('POST', '/portal/exports/run', { job: 'jsonl', connection: side.connection });
      assert.equal(run.connection ?? side.connection, side.connection);
      const elsewhere = await asked(side, 'POST', '/portal/exports/run', { job: 'jsonl', out: '/tmp' });
      assert.match(elsewhere.text, /only the control secret names a folder/);
      const listed = await asked(side, 'GET', '/portal/exports');
      assert.equal(listed.json.connection, side.connection);
    }
  });

  it('every connection verifies', async () => {
    for (const { connection } of [first, second]) {
      const report = await service.portal('POST', '/portal/verify', { connection });
      assert.equal(report.drift ?? report.differences?.length ?? 0, 0, JSON.stringify(report).slice(0, 500));
    }
  });

  it('survives a restart, and keeps names and tokens', async () => {
    const before = await service.rows('select id, account_id from core.tokens where unlimited = 1 order by id');
    assert.equal(before.length, 2);
    await service.restart();
    await caughtUp(second.connection);
    const after = await service.rows('select id, account_id from core.tokens where unlimited = 1 order by id');
    assert.deepEqual(after, before);
  });

  it('an account that is not mirrored any more leaves nothing running, and its rows stay until it is mirrored again', async () => {
    const count = async () =>
      (
        await service.rows(`select count(*) as n from mirror.reservations where connection = '${second.connection}'`)
      )[0]?.['n'];
    const rows = await count();
    await service.portal('PUT', `/portal/accounts/${encodeURIComponent(second.account)}`, { mirrored: false });
    assert.equal(await statusOf(second.connection), null);
    assert.notEqual(await statusOf('local'), null);
    const live = await service.rows('select account_id from core.tokens where unlimited = 1 and revoked_at is null');
    assert.equal(live.length, 1);
    const hooks = await service.rows('select count(*) as n from core.webhooks where deleted_at is null');
    assert.equal(hooks[0]?.['n'], 1);
    assert.equal((await call(service, 'POST', `/hooks/${second.connection}`, { token: null, body: {} })).http, 404);
    assert.equal((await asked(second, 'GET', `/mirror/reservation/${second.code}`)).http, 409);
    assert.equal(await count(), rows);
    await service.portal('PUT', `/portal/accounts/${encodeURIComponent(second.account)}`, { mirrored: true });
    await caughtUp(second.connection);
    assert.equal((await asked(second, 'GET', `/mirror/reservation/${second.code}`)).http, 200);
    assert.equal((await asked(first, 'GET', `/mirror/reservation/${second.code}`)).http, 404);
  });
});

/** Texts that come with the program. */
const OF_ALL = new Set(['/portal/automations/recipes']);

/** Fields that an operation cannot do without, beside those that name a connection. */
function sample(path: string): object {
  return {
    job: 'jsonl',
    run: 'x',
    period: '2027-01',
    reason: 'because',
    payout: 'abcd',
    rule: 'x',
    plan_id: 'x',
    text: 'x',
    version: null,
    state: 'draft',
    since: '2027-01-01',
    event_ids: ['x'],
    name: 'x',
    url: 'https://example.com/x',
    guest_id: 1,
    force: false,
    file: 'x',
    stay_code: 'x',
    property_id: 1,
    check_in_date: '2027-01-01',
    check_out_date: '2027-01-02',
    items: { income: {}, expense: {} },
    role: 'cleaning',
    resource: 'reservation',
    path,
  };
}

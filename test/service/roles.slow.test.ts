import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { call, rowsOf, startTestService, type TestService, until } from '../support/service.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

const RULES = `
name: thanks
state: live
when: message from guest
do: { message: { text: "Thank you." } }
`;

it('on SQLite the roles of the daemon go together, and a part of them is refused by name', async () => {
  for (const roles of ['receive', 'core,work,schedule', 'schedule']) {
    await assert.rejects(
      startTestService({ STAYD_ROLES: roles }),
      /^UsageError: roles: .* is not possible on SQLite/,
      roles,
    );
  }
});

describeOnPostgres('a daemon whose work two processes share', () => {
  const rules = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
  let server: TestPostgres;
  let core: TestService;
  let receiver: TestService;
  let worker: TestService;

  before(async () => {
    writeFileSync(join(rules, 'rules.yaml'), RULES);
    server = await startPostgres();
    core = await startTestService({ STAYD_ROLES: 'core', STAYD_OUTBOUND_ALLOW: '127.0.0.0/8' });
    const shared = {
      STAYD_DATABASE_URL: await server.freshDatabase(),
      STAYD_SECRET_KEY: '33'.repeat(32),
      STAYD_UPSTREAM_URL: core.url,
      STAYD_UPSTREAM_TOKEN: core.token,
      STAYD_AUTOMATIONS_RULES: rules,
    };
    receiver = await startTestService({ ...shared, STAYD_ROLES: 'receive' });
    worker = await startTestService({
      ...shared,
      STAYD_ROLES: 'work,schedule',
      STAYD_UPSTREAM_PUBLIC_URL: receiver.url,
    });
    await until(async () => {
      const { connections } = await receiver.portal('GET', '/portal/status');
      return connections.upstream.caught_up_age !== null;
    }, 'the first read, made by the other process');
  });
  after(async () => {
    await worker.remove();
    await receiver.remove();
    await core.remove();
    await server.stop();
    rmSync(rules, { recursive: true });
  });

  const stay = (code: string) => rowsOf(receiver, `select status from mirror.stays where reservation_code = '${code}'`);
  const book = async (night: string, next: string): Promise<string> => {
    const { property_id } = await core.v3('POST', '/properties', { name: `House ${night}` });
    const { reservation_code } = await core.v3('POST', '/reservations', {
      property_id,
      check_in_date: night,
      check_out_date: next,
      guest_name: 'Ada',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    });
    return reservation_code;
  };

  it('what one receives the other reads, within a second or two', async () => {
    const code = await book('2027-03-01', '2027-03-04');
    await until(async () => (await stay(code)).length === 1, 'the booking in the mirror', 5_000);
    const [change] = await rowsOf(receiver, `select seen_by from mirror.changes where key = '${code}'`);
    assert.equal(change?.['seen_by'], 'event');
  });

  it('each answers for automations, though one alone acts; a process without a daemon says whom to ask', async () => {
    const state = async (of: TestService) => (await of.portal('GET', '/portal/automations')).rules[0];
    assert.deepEqual([(await state(receiver)).rule, (await state(receiver)).broken], ['thanks', false]);
    assert.equal((await receiver.portal('POST', '/portal/automations/disarm', {})).were_armed, true);
    const before = (await state(worker)).armed_at;
    const { connections } = await worker.portal('GET', '/portal/status');
    assert.equal(connections.upstream.automations.armed, false);
    assert.equal((await receiver.portal('POST', '/portal/automations/arm', {})).were_disarmed, true);
    assert.ok((await state(worker)).armed_at > before);
    assert.equal((await receiver.portal('POST', '/portal/automations/rules/thanks/pause', {})).was_going_on, true);
    assert.match((await state(worker)).paused_because, /a person/);
    assert.equal((await receiver.portal('GET', '/portal/automations/log')).entries[0].what, 'paused');
    const asked = await call(core, 'GET', '/portal/automations');
    assert.deepEqual([asked.http, asked.json.error.field], [409, 'connection']);
    assert.match(asked.json.error.message, /ask one with the role receive, work or schedule/);
  });

  it('only the receiver takes deliveries', async () => {
    const body = { event: 'reservation_updated', event_id: '01NONE', reservation_code: '5-X' };
    assert.equal((await call(receiver, 'POST', '/hooks/upstream', { body })).http, 401);
    assert.equal((await call(worker, 'POST', '/hooks/upstream', { body })).http, 404);
  });

  it('what is received while nobody works is read when somebody does', async () => {
    await worker.stop();
    const code = await book('2027-04-01', '2027-04-04');
    const waiting = `select 1 from mirror.inbox where state = 'pending' and key = '${code}'`;
    await until(async () => (await rowsOf(receiver, waiting)).length === 1, 'the event in the inbox');
    assert.deepEqual(await stay(code), []);
    await worker.restart();
    await until(async () => (await stay(code)).length === 1, 'the booking in the mirror');
  });
});

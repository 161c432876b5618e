import assert from 'node:assert/strict';
import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Ear, openEar } from '../notices/support/told.ts';
import { call, dataDirectory, startTestService, type TestService, until } from '../support/service.ts';

const RULE = `name: late-arrivals
state: live
when: booking
do:
  - notify: { to: [Reception], text: "{{ stay.nights }} nights at {{ property.name }}" }
`;
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe('notices of a running service', () => {
  let ear: Ear;
  let service: TestService;
  before(async () => {
    ear = await openEar();
    const dataDir = dataDirectory();
    mkdirSync(join(dataDir, 'rules'));
    writeFileSync(join(dataDir, 'rules', 'late.yaml'), RULE);
    const environment = { STAYD_OUTBOUND_ALLOW: ear.address, STAYD_AUTOMATIONS_RULES: join(dataDir, 'rules') };
    service = await startTestService(environment, { dataDir });
    await service.settled();
  });
  after(async () => {
    await service.remove();
    await ear.close();
  });

  const slack = { kind: 'slack', settings: { url: '' } };

  it('are set up by those who may, and shown without secrets', async () => {
    slack.settings.url = `${ear.url}/hook/s3cret`;
    const made = await service.portal('POST', '/portal/notices', { name: 'Reception', ...slack });
    assert.deepEqual([made.name, made.kind, made.shown, made.hears], ['Reception', 'slack', ear.address, ['alarms']]);
    assert.doesNotMatch(JSON.stringify(made), /s3cret/);
    const reader = (await service.portal('POST', '/portal/tokens', { name: 'r', scope: 'read' })).token as string;
    const sub = await service.portal('POST', '/portal/sub_accounts', { name: 'Keeper', property_ids: [] });
    const body = { name: 'k', scope: 'write', operator_id: sub.id };
    const keeper = (await service.portal('POST', '/portal/tokens', body)).token as string;
    const draft = { name: 'Mine', ...slack };
    for (const [token, http] of [
      [reader, 401],
      [null, 401],
      [keeper, 401],
    ] as const)
      assert.equal((await call(service, 'POST', '/portal/notices', { token, body: draft })).http, http, `${token}`);
    assert.equal((await call(service, 'GET', '/portal/notices', { token: keeper })).http, 401, 'a mirror shows all');
    const refused = await call(service, 'POST', '/portal/notices', {
      body: { name: 'Mail', kind: 'email', settings: { to: ['a@b.example'] } },
    });
    assert.equal(refused.http, 409);
    assert.match(refused.json.error.message, /mail\.smtp\.host/);
    const { entries } = await service.portal('GET', '/portal/audit');
    const entry = entries.find((one: { action: string }) => one.action === 'add notice place');
    assert.doesNotMatch(JSON.stringify(entry), /s3cret/);
    assert.match(JSON.stringify(entry), /Reception/);
  });

  it('send a test at once', async () => {
    assert.deepEqual(await service.portal('POST', '/portal/notices/Reception/test', {}), {
      name: 'Reception',
      sent: true,
      problem: null,
    });
    assert.equal(ear.heard.length, 1);
    assert.equal((await call(service, 'POST', '/portal/notices/None/test', { body: {} })).http, 404);
  });

  it('tell what a rule has noticed, once, also over a restart', async () => {
    // What is told within a minute of the test would wait.
    await service.run('update mirror.notice_places set next_at = null');
    const { property_id } = await service.v3('POST', '/properties', { name: 'Sea House' });
    await service.settled();
    ear.answers(500);
    await service.v3('POST', '/reservations', {
      property_id,
      check_in_date: day(10),
      check_out_date: day(13),
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
      currency: 'EUR',
    });
    await until(() => ear.heard.length > 1, 'an attempt');
    await service.stop();
    ear.answers(200);
    await service.run("update mirror.notices set next_at = '2026-01-01T00:00:00.000Z' where state = 'waiting'");
    await service.restart();
    const log = async () => (await service.portal('GET', '/portal/notices/log?limit=1')).notices[0];
    await until(async () => (await log()).state === 'sent', 'it to be told');
    const told = ear.heard.map(({ body }) => JSON.parse(body).text);
    assert.equal(told.at(-1), 'Rule late-arrivals\n\n3 nights at Sea House');
    assert.deepEqual(await service.rows("select text from mirror.notices where topic = 'rules'"), [{ text: '' }]);
    const plans = await service.rows('select state from mirror.automation_plans');
    assert.deepEqual(plans, [{ state: 'sent' }]);
  });

  it('are removed with what waits for them; a rule that names them then fails in words', async () => {
    await service.portal('DELETE', '/portal/notices/Reception');
    assert.deepEqual((await service.portal('GET', '/portal/notices')).places, []);
    assert.deepEqual(await service.rows('select count(*) as n from mirror.notices'), [{ n: 0 }]);
  });
});

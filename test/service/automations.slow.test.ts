import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type ObedientModel, startModel } from '../automations/ai/support/obedientModel.ts';
import { call, newToken, startTestService, type TestService, until } from '../support/service.ts';

const RULES = `
name: wifi
state: live
when: message from guest
if: { says: [wifi] }
quiet: "off"
do:
  message: { text: "The network is called Mill, {{ guest.first_name }}." }
---
name: confirm
state: test
when: booking
quiet: "off"
do:
  message: { text: "Thank you, {{ guest.first_name }}." }
---
name: answers
state: live
when: message from guest
if: { says: [park] }
do:
  ai_draft: { before: "Hello {{ guest.first_name }}," }
`;

/** The whole way, from a file of rules to the conversation, on the database of the environment. */
function suite(environment: () => Promise<Record<string, string>>): void {
  let service: TestService;
  let folder: string;
  let conversation: string;
  let model: ObedientModel;
  before(async () => {
    model = await startModel(({ data }) => data.knowledge[0].text);
    folder = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
    writeFileSync(join(folder, 'rules.yaml'), RULES);
    writeFileSync(join(folder, 'notes.txt'), 'no rule');
    service = await startTestService({
      STAYD_AUTOMATIONS_RULES: folder,
      STAYD_AI_URL: model.url,
      STAYD_AI_MODEL: 'obedient',
      STAYD_AI_LOCAL: 'true',
      ...(await environment()),
    });
    const { property_id } = await service.v3('POST', '/properties', { title: 'Mill' });
    const { channel_account_id } = await act('channel_accounts', { channel_type: 'marketplace_a' });
    const { listing_id } = await act('listings', { channel_account_id, property_id, base_price: 100 });
    // Moments of the wire are whole seconds; what happens in the second of the start is taken for history.
    const [rule] = (await service.portal('GET', '/portal/automations')).rules;
    await until(
      () => Promise.resolve(Date.now() > Date.parse(rule.armed_at) + 1_100),
      () => 'the next second',
    );
    const booked = await act('bookings', {
      channel_type: 'marketplace_a',
      listing_id,
      check_in_date: '2027-03-05',
      check_out_date: '2027-03-08',
      guest: { name: 'Ada Guest' },
    });
    conversation = booked.conversation_id;
  });
  after(async () => {
    await service.remove();
    await model.close();
    rmSync(folder, { recursive: true });
  });
  const act = (path: string, body: object) => service.portal('POST', `/portal/sandbox/${path}`, body);
  const said = async () =>
    (await service.v3('GET', `/conversations/${conversation}`)).messages
      .filter((one: { sender_role: string }) => one.sender_role === 'host')
      .map((one: { content: string }) => one.content);

  it('a guest asks and is answered; a rule in test only keeps its words', async () => {
    await service.settled();
    await act('messages', { conversation_id: conversation, content: 'Is there wifi?' });
    await until(
      async () => (await said()).length === 1,
      () => 'an answer',
    );
    assert.deepEqual(await said(), ['The network is called Mill, Ada.']);
    const log = async (what: string) => (await service.portal('GET', `/portal/automations/log?what=${what}`)).entries;
    await until(
      async () => (await log('tested')).length === 1,
      () => 'the test',
    );
    assert.equal((await log('sent'))[0].rule, 'wifi');
    assert.deepEqual((await service.portal('GET', '/portal/automations/pending')).plans, []);
  });

  it('a model drafts from the knowledge base, and a person sends it', async () => {
    const { id } = await service.v3('POST', '/knowledge_bases', { title: 'Parking', content: 'Behind the house.' });
    await until(
      async () => (await service.v3('GET', `/knowledge_bases/${id}`)).process_status === 'done',
      () => 'the entry',
    );
    await act('messages', { conversation_id: conversation, content: 'Where can I park?' });
    const pending = async () => (await service.portal('GET', '/portal/automations/pending')).plans;
    await until(
      async () => (await pending()).some((one: { state: string }) => one.state === 'awaiting_approval'),
      () => 'a draft',
    );
    const [plan] = await pending();
    assert.deepEqual([plan.text, plan.because], ['Hello Ada,\n\nBehind the house.', 'a person is to approve it']);
    assert.deepEqual(plan.sources, [
      { knowledge_base_id: id, title: 'Parking', sub_title: '', text: 'Behind the house.' },
    ]);
    await service.portal('POST', `/portal/automations/plans/${plan.plan_id}/approve`, {});
    await until(
      async () => (await said()).length === 2,
      () => 'the message',
    );
    assert.ok((await said()).includes(plan.text));
  });

  it('test --since tells the same, and refuses what is no moment', async () => {
    const run = await service.portal('GET', '/portal/automations/test?since=2026-01-01');
    assert.deepEqual(run.rows.map((row: { rule: string }) => row.rule).toSorted(), [
      'answers',
      'answers',
      'confirm',
      'wifi',
      'wifi',
    ]);
    const wrong = await call(service, 'GET', '/portal/automations/test?since=soon');
    assert.deepEqual([wrong.http, wrong.json.error.field], [422, 'since']);
  });

  it('a read-only token looks, and changes nothing; an unknown plan or rule is named', async () => {
    const token = await newToken(service, 'read');
    assert.equal((await call(service, 'GET', '/portal/automations', { token })).http, 200);
    assert.equal((await call(service, 'POST', '/portal/automations/disarm', { token, body: {} })).http, 401);
    const paused = await call(service, 'POST', '/portal/automations/rules/wify/pause', { body: {} });
    assert.match(paused.json.error.message, /there are answers, confirm, wifi/);
    assert.equal((await call(service, 'POST', '/portal/automations/plans/x/cancel', { body: {} })).http, 404);
  });

  it('the rows go on through a rebuild, and nothing is said again', async () => {
    await service.portal('POST', '/portal/rebuild_mirror', {});
    await service.settled();
    assert.equal((await said()).length, 2);
    const [{ plans }] = (await service.rows(
      "select count(*) as plans from mirror.automation_plans where state = 'sent'",
    )) as [{ plans: number }];
    assert.equal(plans, 2);
  });
}

describe('automations of a service', () => suite(() => Promise.resolve({})));

describeOnPostgres('automations of a service on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  describe('the same', () => suite(async () => ({ STAYD_DATABASE_URL: await server.freshDatabase() })));
});

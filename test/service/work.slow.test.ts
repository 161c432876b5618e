import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays, instantOf } from '../../src/kernel/dates.ts';
import { call, startTestService, type TestService, until } from '../support/service.ts';

describe('tasks, staff, automation and knowledge in a running service', () => {
  let service: TestService;
  let property: number;
  let rule: number;
  const today = instantOf(Date.now()).slice(0, 10);
  before(async () => {
    service = await startTestService({});
    property = (await service.v3('POST', '/properties', { name: 'House' })).property_id;
    await service.v3('POST', '/reservations', {
      property_id: property,
      check_in_date: addDays(today, 10),
      check_out_date: addDays(today, 12),
      guest_name: 'Ada',
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
    });
  });
  after(() => service.remove());

  const RULE = {
    type: 'message',
    name: 'Welcome',
    event: 'check_in',
    hours: -24,
    action: { content: 'Hi {guest_name}' },
  };
  const actions = async () => (await service.v3('GET', '/automation/actions')).actions;

  it('rules are managed at /portal/automation_rules', async () => {
    rule = (await service.portal('POST', '/portal/automation_rules', RULE)).id;
    const { automation_rules } = await service.portal('GET', '/portal/automation_rules');
    const { created_at, ...shown } = automation_rules[0];
    assert.equal(typeof created_at, 'string');
    assert.deepEqual(shown, { id: rule, ...RULE, property_ids: null, channel_types: null, is_enabled: true });
    assert.equal((await actions()).length, 1);
    await service.portal('PATCH', `/portal/automation_rules/${rule}`, { name: 'Hello', hours: -48 });
    assert.equal((await actions())[0].name, 'Hello');
    const second = (await service.portal('POST', '/portal/automation_rules', { ...RULE, hours: 1 })).id;
    assert.equal((await actions()).length, 2);
    await service.portal('DELETE', `/portal/automation_rules/${second}`);
    assert.equal((await actions()).length, 1);
  });

  it('a rule that does not fit is refused with its field; an unknown one is not found', async () => {
    const token = service.token;
    const ask = async (method: string, path: string, body?: object) => {
      const { http, json } = await call(service, method, `/portal/automation_rules${path}`, {
        token,
        ...(body && { body }),
      });
      return [http, json.error.field];
    };
    assert.deepEqual(await ask('POST', '', { ...RULE, event: 'birthday' }), [422, 'event']);
    assert.deepEqual(await ask('POST', '', { ...RULE, hours: 721 }), [422, 'hours']);
    assert.deepEqual(await ask('POST', '', { ...RULE, action: {} }), [422, 'action.content']);
    assert.deepEqual(await ask('PATCH', '/999999', { name: 'x' }), [404, 'id']);
    assert.deepEqual(await ask('DELETE', '/999999'), [404, 'id']);
  });

  it('texts of the knowledge base are processed by themselves', async () => {
    const { id } = await service.v3('POST', '/knowledge_bases', { content: 'The key lies under the mat.' });
    await until(async () => (await service.v3('GET', `/knowledge_bases/${id}`)).process_status === 'done', 'done');
  });

  it('the mirror holds all of it after a scan, and equals its source', async () => {
    const { staff_id } = await service.v3('POST', '/staffs', { name: 'Ada', mobile: '+49 1701234567' });
    await service.v3('POST', '/tasks', {
      type: 'cleaning',
      expected_date: addDays(today, 12),
      currency: 'EUR',
      property_id: property,
      staff_id,
      fee: 40,
    });
    await service.settled();
    await service.portal('POST', '/portal/reconcile', {});
    const counts = await service.rows(`select
      (select count(*) from mirror.tasks where fee_minor = 4000 and staff_name = 'Ada') as tasks,
      (select count(*) from mirror.staffs) as staffs,
      (select count(*) from mirror.automation_actions where name = 'Hello') as actions,
      (select count(*) from mirror.knowledge_bases where process_status = 'done') as entries`);
    assert.deepEqual(counts, [{ tasks: 1, staffs: 1, actions: 1, entries: 1 }]);
    const report = await service.portal('POST', '/portal/verify', {});
    assert.equal(report.clean, true, JSON.stringify(report.resources));
    for (const name of ['task', 'staff', 'automation_action', 'knowledge_base']) {
      const found = report.resources.find((one: { resource: string }) => one.resource === name);
      assert.equal(found.compared, 1, name);
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, startTestService, type TestService } from '../support/service.ts';
import { runOne } from '../cli/support/runMany.ts';

const PASSWORD = 'correct horse battery';

describe('the audit', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await service.settled();
  });
  after(() => service.remove());

  const entries = async (query = '') => (await service.portal('GET', `/portal/audit${query}`)).entries;
  const latest = async (action: string) => {
    const [entry] = await entries(`?limit=1&action=${encodeURIComponent(action)}`);
    assert.ok(entry, action);
    return entry;
  };
  const open = (path: string, body: object) => call(service, 'POST', path, { token: null, body });

  it('knows who signed in, who failed to, and nothing of names that nobody has', async () => {
    const { secret, operator_id } = await service.portal('POST', '/portal/invites', {});
    await open('/portal/invites/accept', { secret, login: 'ada', password: PASSWORD });
    assert.equal((await open('/portal/login', { login: 'ada', password: PASSWORD })).http, 200);
    assert.deepEqual((await latest('sign in')).new_values, { from: '127.0.0.1' });
    assert.equal((await open('/portal/login', { login: 'ada', password: 'wrong' })).http, 401);
    const failed = await latest('sign in failed');
    assert.deepEqual([failed.subject, failed.new_values], [`operator:${operator_id}`, { from: '127.0.0.1' }]);
    const before = (await entries()).length;
    await open('/portal/login', { login: 'my password in the wrong field', password: 'x' });
    assert.equal((await entries()).length, before);
  });

  it('knows tokens that were made and ended, and what they open', async () => {
    const { id, token } = await service.portal('POST', '/portal/tokens', { name: 'report', scope: 'read' });
    const made = await latest('create token');
    assert.deepEqual([made.subject, made.new_values.name, made.new_values.scope], [`token:${id}`, 'report', 'read']);
    // The same refusal once an hour.
    for (let i = 0; i < 3; i += 1) {
      const refused = await call(service, 'POST', '/v3/properties', { token, body: { title: 'x' } });
      assert.equal(refused.json.error_code, 401);
      assert.equal(
        (await call(service, 'POST', '/portal/tokens', { token, body: { name: 'x', scope: 'write' } })).http,
        401,
      );
    }
    const refusals = (await entries('?action=refused')).map((one: { action: string; subject: string }) => [
      one.action,
      one.subject,
    ]);
    assert.deepEqual(refusals, [
      ['refused POST /portal/tokens', `token:${id}`],
      ['refused createProperty', `token:${id}`],
    ]);
    await service.portal('DELETE', `/portal/tokens/${id}`);
    assert.equal((await latest('end token')).subject, `token:${id}`);
    assert.ok(!JSON.stringify(await entries()).includes(token));
  });

  it('knows what stood there and what stands there, and no secret of it', async () => {
    const { id } = await service.v3('POST', '/webhooks', { url: 'https://hooks.example/T0/s3cret?key=s3cret' });
    await service.v3('PATCH', `/webhooks/${id}`, { url: 'https://other.example/s3cret', events: ['review_created'] });
    const moved = await latest('updateWebhook');
    assert.deepEqual(moved.old_values, { host: 'hooks.example' });
    assert.deepEqual(moved.new_values, { host: 'other.example', events: ['review_created'] });
    const { property_id } = await service.v3('POST', '/properties', { title: 'Mill' });
    const sub = await service.portal('POST', '/portal/sub_accounts', { name: 'Cleaner' });
    await service.portal('PUT', `/portal/sub_accounts/${sub.id}`, { property_ids: [property_id] });
    const given = await latest('change sub-account');
    assert.deepEqual(
      [given.old_values, given.new_values],
      [
        { name: 'Cleaner', role: 'manager', all_properties: false, property_ids: [] },
        { name: 'Cleaner', role: 'manager', all_properties: false, property_ids: [property_id] },
      ],
    );
    assert.ok(!JSON.stringify(await entries()).includes('s3cret'));
  });

  it('knows who changed what the daemon has: the books, the rules and the endpoints', async () => {
    const { secret } = await service.portal('POST', '/portal/invites', {});
    await open('/portal/invites/accept', { secret, login: 'grace', password: PASSWORD });
    const signed = await open('/portal/login', { login: 'grace', password: PASSWORD });
    const cookie = String(signed.headers.get('set-cookie')).split(';')[0] ?? '';
    const asGrace = async (method: string, path: string, body: object = {}) => {
      const answer = await call(service, method, path, { token: null, body, headers: { cookie, origin: service.url } });
      assert.equal(answer.http, 200, `${path} ${answer.text}`);
      return answer.json;
    };
    const said = async (action: string) => {
      const { operator_name, entrance, subject, old_values, new_values } = await latest(action);
      assert.deepEqual([operator_name !== null, entrance], [true, 'portal'], action);
      return [subject, old_values, new_values];
    };
    const url = 'https://hooks.example/T0/s3cret?key=s3cret';
    const { endpoint_id: id } = await asGrace('POST', '/portal/endpoints', { url });
    const added = { host: 'hooks.example', kinds: ['*'], property_ids: null, persons: false, state: 'active' };
    assert.deepEqual(await said('add endpoint'), [`endpoint:${id}`, null, added]);
    await asGrace('PUT', `/portal/endpoints/${id}`, { state: 'disabled' });
    assert.deepEqual((await said('change endpoint'))[2], { ...added, state: 'disabled' });
    await asGrace('POST', `/portal/endpoints/${id}/rotate`);
    await call(service, 'DELETE', `/portal/endpoints/${id}`, { token: null, headers: { cookie, origin: service.url } });
    assert.deepEqual(await said('remove endpoint'), [`endpoint:${id}`, null, null]);
    // What is so already is no change.
    for (const path of ['disarm', 'disarm', 'arm']) await asGrace('POST', `/portal/automations/${path}`);
    assert.equal((await entries('?action=disarm')).length, 1);
    assert.deepEqual(await said('arm rules'), ['rules', null, null]);
    const month = '2020-01';
    await asGrace('POST', '/portal/exports/close', { period: month, soft: true });
    assert.deepEqual(await said('close month'), [
      `month:${month}`,
      null,
      { state: 'soft', months: [month], reason: null },
    ]);
    await asGrace('POST', '/portal/exports/reopen', { period: month, reason: 'an invoice came late' });
    assert.deepEqual(await said('reopen month'), [
      `month:${month}`,
      { state: 'soft' },
      { state: 'open', reason: 'an invoice came late' },
    ]);
    assert.ok(!JSON.stringify(await entries('?limit=1000')).includes('s3cret'));
    assert.ok(!JSON.stringify(await entries('?limit=1000')).includes('whsec_'));
  });

  it('is read by pages and filters, by the main account alone, and from the command line', async () => {
    const all = await entries('?limit=1000');
    const paged = [];
    for (let after = ''; ;) {
      const page = await service.portal('GET', `/portal/audit?limit=3${after && `&after=${after}`}`);
      paged.push(...page.entries);
      if (page.next === null) break;
      after = page.next;
    }
    assert.deepEqual(paged, all);
    const times = all.map((one: { id: string }) => one.id);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.deepEqual(await entries('?since=2999-01-01'), []);
    const named = async (query: string): Promise<string[]> => [
      ...new Set<string>((await entries(query)).map(({ action }: { action: string }) => action)),
    ];
    assert.deepEqual((await named('?action=sign%20in')).toSorted(), ['sign in', 'sign in failed']);
    assert.deepEqual(await named('?action=sign%20in&exact=true'), ['sign in']);
    assert.deepEqual(await entries('?actor=service&action=create%25'), []);
    const own = await entries('?actor=1');
    assert.ok(own.length > 0 && own.every((one: { operator_id: number }) => one.operator_id === 1));
    const sub = (await service.portal('GET', '/portal/sub_accounts')).sub_accounts[0].id;
    const { token } = await service.portal('POST', '/portal/tokens', { name: 'sub', scope: 'read', operator_id: sub });
    assert.equal((await call(service, 'GET', '/portal/audit', { token })).http, 401);
    const environment = { STAYD_DATA_DIR: service.dataDir, STAYD_PORT: '0' };
    const shown = await runOne(['audit', '--action', 'end token'], environment);
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /^at +who +action +subject +before +after\n\S+ +service +end token +token:\d+/);
    const json = await runOne(['audit', '--limit', '2', '--json'], environment);
    assert.equal(JSON.parse(json.stdout).length, 2);
  });
});

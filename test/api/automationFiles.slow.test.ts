import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { call, startTestService, type TestService } from '../support/service.ts';

const RULE = 'name: noted\nstate: draft\nwhen: booking\ndo: { tag: { add: new } }\n';
const FILES = '/portal/automations/files';

describe('files of rules by the management API', () => {
  let service: TestService;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
    writeFileSync(join(folder, 'rules.yaml'), RULE);
    service = await startTestService({ STAYD_AUTOMATIONS_RULES: folder });
  });
  after(async () => {
    await service.remove();
    rmSync(folder, { recursive: true });
  });
  const put = (name: string, body: object, token?: string) =>
    call(service, 'PUT', `${FILES}/${encodeURIComponent(name)}`, { body, ...(token !== undefined && { token }) });
  const read = async () => (await service.portal('GET', FILES)).files as { name: string; version: string }[];

  it('a file is replaced whole, by one without a mistake, if it is still the one that was read', async () => {
    const [{ version } = assert.fail()] = await read();
    const broken = await put('rules.yaml', { text: RULE.replace('booking', 'never'), version });
    assert.equal(broken.http, 422);
    assert.match(broken.json.error.message, /text: line 3: when/);
    const text = RULE.replace('new', 'newer');
    assert.equal((await put('rules.yaml', { text, version })).http, 200);
    assert.equal((await put('rules.yaml', { text: RULE, version })).http, 409, 'read before the change');
    assert.equal((await put('rules.yaml', { text: RULE })).http, 409, 'taken for a new one');
    assert.equal((await put('other.yaml', { text: RULE.replace('noted', 'b'), version })).http, 409, 'gone');
    assert.equal(readFileSync(join(folder, 'rules.yaml'), 'utf8'), text);
    assert.deepEqual(readdirSync(folder), ['rules.yaml'], 'and nothing is left beside it');
    const { rules } = await service.portal('GET', '/portal/automations');
    assert.deepEqual([rules[0].version, rules[0].when], [2, 'booking'], 'read at once');
  });

  it('no name leads out of the folder, or to a file that nobody reads', async () => {
    for (const name of [
      '../x.yaml',
      'a/b.yaml',
      '/tmp/x.yaml',
      '.hidden.yaml',
      'x.txt',
      'x.yaml\u0000',
      `${'x'.repeat(200)}.yaml`,
    ]) {
      const { http } = await put(name, { text: RULE.replace('noted', 'c') });
      assert.ok(http === 422 || http === 400 || http === 404, `${name}: ${http}`);
    }
    assert.deepEqual(readdirSync(folder), ['rules.yaml']);
  });

  it('two files cannot hold rules of one name, whichever comes first', async () => {
    const { http, json } = await put('a.yaml', { text: RULE });
    assert.equal(http, 422);
    assert.match(json.error.message, /line 1: name is taken by a rule of rules\.yaml/);
    const { mistakes } = await service.portal('POST', `${FILES}/a.yaml/check`, { text: `\n${RULE}` });
    assert.deepEqual(mistakes, [
      { line: 2, rule: 'noted', path: 'name', problem: 'is taken by a rule of rules.yaml, line 1' },
    ]);
  });

  it('every recipe is offered by itself, and each becomes a file without a mistake', async () => {
    const { recipes } = await service.portal('GET', '/portal/automations/recipes');
    assert.ok(recipes.length > 30);
    for (const { name, action } of recipes as { name: string; action: string }[]) {
      const state = /ai_draft|http/.test(action) ? 'draft' : 'test';
      const { http, text } = await call(service, 'POST', `/portal/automations/recipes/${name}`, { body: { state } });
      assert.ok(http === 200 || /hooks|secret/.test(text), `${name}: ${text}`);
    }
    const { mistakes } = await service.portal('GET', '/portal/automations');
    assert.deepEqual(mistakes, []);
    assert.equal(
      (await call(service, 'POST', '/portal/automations/recipes/none', { body: { state: 'test' } })).http,
      404,
    );
  });

  it('are for the only account with a writable token, and for none of several', async () => {
    const text = RULE.replace('noted', 'd');
    const reader = (await service.portal('POST', '/portal/tokens', { name: 'reader', scope: 'read' })).token;
    assert.equal((await put('d.yaml', { text }, reader)).http, 401);
    assert.equal((await call(service, 'GET', FILES, { token: reader })).http, 200);
    assert.equal((await put('d.yaml', { text }, service.token)).http, 200);
    await service.portal('POST', '/portal/accounts', { name: 'other', time_zone: 'UTC', currency: 'EUR' });
    const other = (await service.portal('POST', '/portal/tokens', { account: 'other', name: 'w', scope: 'write' }))
      .token;
    assert.equal((await put('d.yaml', { text }, other)).http, 403);
    assert.equal((await call(service, 'GET', FILES, { token: other })).http, 403);
    // They act in every account, so that none alone may change them.
    assert.equal((await put('d.yaml', { text }, service.token)).http, 403);
    const audit = await service.rows("select subject from core.audit where action = 'write rules'");
    assert.equal(audit.at(-1)?.['subject'], 'rules:d.yaml');
  });
});

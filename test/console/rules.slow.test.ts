import assert from 'node:assert/strict';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { soon } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';
import { call } from '../support/service.ts';
import { type InboxWorld, startInboxWorld } from './support/inboxWorld.ts';

const RULES = `name: wifi
about: Answers questions about the wifi.
state: live
when: message from guest
if: { says: [wifi] }
quiet: "off"
do:
  message: { text: "The network is called Mill, {{ guest.first_name }}." }
---
name: welcome
state: live
when: 2 days before check_in at 16:00
do:
  draft: { text: "Hello {{ guest.first_name }}." }
`;

describeInBrowser('the rules', () => {
  let world: InboxWorld;
  let page: Page;
  let ada: string;
  const main = (tab = page) => tab.innerText('main');
  const rules = (fields: Record<string, string> = {}) => world.at(`rules?${new URLSearchParams(fields).toString()}`);
  const file = (name: string) => readFileSync(join(world.folder, name), 'utf8');

  before(async () => {
    world = await startInboxWorld(RULES);
    ({ conversation_id: ada } = await world.guest('Ada Guest', world.sea));
    await world.write(ada, 'Is there wifi?');
    await world.plan('wifi', ada, 'sent');
    page = await world.person();
  });
  after(() => world.remove());

  it('lists each rule with its state, its trigger, what comes next, and the log with its reasons', async () => {
    await page.goto(world.at('today'));
    await page.click('nav >> text=Rules');
    const list = await page.innerText('section[aria-labelledby=rules]');
    assert.match(
      list,
      /wifi[\s\S]*Answers questions about the wifi\.[\s\S]*live[\s\S]*message from guest[\s\S]*1 done/,
    );
    assert.match(list, /welcome[\s\S]*2 days before check_in at 16:00[\s\S]*draft[\s\S]*planned/);
    assert.match(await page.innerText('section[aria-labelledby=planned]'), /welcome[\s\S]*draft[\s\S]*planned/);
    assert.match(await page.innerText('section[aria-labelledby=log]'), /wifi[\s\S]*done/);
    await page.selectOption('[name=what]', 'skipped');
    await page.click('section[aria-labelledby=log] >> text=Show');
    assert.equal(new URL(page.url()).searchParams.get('what'), 'skipped');
    assert.match(await page.innerText('section[aria-labelledby=log]'), /Nothing yet/);
  });

  it('one rule is paused and resumed, and tried on the past', async () => {
    await page.goto(rules());
    await page.click('section[aria-labelledby=rules] >> text=wifi >> nth=0');
    await page.click('text=Pause this rule');
    assert.match(await page.innerText('.said'), /wifi is paused/);
    assert.match(await main(), /paused since .*a person has paused it/);
    await page.click('text=Resume this rule');
    assert.match(await page.innerText('.said'), /acts again/);
    await page.click('text=Try it');
    const dry = await page.innerText('section[aria-labelledby=dry]');
    assert.match(dry, /action|left out/);
    assert.equal((await world.said(ada)).length, 1, 'nothing was sent');
  });

  it('all rules are stopped and let act again, each after a question', async () => {
    await page.goto(rules());
    await page.click('summary >> text=Stop all rules');
    assert.match(await main(), /No rule sends or changes anything/);
    await page.click('text=Stop all rules now');
    assert.match(await main(), /No rule acts since .*a person has disarmed them/);
    await page.click('summary >> text=Let rules act again');
    await page.click('text=Let them act from now on');
    assert.match(await page.innerText('.said'), /act again from now on/);
  });

  it('a planned action is cancelled after a question; a page that is open elsewhere shows it within a second', async () => {
    const other = await page.context().newPage();
    await other.goto(rules({ rule: 'welcome' }));
    await page.goto(rules({ rule: 'welcome' }));
    const planned = 'section[aria-labelledby=planned]';
    await page.click(`${planned} summary >> text=Cancel`);
    assert.match(await page.innerText(planned), /cancelled for good/);
    const timeout = await soon(other);
    await page.click('text=Cancel it for good');
    assert.match(await page.innerText(planned), /Nothing is planned/);
    await other.waitForSelector(`${planned} >> text=Nothing is planned`, { timeout });
    await other.close();
  });

  it('a file is edited on the page: a mistake is shown at its line and changes nothing, a right one is in use', async () => {
    const before = file('rules.yaml');
    await page.goto(rules({ rule: 'wifi' }));
    await page.click('text=Edit rules.yaml');
    assert.equal(await page.inputValue('#text'), before);
    await page.fill('#text', before.replace('when: message from guest', 'when: message from gust'));
    await page.click('form button >> text=Save');
    assert.match(await page.innerText('form [role=alert]'), /Nothing was changed\. text: line 4: when/);
    assert.match(await page.innerText('.lines .wrong'), /when: message from gust[\s\S]*when/);
    assert.match(await page.inputValue('#text'), /from gust/);
    assert.equal(file('rules.yaml'), before);
    await page.fill('#text', 'name: wifi\nstate: live\nwhen: booking\n');
    await page.click('form button >> text=Save');
    assert.match(await page.innerText('form [role=alert]'), /text: line 1: do is required/);
    await page.fill('#text', before.replace('called Mill', 'called Barn'));
    await page.click('form button >> text=Save');
    assert.match(await page.innerText('.said'), /rules\.yaml was saved and is in use/);
    assert.match(file('rules.yaml'), /called Barn/);
    await page.goto(rules({ rule: 'wifi' }));
    assert.match(await main(), /Version\s+2, acts on/);
    const entries = await world.service.rows(
      "select subject, operator_id from core.audit where action = 'write rules'",
    );
    assert.deepEqual(
      entries.map(({ subject }) => subject),
      ['rules:rules.yaml'],
    );
    assert.notEqual(entries[0]?.['operator_id'], null);
  });

  it('of two people who edit one file the second is told, and overwrites nothing', async () => {
    await page.goto(rules({ file: 'rules.yaml' }));
    const mine = await page.inputValue('#text');
    writeFileSync(join(world.folder, 'rules.yaml'), mine.replace('called Barn', 'called Yard'));
    await page.fill('#text', mine.replace('called Barn', 'called Loft'));
    await page.click('form button >> text=Save');
    assert.match(await page.innerText('[role=alert]'), /somebody else has changed it since you opened it/);
    assert.match(await page.inputValue('#text'), /called Loft/);
    await page.click('form button >> text=Save');
    assert.match(await page.innerText('[role=alert]'), /somebody else has changed it/);
    assert.match(file('rules.yaml'), /called Yard/);
  });

  it('a new file has a name in the folder of rules and nowhere else, and takes no name that is there', async () => {
    await page.goto(rules());
    await page.click('text=New file');
    for (const [name, problem] of [
      ['../evil.yaml', /file: must be letters/],
      ['evil.txt', /file: must be letters/],
      ['rules.yaml', /there is one of this name already/],
    ] as const) {
      await page.fill('#file', name);
      await page.click('form button >> text=Save');
      assert.match(await page.innerText('[role=alert]'), problem, name);
      assert.equal(await page.inputValue('#file'), name);
    }
    assert.equal(existsSync(join(world.folder, '..', 'evil.yaml')), false);
    symlinkSync(join(world.folder, 'outside.txt'), join(world.folder, 'link.yaml'));
    writeFileSync(join(world.folder, 'outside.txt'), 'name: x');
    const { version } = (await world.service.portal('GET', '/portal/automations/files')).files.find(
      ({ name }: { name: string }) => name === 'link.yaml',
    );
    const body = { text: await page.inputValue('#text'), version };
    const answer = await call(world.service, 'PUT', '/portal/automations/files/link.yaml', { body });
    assert.deepEqual([answer.http, answer.json.error.field], [422, 'file']);
    assert.equal(file('outside.txt'), 'name: x');
    await page.fill('#file', 'mine.yaml');
    await page.click('form button >> text=Save');
    assert.match(await page.innerText('.said'), /mine\.yaml was saved/);
    assert.match(file('mine.yaml'), /name: my-rule/);
  });

  it('a recipe is switched on by a form, and is a file of its own', async () => {
    await page.goto(rules());
    await page.click('.recipes summary >> nth=0');
    const row = page.locator('.recipes tr', { hasText: 'parking-answer' });
    await row.locator('select').selectOption('live');
    await row.locator('button').click();
    assert.match(await page.innerText('.said'), /parking-answer was added, live/);
    assert.match(file('parking-answer.yaml'), /^name: parking-answer[\s\S]*^state: live/m);
    await page.goto(rules());
    assert.match(await page.innerText('section[aria-labelledby=rules]'), /parking-answer[\s\S]*live/);
  });

  it('is for the owner of the whole account alone', async () => {
    for (const role of ['manager', 'staff', 'read_only'] as const) {
      const tab = await world.person(role);
      assert.equal((await tab.goto(rules()))?.status(), 403, role);
      const form = { headers: { origin: world.service.url }, form: { file: 'rules.yaml', text: '' } };
      assert.equal((await tab.request.post(world.at('rules/write'), form)).status(), 403, role);
      await tab.close();
    }
    const token = (await world.service.portal('POST', '/portal/tokens', { name: 'reader', scope: 'read' })).token;
    const body = { text: 'name: x', version: null };
    assert.equal((await call(world.service, 'PUT', '/portal/automations/files/x.yaml', { body, token })).http, 401);
  });

  it('nothing in the way of anybody', async () => {
    await page.goto(rules());
    await page.click('.recipes summary >> nth=0');
    const found = await obstaclesOn(page, 'rules');
    await page.goto(rules({ rule: 'wifi', since: world.day(-30) }));
    found.push(...(await obstaclesOn(page, 'rule')));
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.goto(rules({ file: 'rules.yaml' }));
    await page.fill('#text', 'name: wifi\nstate: live\nwhen: never\n');
    await page.click('form button >> text=Save');
    found.push(...(await obstaclesOn(page, 'rule-file')));
    await page.setViewportSize({ width: 1_280, height: 900 });
    assert.deepEqual(found, []);
  });

  it('S28: texts that would run something are shown as texts', async () => {
    await page.goto(rules({ new: 'file' }));
    for (const payload of PAYLOADS.slice(0, 26)) {
      const text = payload.replaceAll('\u0000', '');
      await page.fill('#file', 'hostile.yaml');
      await page.fill(
        '#text',
        `name: hostile\nabout: ${JSON.stringify(text)}\nstate: draft\nwhen: ${JSON.stringify(text)}\n`,
      );
      await page.click('form button >> text=Save');
      assert.ok((await page.locator('.lines .wrong').count()) > 0);
    }
    const about = JSON.stringify(PAYLOADS[0]);
    const text = `name: hostile\nabout: ${about}\nstate: draft\nwhen: message from guest\ndo: { note: { add: ${about} } }\n`;
    writeFileSync(join(world.folder, 'hostile.yaml'), text);
    await world.service.run(`update mirror.automation_log set detail = '${String(PAYLOADS[1]).replaceAll("'", "''")}'`);
    await page.goto(rules({ file: 'hostile.yaml' }));
    assert.equal(await page.inputValue('#text'), text);
    await page.goto(rules());
    assert.deepEqual(world.pages.problems, []);
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type Ear, MAIL_PASSWORD, type Mailbox, openEar, openMailbox } from '../notices/support/told.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';
import { freePort } from '../support/port.ts';
import { until } from '../support/service.ts';

describeInBrowser('Notices in a browser', () => {
  let world: ConsoleWorld;
  let ear: Ear;
  let mailbox: Mailbox;
  let page: Page;
  const main = () => page.innerText('main');
  const said = () => page.innerText('.said');

  before(async () => {
    ear = await openEar();
    mailbox = await openMailbox();
    world = await startConsoleWorld({
      STAYD_OUTBOUND_ALLOW: `${ear.address},127.0.0.1:${mailbox.port}`,
      STAYD_PORT: String(await freePort()),
    });
    page = await world.person();
  });
  after(async () => {
    await world.remove();
    await ear.close();
    await mailbox.close();
  });

  it('a chat is added from Setup in three clicks, told a test, paused and removed', async () => {
    await page.goto(world.at('setup'));
    await page.click('main a:text-is("Notices")');
    assert.match(await main(), /Nobody is told anything yet/);
    await page.click('main a:text-is("Slack")');
    await page.fill('#name', 'Reception');
    await page.fill('#url', `${ear.url}/hook/s3cret`);
    await page.check('input[name=today]');
    await page.fill('#at', '07:15');
    await page.fill('#quiet', '21:00-07:00');
    await page.click('button:text-is("Add")');
    assert.match(await said(), /Reception is told from now on/);
    assert.match(await main(), /alarms, the day ahead at 07:15, quiet 21:00-07:00/);
    assert.ok(!(await page.content()).includes('s3cret'), 'its address is a secret');
    await page.click('button:text-is("Test")');
    assert.match(await said(), /A test was sent to Reception/);
    assert.equal(ear.heard.length, 1);
    assert.match(await page.innerText('section[aria-labelledby=log]'), /stayd: a test/);
    ear.answers(404);
    await page.click('button:text-is("Test")');
    assert.match(await main(), /Nothing arrived at Reception: it answers 404: there is no such address/);
    await page.goto(world.at('notices'));
    await page.click('button:text-is("Pause")');
    assert.match(await main(), /paused/);
    await page.click('button:text-is("Resume")');
    await page.click('summary:text-is("Remove")');
    assert.match(await page.innerText('details[open] form p'), /Reception is told nothing any more/);
    await page.click('button:text-is("Remove")');
    assert.match(await said(), /Reception is removed/);
  });

  it('says what is wrong with a form above its fields, and keeps what was typed, but no secret', async () => {
    await page.goto(world.at('notices?kind=webhook'));
    await page.fill('#name', 'Call');
    await page.fill('#url', `${ear.url}/calls`);
    await page.fill('#header', 'Authorization: Basic s3cret');
    await page.fill('#body', '{"a": "{{ text }}"}');
    await page.click('button:text-is("Add")');
    assert.match(await page.innerText('.bad'), /makes no JSON/);
    assert.equal(await page.inputValue('#name'), 'Call');
    assert.equal(await page.inputValue('#header'), '');
    await page.goto(world.at('notices?kind=email'));
    await page.fill('#name', 'Mail');
    await page.fill('#to', 'reception@rooms.example');
    await page.click('button:text-is("Add")');
    assert.match(await page.innerText('.bad'), /mail\.smtp\.host/);
  });

  it('the server that sends mail is tried, then saved, and a mail goes out by it', async () => {
    const fill = async (fields: Record<string, string>) => {
      await page.goto(world.at('notices?server=edit'));
      const all = { host: '127.0.0.1', user: 'reception@rooms.example', from: 'Sea View <reception@rooms.example>' };
      for (const [name, value] of Object.entries({ ...all, ...fields })) await page.fill(`#${name}`, value);
      await page.selectOption('#security', 'none');
      await page.click('button:text-is("Try it and save")');
      return page.innerText('.bad, .said');
    };
    const port = String(mailbox.port);
    await page.goto(world.at('notices'));
    assert.match(await main(), /No server is set/);
    await page.click('main a:text-is("Set the server")');
    assert.deepEqual(await obstaclesOn(page, 'mail-server-form'), []);
    assert.match(await fill({ port }), /password: is missing/);
    assert.match(await fill({ port: '1', password: MAIL_PASSWORD }), /leads into a private network/);
    assert.match(await fill({ port, password: 'wrong' }), /Invalid login/);
    assert.equal(await page.inputValue('#password'), '', 'it is never typed back');
    assert.match(await fill({ port, password: MAIL_PASSWORD, from: 'nobody' }), /from: must be an address/);
    const save = async (fields: Record<string, string>) => {
      const { service: before } = world.service;
      assert.match(await fill(fields), /let us in and is saved/);
      await until(() => world.service.service !== before, 'the service to begin again');
      await page.goto(world.at('notices'));
      // The page before it listened on while nobody was there.
      const problems = world.pages.problems.splice(0);
      assert.deepEqual(
        problems.filter((one) => !one.includes('net::ERR_')),
        [],
      );
    };
    await save({ port, password: MAIL_PASSWORD });
    assert.match(readFileSync(join(world.service.dataDir, 'stayd.yaml'), 'utf8'), /password: s3cret/);
    const settings = { to: ['reception@rooms.example'] };
    await world.service.portal('POST', '/portal/notices', { name: 'Mail', kind: 'email', settings });
    assert.equal((await world.service.portal('POST', '/portal/notices/Mail/test', {})).sent, true);
    assert.match(mailbox.mails[0]?.text ?? '', /From: Sea View <reception@rooms\.example>/);
    const [entry] = (await world.service.portal('GET', '/portal/audit?limit=1&action=set%20mail%20server')).entries;
    assert.equal(entry.new_values.from, 'Sea View <reception@rooms.example>');
    assert.doesNotMatch(JSON.stringify(entry), /s3cret/);
    await page.goto(world.at('notices'));
    assert.match(await main(), /127\.0\.0\.1 sends, in the name of Sea View/);
    // The password is kept.
    await save({ port, from: 'Harbour View <reception@rooms.example>' });
  });

  it('runs nothing that a name or a title holds, and is without obstacles at every width', async () => {
    ear.answers(200);
    const settings = { url: `${ear.url}/hook` };
    await world.service.portal('POST', '/portal/notices', {
      name: 'Reception',
      kind: 'slack',
      settings,
      hears: ['today'],
    });
    await world.service.portal('POST', '/portal/notices/Reception/test', {});
    const titles = PAYLOADS.map((text) => `'${text.replaceAll("'", "''")}'`);
    for (const title of titles.slice(0, 10)) await world.service.run(`update mirror.notices set title = ${title}`);
    await page.goto(world.at('notices'));
    const found = await obstaclesOn(page, 'notices');
    await page.goto(world.at('notices?kind=webhook'));
    found.push(...(await obstaclesOn(page, 'notice-form')));
    assert.deepEqual(found, []);
    assert.deepEqual(world.pages.problems, []);
  });
});

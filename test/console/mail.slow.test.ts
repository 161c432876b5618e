import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { type MailServer, PASSWORD, startMailServer } from '../channels/mail/support/mailServer.ts';
import { mailOf } from '../channels/mail/support/shapes.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { obstaclesOn } from '../support/pages.ts';

const OURS = 'reception@rooms.example';

describeInBrowser('Mail in a browser', () => {
  let world: ConsoleWorld;
  let server: MailServer;
  let page: Page;
  const main = () => page.innerText('main');
  const said = () => page.innerText('.said');

  before(async () => {
    server = await startMailServer();
    world = await startConsoleWorld({ STAYD_OUTBOUND_ALLOW: server.allow });
    page = await world.person();
  });
  after(async () => {
    await world.remove();
    await server.stop();
  });

  it('a mailbox is added from Setup, read, tested and paused; what was typed wrong is said', async () => {
    await page.goto(world.at('setup'));
    await page.click('main a:text-is("Mail")');
    assert.match(await main(), /No mailbox is read yet/);
    await page.fill('#name', 'Sea View');
    await page.fill('#address', OURS);
    await page.fill('#imap_host', '127.0.0.1');
    await page.fill('#imap_port', String(server.imapPort));
    await page.selectOption('#imap_security', 'none');
    await page.fill('#imap_password', 'wrong');
    await page.fill('#smtp_host', '127.0.0.1');
    await page.fill('#smtp_port', String(server.smtpPort));
    await page.selectOption('#smtp_security', 'none');
    await page.fill('#smtp_password', PASSWORD);
    await page.click('button:text-is("Add")');
    assert.match(await main(), /refuses the user and the password/);
    assert.equal(await page.inputValue('#address'), OURS);
    assert.equal(await page.inputValue('#imap_password'), '', 'a secret is not typed back');
    await page.fill('#imap_password', PASSWORD);
    await page.fill('#smtp_password', PASSWORD);
    await page.click('button:text-is("Add")');
    assert.match(await said(), /reception@rooms\.example is read each minute/);
    assert.ok(!(await page.content()).includes(PASSWORD));
    server.drop(
      OURS,
      mailOf(
        { From: 'Ann <ann@guest.example>', Subject: 'A <b>room</b>?', 'Message-ID': '<1@guest.example>' },
        'Hello',
      ),
    );
    server.drop(
      OURS,
      mailOf(
        { From: 'away@guest.example', 'Auto-Submitted': 'auto-replied', 'Message-ID': '<2@guest.example>' },
        'Away',
      ),
    );
    server.drop(OURS, mailOf({ To: OURS, 'Message-ID': '<3@guest.example>' }, 'From nobody'));
    await page.click('button:text-is("Read now")');
    assert.match(await said(), /1 × message/);
    assert.match(await main(), /automatic, not answered/);
    assert.match(await page.innerText('section[aria-labelledby=waiting]'), /it has no sender/);
    const found = await obstaclesOn(page, 'mail');
    assert.deepEqual(found, []);
    await page.click('section[aria-labelledby=waiting] button:text-is("Seen")');
    assert.match(await said(), /Noted/);
    assert.equal(await page.locator('section[aria-labelledby=waiting]').count(), 0);
    await page.click('button:text-is("Test")');
    assert.match(await said(), /can be read, and mail can be sent/);
    await page.click('button:text-is("Pause")');
    assert.match(await main(), /paused/);
    await page.click('button:text-is("Resume")');
    await page.click('section[aria-labelledby=log] a:text-is("message")');
    assert.match(await main(), /Hello/);
    assert.deepEqual(world.pages.problems, []);
  });
});

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { soon } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';
import { until } from '../support/service.ts';
import { type InboxWorld, startInboxWorld } from './support/inboxWorld.ts';

const RULES = `
name: wifi
about: Drafts an answer about the wifi.
state: live
when: message from guest
if: { says: [wifi] }
quiet: "off"
do:
  draft: { text: "The network is called Mill, {{ guest.first_name }}." }
`;

describeInBrowser('the inbox', () => {
  let world: InboxWorld;
  let page: Page;
  let ada: string;
  let bob: string;
  const main = (tab = page) => tab.innerText('main');
  const inbox = (fields: Record<string, string> = {}) => world.at(`inbox?${new URLSearchParams(fields).toString()}`);
  const names = (tab = page) => tab.locator('.entry .who').allInnerTexts();

  before(async () => {
    world = await startInboxWorld(RULES);
    ({ conversation_id: ada } = await world.guest('Ada Guest', world.sea));
    ({ conversation_id: bob } = await world.guest('Bob Guest', world.hill));
    await world.write(ada, 'Is there a lift?');
    await world.write(bob, 'Hello!');
    await world.service.v3('POST', `/conversations/${bob}`, { message: 'Welcome, Bob.' });
    await world.service.settled();
    page = await world.person();
  });
  after(() => world.remove());

  it('shows what nobody has answered first, and says in the navigation how much it is', async () => {
    await page.goto(world.at('today'));
    assert.equal(await page.innerText('nav .badge'), '1');
    await page.click('nav >> text=Inbox');
    assert.deepEqual(await names(), ['Ada Guest', 'Bob Guest']);
    assert.match(await page.innerText('.entry >> nth=0'), /Sea House[\s\S]*Is there a lift\?[\s\S]*unanswered/);
    assert.match(await page.innerText('.entry >> nth=1'), /You: Welcome, Bob\./);
    await page.click('.tabs >> text=Unanswered');
    assert.deepEqual(await names(), ['Ada Guest']);
    assert.equal(new URL(page.url()).searchParams.get('show'), 'unanswered');
    await page.fill('[name=named]', 'bob');
    await page.click('main >> text=Find');
    assert.match(await main(), /No conversation matches/);
    await page.click('text=Show all');
    await page.click('.tabs >> text=All');
    await page.fill('[name=named]', 'BOB');
    await page.selectOption('[name=property]', { label: 'Hill House' });
    await page.click('main >> text=Find');
    assert.deepEqual(await names(), ['Bob Guest']);
  });

  it('answers a guest in three clicks from Today, once, with the stay beside the thread', async () => {
    await page.goto(world.at('today'));
    await page.click('nav >> text=Inbox');
    await page.click('.entry >> text=Ada Guest');
    const beside = await page.innerText('.beside');
    for (const text of ['Sea House', 'accepted', 'ada', 'Private note'.toUpperCase()]) {
      assert.ok(beside.toLowerCase().includes(text.toLowerCase()), `${text} in ${beside}`);
    }
    await page.fill('#answer', 'Yes, to every floor.');
    await page.click('.answer button');
    assert.match(await page.innerText('.said'), /Your message to Ada Guest was sent/);
    await page.waitForSelector('.message.ours >> text=Yes, to every floor.');
    assert.deepEqual(await world.said(ada), ['Yes, to every floor.']);
    assert.equal(await page.locator('nav .badge').count(), 0);
    // A form that is sent twice, as by a double click, does one thing.
    const once = await page.inputValue('form.answer [name=once]');
    const action = (await page.getAttribute('form.answer', 'action')) ?? '';
    const sent = { headers: { origin: world.service.url }, form: { once, message: 'And one more thing.' } };
    await Promise.all([1, 2].map(() => page.request.post(new URL(action, page.url()).href, sent)));
    assert.deepEqual(await world.said(ada), ['Yes, to every floor.', 'And one more thing.']);
  });

  it('a message that a guest writes appears on the open page, and what is being typed stays', async () => {
    await page.goto(inbox({ conversation: ada }));
    await page.fill('#answer', 'I am still wri');
    await page.fill('#private-note', 'half a no');
    const timeout = 3 * (await soon(page));
    await world.act('messages', { conversation_id: ada, content: 'And a pool?' });
    await page.waitForSelector('.message.theirs >> text=And a pool?', { timeout });
    assert.equal(await page.inputValue('#answer'), 'I am still wri');
    assert.equal(await page.inputValue('#private-note'), 'half a no');
  });

  it('an answer that is refused says why, and keeps the words', async () => {
    await page.goto(inbox({ conversation: ada }));
    await page.evaluate('document.querySelector("#answer").removeAttribute("maxlength")');
    await page.fill('#answer', 'x'.repeat(20_001));
    await page.click('.answer button');
    assert.match(await page.innerText('[role=alert]'), /message/);
    assert.equal((await page.inputValue('#answer')).length, 20_001);
  });

  it('keeps a private note', async () => {
    await page.goto(inbox({ conversation: ada }));
    await page.fill('#private-note', 'Arrives late.');
    await page.click('.beside >> text=Save');
    assert.match(await page.innerText('.said'), /note was saved/);
    assert.equal(await page.inputValue('#private-note'), 'Arrives late.');
  });

  it('a draft of a rule waits in the thread; approved in one browser it vanishes in the other within a second', async () => {
    await world.write(bob, 'Is there wifi?');
    await world.plan('wifi', bob);
    const other = await world.person('manager');
    for (const tab of [page, other]) {
      await tab.goto(inbox({ show: 'drafts' }));
      await tab.click('.entry >> text=Bob Guest');
      assert.match(await tab.innerText('.draft'), /Draft of the rule wifi[\s\S]*The network is called Mill, Bob\./);
    }
    const timeout = await soon(other);
    await page.click('.draft >> text=Send as it is');
    assert.match(await page.innerText('.said'), /goes to Bob Guest/);
    await other.waitForSelector('.draft >> text=Draft of the rule', { state: 'detached', timeout });
    await until(async () => (await world.said(bob)).length === 2, 'the message');
    await other.close();
  });

  it('of two people who decide on the same draft one succeeds, the other reads why not, and nothing doubles', async () => {
    const { conversation_id: eve } = await world.guest('Eve Guest', world.sea);
    await world.write(eve, 'wifi, please?');
    await world.plan('wifi', eve);
    const other = await world.person('staff');
    // Neither page hears of the other.
    for (const tab of [page, other]) {
      await tab.route('**/console/live*', (route) => route.fulfill({ status: 204 }));
      await tab.goto(inbox({ conversation: eve }));
    }
    const edit = async (tab: Page, text: string) => {
      await tab.click('.draft summary >> text=Edit');
      await tab.fill('.draft textarea', text);
      await tab.click('.draft >> text=Send these words');
    };
    await Promise.all([edit(page, 'It is Mill.'), edit(other, 'Mill it is.')]);
    const alerts = [
      await page.locator('[role=alert]').allInnerTexts(),
      await other.locator('[role=alert]').allInnerTexts(),
    ];
    assert.equal(alerts.flat().length, 1, JSON.stringify(alerts));
    assert.match(String(alerts.flat()[0]), /Nothing was changed\. .*was awaiting_approval and is/);
    await world.plan('wifi', eve, 'sent');
    assert.equal((await world.said(eve)).length, 1);
    for (const tab of [page, other]) await tab.unroute('**/console/live*');
    await other.close();
  });

  it('a draft is discarded after a question, and never sent', async () => {
    const { conversation_id: dan } = await world.guest('Dan Guest', world.hill);
    await world.write(dan, 'wifi?');
    await world.plan('wifi', dan);
    await page.goto(inbox({ conversation: dan }));
    await page.click('.draft summary >> text=Discard');
    assert.match(await page.innerText('.draft'), /dropped for good/);
    await page.click('text=Discard the draft');
    assert.match(await page.innerText('.said'), /discarded/);
    assert.equal(await page.locator('.draft').count(), 0);
    await world.plan('wifi', dan, 'cancelled');
    assert.deepEqual(await world.said(dan), []);
  });

  it('an inquiry can be pre-approved, and offered at a price of its own, which can be withdrawn', async () => {
    const [{ listing_id } = assert.fail()] = await world.service.rows('select listing_id from mirror.listings limit 1');
    const asked = { channel_type: 'marketplace_a', listing_id, message: 'Are you free?', guest: { name: 'Ina Guest' } };
    const dates = { check_in_date: world.day(90), check_out_date: world.day(93) };
    const { conversation_id: ina } = await world.act('inquiries', { ...asked, ...dates });
    await world.service.settled();
    await page.goto(inbox({ conversation: ina }));
    await page.click('.beside summary >> text=Pre-approve');
    assert.match(await page.innerText('.beside'), /Ina Guest may book .* at the standard price/);
    await page.click('text=Pre-approve these dates');
    assert.match(await page.innerText('.said'), /Ina Guest may book now/);
    await page.click('.beside summary >> text=Special offer');
    await page.fill('#offer-price', '240');
    await page.click('text=Send the offer');
    const refusal = page.locator('.beside [role=alert]');
    // One open offer at a time: the channel says so, and what was typed stays.
    if ((await refusal.count()) > 0) assert.equal(await page.inputValue('#offer-price'), '240');
    await world.service.settled();
    await page.goto(inbox({ conversation: ina }));
    await page.click('.beside summary >> text=Withdraw');
    await page.click('text=Withdraw the offer');
    assert.match(await page.innerText('.said'), /withdrawn/);
  });

  it('j and k go through the list, e to the answer; typing moves nothing', async () => {
    await page.goto(inbox());
    const all = await names();
    await page.keyboard.press('j');
    await page.waitForURL(/conversation=/);
    assert.equal(await page.innerText('#thread'), all[0]);
    await page.keyboard.press('j');
    await page.waitForFunction(`document.querySelector('#thread').innerText === ${JSON.stringify(all[1])}`);
    await page.keyboard.press('e');
    assert.equal(await page.evaluate('document.activeElement.id'), 'answer');
    await page.keyboard.type('jk e');
    assert.equal(await page.inputValue('#answer'), 'jk e');
    assert.equal(await page.innerText('#thread'), all[1]);
    await page.locator('#answer').blur();
    await page.keyboard.press('k');
    await page.waitForFunction(`document.querySelector('#thread').innerText === ${JSON.stringify(all[0])}`);
  });

  it('a sub-account sees the conversations about its properties, and acts in no other', async () => {
    const desk = await world.person('staff', { properties: [world.hill] });
    await desk.goto(inbox());
    assert.ok(!(await names(desk)).some((name) => /Ada|Eve/.test(name)), String(await names(desk)));
    assert.ok((await names(desk)).includes('Bob Guest'));
    assert.equal((await desk.goto(inbox({ conversation: ada })))?.status(), 404);
    await desk.goto(inbox({ conversation: bob }));
    const action = await desk.getAttribute('form.answer', 'action');
    await desk.evaluate(
      `document.querySelector('form.answer').action = ${JSON.stringify(action)}.replace(${JSON.stringify(bob)}, ${JSON.stringify(ada)})`,
    );
    await desk.fill('#answer', 'let me in');
    await desk.click('.answer button');
    assert.ok(!(await world.said(ada)).includes('let me in'));
    await desk.close();
  });

  it('is not for a cleaner, a bookkeeper or a reader', async () => {
    for (const role of ['cleaner', 'bookkeeper', 'read_only'] as const) {
      const tab = await world.person(role);
      assert.equal((await tab.goto(inbox()))?.status(), 403, role);
      await tab.close();
    }
  });

  it('nothing in the way of anybody', async () => {
    const { conversation_id: long } = await world.guest(`Guest with ${'a very long '.repeat(8)}name`, world.sea);
    const file = { type: 'image', url: 'https://files.example/a.jpg', name: 'a.jpg' };
    await world.write(long, 'The wifi is slow.\nLook:', { attachments: [file] });
    await world.plan('wifi', long);
    await page.goto(inbox());
    const found = await obstaclesOn(page, 'inbox');
    await page.goto(inbox({ conversation: long }));
    found.push(...(await obstaclesOn(page, 'inbox-thread')));
    await page.setViewportSize({ width: 1_280, height: 900 });
    assert.deepEqual(found, []);
  });

  it('S28: texts that would run something are shown as texts', async () => {
    const { conversation_id: mallory } = await world.guest('Mallory', world.sea);
    const file = { type: 'image', url: 'https://files.example/x', name: PAYLOADS[5] };
    for (const text of PAYLOADS) {
      await world.act('messages', {
        conversation_id: mallory,
        content: text.replaceAll('\u0000', ''),
        attachments: [file],
      });
    }
    await world.service.settled();
    const quoted = (text: string) => `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
    for (const [index, path] of ['guest.name', 'guest.email', 'guest.phone'].entries()) {
      await world.service.run(`update mirror.personal_values set text = ${quoted(String(PAYLOADS[index + 7]))}
        where resource = 'conversation' and row_key = '${mallory}' and path = '${path}'`);
    }
    await world.service
      .run(`update mirror.personal_values set json = '[{"type":"a","url":"javascript:alert(1)","name":"x"}]'
      where resource = 'message' and path = 'attachments' and row_key in
      (select message from mirror.messages where conversation_id = '${mallory}' limit 5)`);
    await world.service.run(
      `update mirror.conversations set note = ${quoted(String(PAYLOADS[2]))} where conversation_id = '${mallory}'`,
    );
    await page.goto(inbox({ conversation: mallory, messages: '500' }));
    assert.equal(await page.locator('.message.theirs').count(), PAYLOADS.length);
    assert.equal(await page.locator('a[href^=javascript]').count(), 0);
    assert.deepEqual(world.pages.problems, []);
  });
});

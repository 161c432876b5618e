import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';

describeInBrowser('the calendar in a browser', () => {
  let world: ConsoleWorld;
  let page: Page;
  let grace: string;
  const on = (tab: Page, name: string) => tab.locator('.calendar [data-unit]', { hasText: name });
  const row = (name: string) => on(page, name);
  const main = () => page.innerText('main');
  const sandbox = (path: string, body: object) => world.service.portal('POST', `/portal/sandbox/${path}`, body);
  const placeOf = async (code: string) => {
    const { reservations } = await world.service.v3('GET', `/reservations?reservation_code=${code}`);
    const [{ property_id, check_in_date, check_out_date }] = reservations;
    return [property_id, check_in_date, check_out_date];
  };
  const fieldsOf = (tab: Page) => Object.fromEntries(new URL(tab.url()).searchParams);
  /** The middle of a night of a property. */
  const pointOf = async (name: string, days: number) => {
    const head = page.locator('.dates [role=columnheader]').nth(days + 3);
    const [column, line] = [await head.boundingBox(), await row(name).boundingBox()];
    assert.ok(column && line);
    return { x: column.x + column.width / 2, y: line.y + line.height / 2 };
  };
  const drag = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await page.mouse.move(to.x, to.y);
  };

  before(async () => {
    world = await startConsoleWorld();
    const { sea, hill } = world;
    ({ reservation_code: grace } = await world.book(sea, 0, 3));
    await world.book(hill, -5, 1, { guest_name: 'Ada Lovelace' });
    const { channel_account_id } = await sandbox('channel_accounts', {
      channel_type: 'marketplace_a',
      username: 'host',
    });
    const listing = { channel_account_id, property_id: sea, listing_id: '88001', base_price: 120, title: 'By the sea' };
    await sandbox('listings', listing);
    await world.service.v3('POST', '/groups', { name: 'Coast', property_ids: [sea] });
    await world.service.settled();
    // No event tells of groups, or of the listings of a property.
    await world.service.portal('POST', '/portal/reconcile', {});
    page = await world.person();
  });
  after(() => world.remove());

  it('nights are blocked with a reason, in several properties, and opened again, all by forms', async () => {
    await page.goto(world.at('calendar'));
    await row('Sea House').locator('.unit a').click();
    await page.fill('#block-first', world.day(5));
    await page.fill('#block-last', world.day(4));
    await page.fill('#block-reason', 'new boiler');
    await page.click('button:text-is("Block")');
    assert.match(await page.innerText('[role=alert]'), /Nothing was changed\. last: must not be before/);
    assert.equal(await page.inputValue('#block-reason'), 'new boiler');
    await page.fill('#block-last', world.day(6));
    await page.click('text=Also in other properties');
    await page.selectOption('[name=more]', { label: 'Hill House' });
    await page.click('button:text-is("Block")');
    assert.match(await page.innerText('.said'), /Sea House, Hill House will be blocked, .*: new boiler/);
    for (const name of ['Sea House', 'Hill House']) {
      await row(name).locator('.block', { hasText: 'new boiler' }).waitFor();
    }
    await row('Hill House').locator('.block').click();
    await page.click('text=Open blocked nights');
    assert.match(await page.innerText('.ask'), /sell these nights of Hill House again:[\s\S]*new boiler/);
    await page.click('text=Open these nights');
    await row('Hill House').locator('.block').waitFor({ state: 'detached' });
    assert.equal(await row('Sea House').locator('.block').count(), 1);
  });

  it('prices and minimum stays are shown, and a change says first what it replaces', async () => {
    await page.goto(world.at('calendar'));
    await page.click('text=Show prices');
    assert.match(await row('Sea House').innerText(), /120/);
    await page.goto(world.at(`calendar?prices=1&unit=${world.sea}&first=${world.day(8)}&last=${world.day(9)}`));
    await page.fill('#price', '-3');
    await page.click('text=See what changes');
    assert.match(await page.innerText('[role=alert]'), /price: must be an amount above zero/);
    await page.fill('#price', '145.50');
    await page.fill('#minimum', '3');
    await page.click('text=See what changes');
    assert.match(await page.innerText('.preview'), /€120\.00[\s\S]*€145\.50, at least 3 nights/);
    await page.click('text=Change it');
    assert.match(await page.innerText('.said'), /Sea House \(By the sea\) gets its new prices/);
    await row('Sea House').locator('text=145.50').first().waitFor();
    await row('Sea House').locator('text=≥ 3').first().waitFor();
    assert.equal(await row('Sea House').locator('text=145.50').count(), 2);
  });

  it('groups and a part of the name choose rows, and the address keeps it', async () => {
    await page.goto(world.at('calendar?nights=90'));
    await page.selectOption('[name=group]', 'Coast');
    await page.click('text=Find >> nth=-1');
    assert.deepEqual(await page.locator('.calendar [role=rowheader]').allInnerTexts(), ['Sea House']);
    const { group, nights } = fieldsOf(page);
    assert.deepEqual({ group, nights }, { group: 'Coast', nights: '90' });
    await page.goto(world.at('calendar?group=Hills'));
    assert.match(await main(), /No property/);
  });

  it('a free night leads to a booking with its quote, in three clicks from Today', async () => {
    await page.goto(world.at('today'));
    await page.click('nav >> text=Calendar');
    const { x, y } = await pointOf('Sea House', 8);
    await page.mouse.click(x, y);
    await page.waitForURL(/book/);
    assert.equal(fieldsOf(page)['from'], world.day(8));
    assert.match(await main(), /All nights are free[\s\S]*3 nights: [\s\S]*Also free:\s+Hill House/);
    await page.fill('#guest_name', 'Katherine Johnson');
    await page.fill('#number_of_guests', '2');
    await page.fill('#received_amount', 'much');
    await page.click('button:text-is("Book")');
    assert.match(await page.innerText('[role=alert]'), /received_amount: must be an amount/);
    assert.equal(await page.inputValue('#guest_name'), 'Katherine Johnson');
    await page.fill('#received_amount', '50');
    await page.click('button:text-is("Book")');
    await page.waitForURL(/console\/stay\?code=/);
    const code = String(fieldsOf(page)['code']);
    assert.deepEqual(await placeOf(code), [world.sea, world.day(8), world.day(11)]);
    const { reservations } = await world.service.v3('GET', `/reservations?reservation_code=${code}`);
    // Two nights at the price that was set, and one at the base price.
    assert.equal(reservations[0].rates.total_rate.amount, 411);
    assert.equal(reservations[0].payment.received_amount, 50);
    // The same nights once more are refused in words, and nothing is lost.
    await page.goto(world.at(`book?property=${world.sea}&from=${world.day(9)}&to=${world.day(10)}`));
    assert.match(await main(), /Not all nights are free[\s\S]*taken/);
    await page.fill('#guest_name', 'Mary Jackson');
    await page.fill('#rate_amount', '1');
    await page.click('button:text-is("Book")');
    assert.match(await page.innerText('[role=alert]'), /Nothing was changed\. .*taken/);
    assert.equal(await page.inputValue('#guest_name'), 'Mary Jackson');
  });

  it('a stay that is dragged says where it goes, and moves only when it is told to', async () => {
    await page.goto(world.at('calendar'));
    await drag(await pointOf('Sea House', 1), await pointOf('Hill House', 3));
    assert.match(await page.innerText('.mark'), /Grace Hopper → Hill House/);
    await page.mouse.up();
    await page.waitForURL(/move=/);
    assert.deepEqual(await placeOf(grace), [world.sea, world.day(0), world.day(3)]);
    assert.match(await page.innerText('#panel'), /Now\s+Sea House[\s\S]*Then\s+Hill House/);
    await page.click('text=Move the stay');
    assert.match(await page.innerText('.said'), /Grace Hopper is now in Hill House/);
    assert.deepEqual(await placeOf(grace), [world.hill, world.day(2), world.day(5)]);
  });

  it('a stay is moved by the keyboard alone, and not to where another one is', async () => {
    await page.goto(world.at(`calendar?move=${grace}`));
    await page.focus('#to');
    await page.keyboard.press('Tab');
    await page.fill('#arrive', world.day(0));
    await page.fill('#leave', world.day(3));
    await page.focus('#leave');
    await page.keyboard.press('Enter');
    assert.match(await page.innerText('[role=alert]'), /taken by Ada Lovelace/);
    assert.equal(await page.locator('text=Move the stay').count(), 0);
    await page.selectOption('#to', { label: 'Sea House' });
    await page.focus('#leave');
    await page.keyboard.press('Enter');
    await page.focus('text=Move the stay');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.said');
    assert.deepEqual(await placeOf(grace), [world.sea, world.day(0), world.day(3)]);
  });

  it('a drag over free nights opens them with their range, and Escape ends it', async () => {
    await page.goto(world.at('calendar'));
    const [from, to] = [await pointOf('Hill House', 10), await pointOf('Hill House', 13)];
    await drag(from, to);
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await drag(to, from);
    await page.mouse.up();
    await page.waitForURL(/unit=/);
    const { unit, first, last } = fieldsOf(page);
    assert.deepEqual([unit, first, last], [String(world.hill), world.day(10), world.day(13)]);
    assert.equal(await page.inputValue('#block-last'), world.day(13));
    assert.match(String(await page.getAttribute('.panel .button', 'href')), new RegExp(`to=${world.day(14)}`));
  });

  it('those who may only look get no form, and no way around it', async () => {
    const reader = await world.person('read_only');
    await reader.goto(world.at(`calendar?unit=${world.sea}`));
    assert.equal(await reader.locator('#panel, .free, main .button').count(), 0);
    assert.doesNotMatch(await reader.innerText('main'), /Grace Hopper/);
    assert.equal((await reader.goto(world.at('book')))?.status(), 403);
    const staff = await world.person('staff', { properties: [world.hill] });
    await staff.goto(world.at(`calendar?unit=${world.hill}`));
    assert.deepEqual(await staff.locator('.calendar [role=rowheader]').allInnerTexts(), ['Hill House']);
    assert.equal(await staff.locator('text=See what changes').count(), 0);
    for (const path of [`calendar?unit=${world.sea}`, `calendar?move=${grace}`, `book?property=${world.sea}`]) {
      assert.equal((await staff.goto(world.at(path)))?.status(), 404, path);
    }
    const post = (tab: Page, path: string, form: Record<string, string>) =>
      tab.request.post(world.at(path), {
        form,
        headers: { 'sec-fetch-site': 'same-origin', origin: world.service.url },
      });
    const nights = { first: world.day(20), last: world.day(21) };
    const range = { ...nights, unit: String(world.sea) };
    assert.equal((await post(reader, 'calendar/block', range)).status(), 403);
    assert.equal((await post(staff, 'calendar/price', { ...range, listing: 'x', price: '1' })).status(), 403);
    assert.equal((await post(staff, 'calendar/block', range)).status(), 404);
    const more = { ...nights, unit: String(world.hill), more: String(world.sea) };
    assert.equal((await post(staff, 'calendar/block', more)).status(), 404);
    const move = { move: grace, to: String(world.hill), arrive: world.day(20), leave: world.day(23) };
    assert.equal((await post(staff, 'calendar/move', move)).status(), 404);
    assert.deepEqual(await placeOf(grace), [world.sea, world.day(0), world.day(3)]);
    await page.goto(world.at(`calendar?from=${world.day(18)}`));
    assert.equal(await page.locator('.calendar .block').count(), 0);
  });

  it('nothing in the way of anybody, at any width, light and dark', async () => {
    const found: string[] = [];
    const unit = `unit=${world.sea}&first=${world.day(4)}&last=${world.day(10)}`;
    const addresses = {
      'calendar-90': 'calendar?nights=90',
      'calendar-365': 'calendar?nights=365',
      'calendar-prices': 'calendar?prices=1',
      'calendar-unit': `calendar?${unit}&listing=marketplace_a/88001&price=99&minimum=2`,
      'calendar-move': `calendar?move=${grace}&to=${world.hill}&shift=3`,
      book: `book?property=${world.sea}&from=${world.day(12)}&to=${world.day(15)}`,
    };
    for (const [name, path] of Object.entries(addresses)) {
      await page.goto(world.at(path));
      found.push(...(await obstaclesOn(page, name)));
    }
    assert.deepEqual(found, []);
  });

  it('what was said stays when the page renews itself, and so does a form that was refused', async () => {
    await page.goto(world.at('calendar'));
    await row('Sea House').locator('.unit a').click();
    await page.fill('#block-first', world.day(20));
    await page.fill('#block-last', world.day(20));
    await page.click('button:text-is("Block")');
    assert.match(await page.innerText('.said'), /Sea House will be blocked/);
    await row('Sea House').locator('.block').first().waitFor();
    await world.book(world.hill, 20, 22, { guest_name: 'Elsewhere Booked' });
    await row('Hill House').locator('.stay', { hasText: 'Elsewhere Booked' }).waitFor();
    assert.match(await page.innerText('.said'), /Sea House will be blocked/);

    await row('Sea House').locator('.unit a').click();
    await page.fill('#block-first', world.day(24));
    await page.fill('#block-last', world.day(23));
    await page.fill('#block-reason', 'typed with care');
    await page.click('button:text-is("Block")');
    assert.match(await page.innerText('[role=alert]'), /must not be before/);
    const other = await page.context().newPage();
    await other.goto(world.at('calendar'));
    await world.book(world.hill, 24, 26, { guest_name: 'Booked Meanwhile' });
    await on(other, 'Hill House').locator('.stay', { hasText: 'Booked Meanwhile' }).waitFor();
    assert.equal(await page.inputValue('#block-reason'), 'typed with care');
    await other.close();
  });

  it('S28: texts that would run something are shown as texts', async () => {
    const { service, sea, hill } = world;
    const quoted = (text: string) => `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
    const books = `book?property=${sea}&from=${world.day(5)}&to=${world.day(7)}`;
    for (const payload of PAYLOADS) {
      const text = quoted(payload);
      const list = quoted(JSON.stringify([payload.replaceAll('\u0000', '')]));
      await service.run(`update mirror.guests set name = ${text}`);
      await service.run(
        `update mirror.properties set name = ${text}, groups = ${list}, tags = ${list} where id = ${sea}`,
      );
      await service.run(`update mirror.availability_days set remarks = ${text} where available = 0`);
      await service.run(`update mirror.listings set title = ${text}`);
      await page.goto(world.at(`calendar?unit=${sea}&first=${world.day(0)}&last=${world.day(8)}`));
      await page.goto(world.at(`calendar?move=${grace}&to=${hill}`));
      await page.goto(world.at(books));
    }
    assert.match(await page.innerText('#quote ~ table'), /./);
    assert.deepEqual(world.pages.problems, []);
  });
});

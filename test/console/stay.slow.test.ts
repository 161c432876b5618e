import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';
import { call, until } from '../support/service.ts';

describeInBrowser('the page of a stay', () => {
  let world: ConsoleWorld;
  let page: Page;
  let listing: { channel_type: string; listing_id: string };
  let code: string;

  const main = () => page.innerText('main');
  /** Waits until the page says it; what the mirror learns late comes by itself. */
  const shows = (pattern: RegExp) =>
    until(async () => pattern.test(await main()), `the page to say ${String(pattern)}`);
  const said = () => page.innerText('.said');
  const act = (path: string, body: object) => world.service.portal('POST', `/portal/sandbox/${path}`, body);
  const stayOf = async (of: string) => {
    const { reservations } = await world.service.v3('GET', `/reservations?reservation_code=${of}`);
    return reservations[0];
  };
  const request = async (from: number, name: string) => {
    const dates = { check_in_date: world.day(from), check_out_date: world.day(from + 2) };
    const made = await act('bookings', { ...listing, kind: 'request', ...dates, guest: { name } });
    await world.service.settled();
    return made.reservation_code as string;
  };

  before(async () => {
    world = await startConsoleWorld();
    const { channel_account_id } = await act('channel_accounts', { channel_type: 'marketplace_a' });
    const { listing_id } = await act('listings', { channel_account_id, property_id: world.sea, base_price: 120 });
    listing = { channel_type: 'marketplace_a', listing_id };
    ({ reservation_code: code } = await world.book(world.hill, 0, 3, { email: 'grace@guest.example', note: 'Late.' }));
    await world.service.settled();
    page = await world.person();
    page.setDefaultTimeout(30_000);
  });
  after(() => world.remove());

  it('Today leads to it with one click: guest, dates, price and what is open', async () => {
    await page.goto(world.at('today'));
    await page.click('text=Grace Hopper');
    assert.match(page.url(), new RegExp(`/console/stay\\?code=${code}`));
    const text = await main();
    assert.match(text, /Grace Hopper[\s\S]*confirmed[\s\S]*Hill House[\s\S]*3 nights/);
    assert.match(text, /grace@guest\.example/);
    assert.match(text, /Late\./);
    assert.match(text, /Still to pay\s+€300\.00/);
  });

  it('dates, guest, price and note are changed; a wrong date is named, and the form keeps what was typed', async () => {
    await page.click('text=Change dates, guest, price or note');
    await page.fill('#change-check_out_date', world.day(-1));
    await page.fill('#change-note', 'Comes at night.');
    await page.click('form[action*="stay/change"] button');
    assert.match(await page.innerText('[role=alert]'), /check_out_date/);
    assert.equal(await page.inputValue('#change-note'), 'Comes at night.');
    await page.fill('#change-check_out_date', world.day(4));
    await page.fill('#change-rate_amount', '400');
    await page.click('form[action*="stay/change"] button');
    assert.match(await said(), /Grace Hopper/);
    const { check_out_date, note, rates } = await stayOf(code);
    assert.deepEqual([check_out_date, note, rates.rate.amount], [world.day(4), 'Comes at night.', 400]);
    await shows(/4 nights[\s\S]*€400\.00/);
    await shows(/History[\s\S]*Check-out: .+ → .+[\s\S]*Note: Late\. → Comes at night\./);
  });

  it('check-in: times, a lock code that is shown only when asked for, a deposit and a document', async () => {
    await page.click('text=Change check-in');
    await page.fill('#check-in-arrival_at', '16:30');
    await page.fill('#check-in-lock_code', '4711#');
    await page.fill('#check-in-deposit', '200');
    await page.selectOption('#check-in-id_required', 'required');
    await page.click('form[action*="check-in"] button');
    assert.match(await said(), /check-in of Grace Hopper/);
    await shows(/Arrival\s+16:30[\s\S]*Lock code\s+••••[\s\S]*Identity document\s+missing/);
    assert.doesNotMatch(await page.content(), /4711#/);
    await page.click('text=Show >> nth=-1');
    assert.match(await main(), /Lock code\s+4711#/);
    await page.goto(world.at(`stay?code=${code}`));
    const { check_in_details } = await stayOf(code);
    assert.deepEqual([check_in_details.arrival_at, check_in_details.deposit], [{ hour: 16, minute: 30 }, 200]);
  });

  it('a payment defaults to what is open, and is entered once', async () => {
    await page.click('text=Enter a payment');
    assert.equal(await page.inputValue('#pay-amount'), '400');
    await page.fill('#pay-amount', '150.50');
    await page.click('form[action*="stay/pay"] button');
    assert.match(await said(), /€150\.50 from Grace Hopper/);
    await shows(/Received\s+€150\.50[\s\S]*Still to pay\s+€249\.50[\s\S]*Accommodation/);
  });

  it('a deposit is paid, kept in part and given back, each step with time, person and reference', async () => {
    await page.click('summary:text-is("Paid")');
    assert.equal(await page.inputValue('#deposit-paid-amount'), '200');
    await page.fill('#deposit-paid-reference', 'receipt 7');
    await page.click('details[open] form[action*="stay/deposit"] button');
    assert.match(await said(), /Deposit of Grace Hopper: €200\.00 paid/);
    await page.click('summary:text-is("Keep a part")');
    await page.fill('#deposit-deducted-amount', '1000');
    await page.click('details[open] form[action*="stay/deposit"] button');
    assert.match(await page.innerText('details[open] [role=alert]'), /cannot be deducted/);
    await page.fill('#deposit-deducted-amount', '49.5');
    await page.click('details[open] form[action*="stay/deposit"] button');
    await page.click('summary:text-is("Give back")');
    assert.match(await page.innerText('details[open] form'), /€150\.50 go back to Grace Hopper/);
    await page.click('details[open] form[action*="stay/deposit"] button');
    assert.match(await said(), /€150\.50 given back/);
    const log = await page.innerText('section[aria-labelledby=deposit] .steps');
    assert.match(
      log,
      /Asked for\s+€200\.00[\s\S]*Paid\s+€200\.00[\s\S]*receipt 7[\s\S]*Kept\s+€49\.50[\s\S]*Given back\s+€150\.50/,
    );
    await world.service.settled();
    const [stored] = await world.service.rows(`select deposit_status from mirror.stays where stay_code = '${code}'`);
    assert.equal(stored?.['deposit_status'], 'refunded');
  });

  it('a form of a deposit that is sent twice changes it once', async () => {
    const { stay_code, reservation_code } = await world.book(world.hill, 20, 22);
    const own = stay_code ?? reservation_code;
    await world.service.portal('POST', `/portal/stays/${own}/deposit`, { event: 'required', amount: 80 });
    await world.service.settled();
    const [one, two] = [page, await page.context().newPage()];
    for (const tab of [one, two]) {
      await tab.goto(world.at(`stay?code=${own}`));
      await tab.click('summary:text-is("Paid")');
    }
    await one.click('details[open] form[action*="stay/deposit"] button');
    await two.click('details[open] form[action*="stay/deposit"] button');
    assert.match(await two.innerText('[role=alert]'), /changed since the page was shown/);
    await two.close();
    const { check_in_details } = await stayOf(reservation_code);
    assert.equal(check_in_details.deposit_details.paid_amount, 80);
  });

  it('tags and fields of one’s own', async () => {
    await page.goto(world.at(`stay?code=${code}`));
    await page.fill('input[name=tag_name]', 'Regular');
    await page.click('form[aria-label="Add a tag"] button');
    assert.match(await said(), /tag Regular/);
    await page.waitForSelector('.tag');
    await page.click('[aria-label="Remove the tag Regular"]');
    await page.waitForSelector('.tag', { state: 'detached' });
    await page.click('text=Set a field of your own');
    await page.fill('#field-name', 'Car');
    await page.fill('#field-text', 'B-XY 12');
    await page.click('form[action*="stay/field"] button');
    await shows(/Car\s+B-XY 12/);
  });

  it('guests arrive and leave', async () => {
    await page.click('button:text-is("Guests have arrived")');
    assert.match(await said(), /in the house/);
    await page.click('button:text-is("Guests have left")');
    assert.equal((await stayOf(code)).stay_status, 'stay_completed');
  });

  it('a request is approved, another declined, in three clicks from Today', async () => {
    const [yes, no] = [await request(30, 'Katherine Johnson'), await request(40, 'Mary Jackson')];
    await page.goto(world.at('today'));
    await page.click('text=2 requests to answer');
    const row = (name: string) => page.locator('tr', { hasText: name });
    await row('Katherine Johnson').locator('summary', { hasText: 'Approve' }).click();
    assert.match(
      await row('Katherine Johnson').innerText(),
      /Katherine Johnson gets Sea House[\s\S]*cannot be taken back/,
    );
    await row('Katherine Johnson').locator('details[open] button').click();
    assert.match(await said(), /request of Katherine Johnson is approved/);
    assert.equal((await stayOf(yes)).status, 'accepted');
    await world.service.settled();
    await page.goto(world.at('today?waiting=requests'));
    await row('Mary Jackson').locator('summary', { hasText: 'Decline' }).click();
    await row('Mary Jackson').locator('details[open] button').click();
    assert.equal((await stayOf(no)).status, 'denied');
    await page.goto(world.at('today?waiting=requests'));
    await shows(/Nothing waits here/);
  });

  it('a stay goes to the box, and from there into a property that is free, in three clicks from Today', async () => {
    const { reservation_code } = await world.book(world.hill, 50, 52, { guest_name: 'Dorothy Vaughan' });
    await world.book(world.sea, 50, 51, { guest_name: 'In The Way' });
    await world.service.settled();
    await page.goto(world.at(`stay?code=${reservation_code}`));
    await page.click('summary:text-is("To the reservation box")');
    assert.match(await page.innerText('details[open] form'), /Dorothy Vaughan leaves Hill House/);
    await page.click('details[open] form button');
    assert.equal((await stayOf(reservation_code)).in_reservation_box, true);
    await world.service.settled();
    await page.goto(world.at('today'));
    await page.click('text=One stay in the reservation box');
    await page.click('text=Dorothy Vaughan');
    assert.deepEqual(await page.locator('select[name=property_id] option').allInnerTexts(), ['Hill House']);
    await page.click('button:text-is("Allocate")');
    assert.match(await said(), /Dorothy Vaughan is in Hill House/);
  });

  it('a direct reservation is cancelled after the page has said what that means', async () => {
    const { reservation_code } = await world.book(world.hill, 60, 62, {
      guest_name: 'Annie Easley',
      received_amount: 80,
    });
    await world.service.settled();
    await page.goto(world.at(`stay?code=${reservation_code}`));
    await page.click('summary:text-is("Cancel the reservation")');
    assert.match(await page.innerText('details[open] form'), /Annie Easley[\s\S]*€80\.00 were received/);
    await page.click('details[open] form button');
    await shows(/cancelled/);
    assert.equal((await stayOf(reservation_code)).status, 'cancelled');
  });

  it('documents that are missing and deposits to give back are lists of Today', async () => {
    const { reservation_code } = await world.book(world.sea, -3, 0, { guest_name: 'Ada Lovelace' });
    for (const [event, amount] of [
      ['required', 100],
      ['paid', 100],
    ] as const) {
      await world.service.portal('POST', `/portal/stays/${reservation_code}/deposit`, { event, amount });
    }
    await world.service.settled();
    await page.goto(world.at('today'));
    assert.match(await page.innerText('.note'), /One guest whose document is missing[\s\S]*One deposit to give back/);
    await page.click('text=One deposit to give back');
    await page.click('summary:text-is("Give back")');
    await page.click('details[open] button');
    assert.match(await said(), /Deposit of Ada Lovelace: €100\.00 given back/);
  });

  it('who only looks sees no names, no forms, and no lock code; a form that is sent all the same is refused', async () => {
    const reader = await world.person('read_only');
    await reader.goto(world.at(`stay?code=${code}&lock=show`));
    const text = await reader.innerText('main');
    assert.doesNotMatch(text, /Grace|grace@|4711/);
    assert.equal(await reader.locator('main form').count(), 0);
    const cookies = (await reader.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const action of ['change', 'approve', 'pay', 'deposit', 'cancel']) {
      const answer = await call(world.service, 'POST', `/console/stay/${action}?code=${code}`, {
        token: null,
        headers: {
          cookie: cookies,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
      assert.equal(answer.http, 403, action);
    }
    const cleaner = await world.person('cleaner');
    assert.equal((await cleaner.goto(world.at(`stay?code=${code}`)))?.status(), 403);
  });

  it('a sub-account sees the stays of its properties alone, and changes no others', async () => {
    const desk = await world.person('staff', { properties: [world.sea] });
    assert.equal((await desk.goto(world.at(`stay?code=${code}`)))?.status(), 404);
    const { reservation_code } = await world.book(world.sea, 70, 72, { guest_name: 'Joan Clarke' });
    await world.service.settled();
    await desk.goto(world.at(`stay?code=${reservation_code}`));
    assert.match(await desk.innerText('main'), /Joan Clarke/);
    assert.doesNotMatch(await desk.innerText('main'), /Hill House/);
    assert.equal(await desk.locator('summary:text-is("Cancel the reservation")').count(), 0);
    await world.service.run(
      `update mirror.stays set property_id = ${world.hill} where stay_code = '${reservation_code}'`,
    );
    await desk.click('text=Change check-in');
    await desk.fill('#check-in-arrival_at', '09:00');
    await desk.click('form[action*="check-in"] button');
    assert.match(await desk.innerText('main'), /There is no such page/);
    assert.equal((await stayOf(reservation_code)).check_in_details.arrival_at, null);
  });

  it('nothing in the way of anybody, at any width, light and dark', async () => {
    await page.goto(world.at(`stay?code=${code}`));
    const found = await obstaclesOn(page, 'stay');
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    found.push(...(await obstaclesOn(page, 'stay-open')));
    await request(80, 'Grace Murray');
    await page.goto(world.at('today?waiting=requests'));
    await page.evaluate('document.querySelectorAll("details").forEach((one) => { one.open = true; })');
    found.push(...(await obstaclesOn(page, 'today-waiting')));
    assert.deepEqual(found, []);
  });

  it('S28: texts that would run something are shown as texts', async () => {
    const quoted = (text: string) => `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
    for (const text of PAYLOADS) {
      const words = quoted(text);
      await world.service.run(`update mirror.guests set name = ${words}, email = ${words}, phone = ${words}
        where stay_code = '${code}'`);
      await world.service.run(`update mirror.stays set custom_channel = ${words}, tags = json_array(${words}),
        raw = json_set(raw, '$.note', ${words}, '$.channel_remarks', ${words}, '$.custom_fields', json_object(${words}, ${words}),
          '$.check_in_details.check_in_guide_url', ${words}) where stay_code = '${code}'`);
      await world.service.run(`update mirror.transactions set item_name = ${words}, operator_name = ${words}`);
      await world.service.run(`update mirror.properties set name = ${words}, address = ${words}`);
      await world.service
        .run(`update mirror.changes set diff = json_array(json_object('path', ${words}, 'before', ${words},
        'after', ${words})) where resource = 'reservation' and op = 'updated'`);
      await page.goto(world.at(`stay?code=${code}`));
      assert.equal(await page.textContent('h1'), text.replaceAll('\u0000', ''));
    }
    assert.deepEqual(world.pages.problems, []);
  });
});

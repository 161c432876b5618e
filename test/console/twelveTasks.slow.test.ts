import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { addDays } from '../../src/kernel/dates.ts';
import { describeInBrowser } from '../support/browser.ts';
import { until } from '../support/service.ts';
import { type Actor, actorOn } from './support/actor.ts';
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

const EXPORT = `Confirmation,Guest,Listing,Arrival,Departure,Guests,Total,Currency,Booked,Status
A1,Ann Example,Lake House,2027-03-01,2027-03-05,2,"400.00",EUR,2027-01-05,confirmed
`;

/** What people do, as console.md lists it; each begins on Today and takes at most three clicks. */
describeInBrowser('the twelve tasks', () => {
  let world: InboxWorld;
  let page: Page;
  let actor: Actor;
  /** The code of the stay of Grace Hopper. */
  let grace: string;
  /** Days from today that no other task uses, since each has its own. */
  let nights = 40;

  const main = () => page.innerText('main');
  const shows = (pattern: RegExp) =>
    until(async () => pattern.test(await main()), `the page to say ${String(pattern)}`);
  const stayOf = async (code: string) =>
    (await world.service.v3('GET', `/reservations?reservation_code=${code}`)).reservations[0];
  /**
   * Waits until the mirror has it. Not until all has arrived: the nights of a booking on a marketplace are read again ten
   * seconds later.
   */
  const mirrored = (table: string, where: string) =>
    until(async () => (await world.service.rows(`select 1 from mirror.${table} where ${where}`)).length > 0, where);
  const own = (): number => (nights += 4);
  /** Somebody stays from today on, so that Today shows them. */
  const arrives = async (guest_name: string, more: object = {}) => {
    const { property_id } = await world.service.v3('POST', '/properties', { name: `Villa ${own()}` });
    const booked = await world.book(property_id, 0, 3, { guest_name, ...more });
    await mirrored('stays', `stay_code = '${booked.reservation_code}'`);
    return booked;
  };
  const asks = async (name: string) => {
    const from = own();
    const dates = { check_in_date: world.day(from), check_out_date: world.day(from + 2) };
    const asked = {
      channel_type: 'marketplace_a',
      listing_id: world.listings.get(world.sea),
      kind: 'request',
      ...dates,
      guest: { name },
    };
    const { reservation_code } = await world.act('bookings', asked);
    await mirrored('stays', `stay_code = '${reservation_code}' and status = 'wait_accept'`);
    return String(reservation_code);
  };
  /** A guest has written, and the rule has drafted an answer if there is one about that. */
  const writes = async (name: string, text: string) => {
    const { conversation_id } = await world.guest(name, world.hill, own());
    await world.act('messages', { conversation_id, content: text });
    await mirrored('messages', `conversation_id = '${conversation_id}'`);
    if (text.includes('wifi')) await world.plan('wifi', conversation_id);
    return conversation_id;
  };

  before(async () => {
    world = await startInboxWorld(RULES);
    const { sea, service } = world;
    for (const name of ['Mill House', 'Quiet House', 'Keyed House']) await service.v3('POST', '/properties', { name });
    await world.book(sea, -2, 0, { guest_name: 'Ada Lovelace', received_amount: 300 });
    ({ reservation_code: grace } = await world.book(sea, 0, 3, {
      email: 'grace@navy.example',
      mobile: '+1 2025550147',
    }));
    await service.portal('POST', '/portal/reconcile', { resource: 'property' });
    await service.settled();
    page = await world.person();
    page.setDefaultTimeout(10_000);
    actor = actorOn(page, world.at('today'));
  });
  after(() => world.remove());

  for (const width of [1_280, 360]) {
    describe(`${width} pixels wide`, () => {
      before(() => page.setViewportSize({ width, height: 900 }));

      it('1: a guest is answered, and a draft goes out as it is', async () => {
        const asked = await writes(`Asking ${width}`, 'Is there a lift?');
        await actor.begin();
        await actor.click('nav >> text=Inbox');
        await actor.click(`.entry >> text=Asking ${width}`);
        await page.fill('#answer', 'Yes, to every floor.');
        await actor.click('.answer button');
        assert.deepEqual(await world.said(asked), ['Yes, to every floor.']);
        const drafted = await writes(`Drafted ${width}`, 'Is there wifi?');
        await actor.begin();
        await actor.click('nav >> text=Inbox');
        await actor.click(`.entry >> text=Drafted ${width}`);
        await actor.click('.draft >> text=Send as it is');
        await world.plan('wifi', drafted, 'sent');
        assert.deepEqual(await world.said(drafted), ['The network is called Mill, Drafted.']);
      });

      it('2: who arrives, leaves and is in the house stands on the first page', async () => {
        await actor.begin();
        assert.match(
          await page.innerText('section[aria-labelledby=arrivals]'),
          /Grace Hopper[\s\S]*Sea House[\s\S]*€300\.00/,
        );
        assert.match(await page.innerText('section[aria-labelledby=departures]'), /Ada Lovelace[\s\S]*Sea House/);
        await actor.click('nav.days >> text=Tomorrow');
        assert.match(await page.innerText('section[aria-labelledby=staying]'), /Grace Hopper/);
        await actor.click('text=Grace Hopper');
        await shows(/Still to pay\s+€300\.00/);
      });

      it('3: nights are blocked on the calendar, with a reason', async () => {
        const day = world.day(width === 360 ? 9 : 10);
        await actor.begin();
        await actor.click('nav >> text=Calendar');
        const row = page.locator('.calendar [data-unit]', { hasText: 'Mill House' });
        await actor.click(row.locator('.unit a'));
        await page.fill('#block-first', day);
        await page.fill('#block-last', day);
        await page.fill('#block-reason', `boiler ${width}`);
        await actor.click('button:text-is("Block")');
        await row.locator('.block', { hasText: `boiler ${width}` }).waitFor();
      });

      it('4: a cleaning is planned, and done', async () => {
        const leaves = width === 360 ? world.hill : world.sea;
        if (width === 360) {
          const { reservation_code } = await world.book(leaves, -2, 0, { guest_name: 'Leaving Today' });
          await mirrored('stays', `stay_code = '${reservation_code}'`);
        }
        const name = width === 360 ? 'Hill House' : 'Sea House';
        await actor.begin();
        await actor.click('nav >> text=Tasks');
        const missing = page.locator('section[aria-labelledby=uncleaned] tr', { hasText: name });
        await actor.click(missing.locator('button'));
        const task = page.locator('section[aria-labelledby^=list-] tr', { hasText: name });
        await actor.click(task.getByRole('button', { name: 'Done' }));
        await task.getByRole('button', { name: 'Open again' }).waitFor();
      });

      it('5: a direct booking is made after its quote, changed, and cancelled', async () => {
        const [from, name] = [width === 360 ? 20 : 14, `Booking ${width}`];
        await actor.begin();
        await actor.click('main >> text=New booking');
        await page.waitForURL(/book/);
        await page.selectOption('#property', { label: 'Mill House' });
        await page.fill('#from', world.day(from));
        await page.fill('#to', world.day(from + 2));
        await actor.click('text=Show the quote');
        assert.match(await main(), /All nights are free/);
        await page.fill('#guest_name', name);
        await page.fill('#rate_amount', '240');
        await actor.click('button:text-is("Book")');
        await page.waitForURL(/console\/stay\?code=/);
        const booked = await stayOf(String(new URL(page.url()).searchParams.get('code')));
        assert.deepEqual([booked.check_in_date, booked.rates.total_rate.amount], [world.day(from), 240]);
        const changed = await arrives(`Changing ${width}`);
        await actor.begin();
        await actor.click(`text=Changing ${width}`);
        await actor.click('text=Change dates, guest, price or note');
        await page.fill('#change-note', 'Comes late.');
        await actor.click('form[action*="stay/change"] button');
        await page.waitForSelector('.said');
        assert.equal((await stayOf(changed.reservation_code)).note, 'Comes late.');
        await actor.begin();
        await actor.click(`text=Changing ${width}`);
        await actor.click('summary:text-is("Cancel the reservation")');
        await actor.click('details[open] form[action*="stay/cancel"] button');
        await shows(/cancelled/);
        assert.equal((await stayOf(changed.reservation_code)).status, 'cancelled');
      });

      it('5: requests are approved and declined, and a stay in the box gets a property', async () => {
        const [yes, no] = [await asks(`Yes ${width}`), await asks(`No ${width}`)];
        for (const [code, name, answer, status] of [
          [yes, `Yes ${width}`, 'Approve', 'accepted'],
          [no, `No ${width}`, 'Decline', 'denied'],
        ] as const) {
          await actor.begin();
          await actor.click('#waiting ~ ul >> text=/request/');
          const row = page.locator('main tr', { hasText: name });
          await actor.click(row.locator('summary', { hasText: answer }));
          await actor.click(row.locator('details[open] button'));
          await page.waitForSelector('.said');
          assert.equal((await stayOf(code)).status, status);
          await mirrored('stays', `stay_code = '${code}' and status = '${status}'`);
        }
        const { reservation_code } = await arrives(`Boxed ${width}`);
        await actor.begin();
        await actor.click(`text=Boxed ${width}`);
        await actor.click('summary:text-is("To the reservation box")');
        await actor.click('details[open] form[action*="to-box"] button');
        await mirrored('stays', `stay_code = '${reservation_code}' and in_reservation_box = 1`);
        await actor.begin();
        await actor.click('text=One stay in the reservation box');
        await actor.click(`main tr >> text=Boxed ${width}`);
        await page.selectOption('select[name=property_id]', { label: width === 360 ? 'Mill House' : 'Hill House' });
        await actor.click('button:text-is("Allocate")');
        await page.waitForSelector('.said');
        assert.equal((await stayOf(reservation_code)).in_reservation_box, false);
        await mirrored('stays', `stay_code = '${reservation_code}' and in_reservation_box = 0`);
      });
    });
  }

  describe('by the keyboard alone', () => {
    before(() => page.setViewportSize({ width: 1_280, height: 900 }));

    it('1: a guest is answered', async () => {
      const asked = await writes('Keyed Guest', 'Where is the key?');
      await actor.begin();
      await actor.enter('nav >> text=Inbox');
      await page.waitForURL(/inbox/);
      await actor.enter(page.locator('a.entry', { hasText: 'Keyed Guest' }));
      await page.waitForURL(/conversation=/);
      await page.keyboard.press('e');
      await page.keyboard.type('Under the mat.');
      await actor.enter('.answer button');
      await page.waitForSelector('.said');
      assert.deepEqual(await world.said(asked), ['Under the mat.']);
    });

    it('2: the day after is looked at, and a stay opened', async () => {
      await actor.begin();
      await actor.enter(page.locator('nav.days a', { hasText: 'Tomorrow' }));
      await page.waitForURL(/day=/);
      await actor.enter(page.locator('section[aria-labelledby=staying] a', { hasText: 'Grace Hopper' }));
      await shows(/Still to pay/);
    });

    it('3: a night is blocked', async () => {
      await actor.begin();
      await actor.enter('nav >> text=Calendar');
      await page.waitForURL(/calendar/);
      const row = page.locator('.calendar [data-unit]', { hasText: 'Quiet House' });
      await actor.enter(row.locator('.unit a'));
      await page.waitForURL(/unit=/);
      await actor.tabTo('#block-reason');
      await page.keyboard.type('painters');
      await actor.enter('button:text-is("Block")');
      await row.locator('.block', { hasText: 'painters' }).waitFor();
    });

    it('5: a booking is made', async () => {
      await actor.begin();
      await actor.enter('main >> text=New booking');
      await page.waitForURL(/book/);
      await actor.tabTo('#property');
      await page.keyboard.type('Keyed');
      await actor.enter('text=Show the quote');
      await page.waitForURL(/property=/);
      await actor.tabTo('#guest_name');
      await page.keyboard.type('Keyed Booking');
      await actor.tabTo('#rate_amount');
      await page.keyboard.press('Control+A');
      await page.keyboard.type('99');
      await actor.enter('button:text-is("Book")');
      await page.waitForURL(/console\/stay\?code=/);
      await shows(/Keyed Booking/);
    });
  });

  it('6: money comes in, and a deposit goes back', async () => {
    const { reservation_code } = await arrives('Paying Guest');
    for (const event of ['required', 'paid']) {
      await world.service.portal('POST', `/portal/stays/${reservation_code}/deposit`, { event, amount: 120 });
    }
    await mirrored('stays', `stay_code = '${reservation_code}' and deposit_status = 'paid'`);
    await actor.begin();
    await actor.click('text=Paying Guest');
    await actor.click('text=Enter a payment');
    await page.fill('#pay-amount', '150.50');
    await actor.click('form[action*="stay/pay"] button');
    await page.waitForSelector('.said');
    assert.equal((await stayOf(reservation_code)).payment.received_amount, 150.5);
    const { reservation_code: left } = await world.book(world.sea, -9, -6, { guest_name: 'Gone Guest' });
    for (const event of ['required', 'paid']) {
      await world.service.portal('POST', `/portal/stays/${left}/deposit`, { event, amount: 80 });
    }
    await mirrored('stays', `stay_code = '${left}' and deposit_status = 'paid'`);
    await actor.begin();
    await actor.click('nav >> text=Money');
    assert.match(await page.innerText('section[aria-labelledby=balances]'), /Paying Guest[\s\S]*€149\.50/);
    const deposit = page.locator('section[aria-labelledby=deposits] tr', { hasText: 'Gone Guest' });
    await actor.click(deposit.locator('summary'));
    await actor.click(deposit.locator('details[open] button'));
    assert.match(await page.innerText('.said'), /Deposit of Gone Guest: €80\.00 given back/);
  });

  it('7: a month is checked and closed, and its files are written and fetched', async () => {
    const lastMonth = addDays(`${world.today.slice(0, 7)}-01`, -1).slice(0, 7);
    await world.service.portal('POST', '/portal/reconcile', {});
    await actor.begin();
    await actor.click('nav >> text=Money');
    await page.selectOption('#month', lastMonth);
    await actor.click('button:text-is("Check the month")');
    await actor.click('button:text-is("Close softly")');
    assert.match(await page.innerText('.said'), new RegExp(`Closed softly: ${lastMonth}`));
    await actor.begin();
    await actor.click('nav >> text=Money');
    await page.selectOption('#job', 'jsonl');
    await page.selectOption('#run-period', lastMonth);
    await actor.click('form[action*="money/run"] button');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      actor.click('a[download]:has-text(".manifest.json")'),
    ]);
    assert.ok(readFileSync(await download.path(), 'utf8').startsWith('{'));
  });

  it('8: Health says if everything is in step', async () => {
    await actor.begin();
    await actor.click('nav >> text=Health');
    await shows(/Everything is in step/);
  });

  it('9: a rule is tried on the past, paused, and edited', async () => {
    const rule = 'section[aria-labelledby=rules] a:text-is("wifi")';
    await actor.begin();
    await actor.click('nav >> text=Rules');
    await actor.click(rule);
    await actor.click('text=Try it');
    assert.match(await page.innerText('section[aria-labelledby=dry]'), /action|left out/);
    await actor.begin();
    await actor.click('nav >> text=Rules');
    await actor.click(rule);
    await actor.click('text=Pause this rule');
    assert.match(await page.innerText('.said'), /wifi is paused/);
    await actor.begin();
    await actor.click('nav >> text=Rules');
    await actor.click('section[aria-labelledby=rules] >> text=Edit rules.yaml');
    await page.fill('#text', RULES.replace('called Mill', 'called Barn'));
    await actor.click('form button >> text=Save');
    assert.match(await page.innerText('.said'), /rules\.yaml was saved and is in use/);
  });

  it('10: a report is read, and taken away as a file', async () => {
    await actor.begin();
    await actor.click('nav >> text=Reports');
    await actor.click('text=Revenue by night');
    assert.ok((await page.locator('svg[role=img] rect').count()) > 0);
    const [file] = await Promise.all([page.waitForEvent('download'), actor.click('text=CSV file')]);
    assert.match(readFileSync(await file.path(), 'utf8'), /^span,period,item,currency,stays,amount\n/);
  });

  it('11: a file of another system is imported after a look at it, and a token made', async () => {
    await actor.begin();
    await actor.click('nav >> text=Setup');
    await page.setInputFiles('#file', { name: 'export.csv', mimeType: 'text/csv', buffer: Buffer.from(EXPORT) });
    await actor.click('text=Look at it');
    assert.match(await main(), /Is this right\?[\s\S]*(Ann Example|Lake House)/);
    await actor.click('button:text-is("Import")');
    await until(async () => {
      await page.goto(world.at('setup'));
      return /The file is imported[\s\S]*Reservations stored\s+1/.test(await main());
    }, 'the import to end');
    await actor.begin();
    await actor.click('nav >> text=Setup');
    await actor.click('main a[href*="/access"]');
    await page.fill('#name', 'Spreadsheet');
    await actor.click('text=Make a token');
    assert.match(await page.innerText('code.secret'), /\S{20}/);
  });

  it('12: the search box finds a guest, a code, a property, an address, a telephone and the words of a message', async () => {
    await writes('Writing Guest', 'May we bring our dachshund?');
    for (const [question, section, found] of [
      ['grace hop', 'guests', /Grace Hopper/],
      [grace, 'codes', /Grace Hopper/],
      ['mill', 'properties', /Mill House/],
      ['grace@navy', 'guests', /Grace Hopper/],
      ['2025550147', 'guests', /Grace Hopper/],
      ['dachshund', 'messages', /dachshund/],
    ] as const) {
      await actor.begin();
      await page.fill('.bar input[type=search]', question);
      await page.press('.bar input[type=search]', 'Enter');
      await page.waitForURL(/search\?/);
      assert.match(await page.innerText(`section[aria-labelledby=${section}]`), found, question);
    }
    assert.deepEqual(world.pages.problems, []);
  });
});

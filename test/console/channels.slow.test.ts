import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ics, type Marketplace, startMarketplace, type Written } from '../channels/feeds/support/feedWorld.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';

const RESERVED = {
  summary: 'Reserved',
  description: 'Reservation URL: https://www.airbnb.com/hosting/reservations/details/HMWXYZ2345',
};

describeInBrowser('Channels in a browser', () => {
  let world: ConsoleWorld;
  let marketplace: Marketplace;
  let page: Page;
  const main = () => page.innerText('main');
  const said = () => page.innerText('.said');
  const part = (id: string) => page.locator(`section[aria-labelledby=${id}]`);
  const span = (from: number, to: number, more: Partial<Written> = {}): Written => ({
    uid: `${from}-${to}@elsewhere`,
    start: world.day(from),
    end: world.day(to),
    ...more,
  });

  before(async () => {
    marketplace = await startMarketplace();
    world = await startConsoleWorld({ STAYD_OUTBOUND_ALLOW: marketplace.address });
    page = await world.person();
  });
  after(async () => {
    await world.remove();
    await marketplace.close();
  });

  async function connect(name: string, url: string): Promise<void> {
    await page.selectOption('#add-property_id', { label: 'Sea House' });
    await page.fill('#add-name', name);
    await page.fill('#add-url', url);
    await page.click('button:text-is("Connect")');
  }

  async function openFeed(name: string): Promise<void> {
    await page.goto(world.at('channels'));
    await page.click(`main table a:text-is("${name}")`);
  }

  async function confirm(open: string, doIt: string): Promise<string> {
    await page.click(`summary:text-is("${open}")`);
    const consequence = await page.innerText('details[open] form p');
    await page.click(`button:text-is("${doIt}")`);
    return consequence;
  }

  /** Asks for one of our calendars as a marketplace does. */
  const fetchOurs = (address: string) => fetch(address, { headers: { 'user-agent': 'marketplace/1' } });

  it('from Setup: an empty page says what to do next', async () => {
    await page.goto(world.at('setup'));
    await page.click('text=Connect calendars');
    assert.match(await main(), /No calendar is connected yet. Connect the one of a marketplace below/);
    await page.goto(world.at(`properties?property=${world.hill}`));
    await page.click('text=Channels of Hill House');
    assert.equal(new URL(page.url()).searchParams.get('property'), String(world.hill));
    assert.match(await main(), /Hill House has no calendar yet/);
    assert.equal(await page.inputValue('#add-property_id'), String(world.hill));
    assert.equal((await page.goto(world.at('channels?property=999')))?.status(), 404);
    assert.equal((await page.goto(world.at('channels?feed=999')))?.status(), 404);
  });

  it('an address that is refused says why, and stays typed', async () => {
    await page.goto(world.at('channels'));
    await connect('Market', marketplace.url);
    assert.match(await page.innerText('[role=alert]'), /Nothing was changed. url: cannot be read: it answers 404/);
    assert.equal(await page.inputValue('#add-name'), 'Market');
    assert.equal(await page.inputValue('#add-url'), marketplace.url);
    await connect('Market', 'http://127.0.0.2:9/calendar.ics');
    assert.match(await page.innerText('[role=alert]'), /url: cannot be read: the address/);
  });

  it('a calendar is connected: what was read is said, and our address is there to be pasted', async () => {
    marketplace.says(ics([span(3, 5, RESERVED), span(8, 11)]));
    await connect('Market', marketplace.url);
    assert.equal(await said(), 'Market is connected. 2 events: 1 new reservation, 3 nights closed.');
    assert.match(await main(), /Paste this address at Market[\s\S]*nights that are taken, and nothing else/);
    const ours = await page.innerText('code.secret');
    const calendar = await (await fetchOurs(ours)).text();
    assert.match(calendar, /BEGIN:VCALENDAR/);
    await page.reload();
    assert.match(await part('ours').innerText(), /Ours last fetched: .*, by marketplace\/1/);
    assert.match(await part('events').innerText(), /2 nights\s+reservation[\s\S]*3 nights\s+closed/);
  });

  it('its nights are closed on the calendar, and its reservation leads to the stay', async () => {
    const row = page.locator('.calendar .row', { hasText: 'Sea House' });
    await page.goto(world.at('calendar'));
    assert.equal(await row.locator('.block').count(), 1);
    assert.match(await row.innerText(), /Market/);
    await openFeed('Market');
    await part('events').locator('a').click();
    assert.match(page.url(), /\/console\/stay\?code=/);
    assert.match(await main(), /Market[\s\S]*calendar feed/);
  });

  it('what has changed is read at once, and what may be sold twice stands first until somebody has looked', async () => {
    await world.book(world.sea, 20, 22);
    marketplace.says(ics([span(3, 5, RESERVED), span(19, 23)]));
    await openFeed('Market');
    await page.click('text=Read now');
    assert.match(await said(), /^2 events: 7 nights closed\.$/);
    assert.match(await part('look').innerText(), /These nights may be sold twice[\s\S]*4 nights/);
    assert.match(await part('events').innerText(), /closed\s+\d+ \w+ \d{4}/, 'the missing one, and since when');
    assert.equal(await page.locator('main section').first().getAttribute('aria-labelledby'), 'look');
    assert.deepEqual(await obstaclesOn(page, 'channel-clash'), []);
    await page.goto(world.at('channels'));
    assert.match(await part('feeds').innerText(), /in step\s+4 nights perhaps sold twice/);
    assert.deepEqual(await obstaclesOn(page, 'channels-clash'), []);
    await openFeed('Market');
    await page.click('text=It is the same stay');
    assert.match(await said(), /noted as the same stay/);
    assert.equal(await part('look').count(), 0);
    await page.goto(world.at('channels'));
    assert.doesNotMatch(await part('feeds').innerText(), /sold twice/);
  });

  it('a calendar that cannot be read says why, closes what it closed, and can be paused', async () => {
    marketplace.says({ status: 503 });
    await openFeed('Market');
    await page.click('text=Read now');
    assert.match(await said(), /It could not be read: it answers 503. Nothing was changed by it/);
    assert.match(await page.innerText('main p.bad'), /The last read failed: it answers 503/);
    await page.goto(world.at('channels'));
    assert.match(await part('feeds').innerText(), /not read[\s\S]*2 events[\s\S]*it answers 503/);
    await openFeed('Market');
    await page.click('button:text-is("Pause")');
    assert.match(await main(), /It is paused: nothing is read, and its nights stay closed/);
    await page.click('button:text-is("Resume")');
    assert.match(await said(), /Market is read again/);
  });

  it('it gets another name, and another address of ours, after which the old one is dead', async () => {
    marketplace.says(ics([span(3, 5, RESERVED)]));
    await openFeed('Market');
    const old = await page.innerText('code.secret');
    await page.fill('#change-name', 'Market by the sea');
    await page.click('text=Save');
    assert.match(await said(), /Market by the sea is changed/);
    assert.match(await confirm('New address', 'Make a new address'), /dead at once/);
    const ours = await page.innerText('code.secret');
    assert.notEqual(ours, old);
    assert.deepEqual([(await fetchOurs(old)).status, (await fetchOurs(ours)).status], [404, 200]);
  });

  it('of a marketplace whose habits are known, its own code is shown', async () => {
    const [feed] = (await world.service.portal('GET', '/portal/feeds')).feeds;
    await world.service.portal('PATCH', `/portal/feeds/${feed.id}`, { source: 'airbnb' });
    await openFeed('Market by the sea');
    await page.click('text=Read now');
    assert.match(await main(), /Sea House · Airbnb/);
    assert.match(await part('events').innerText(), /reservation\s+HMWXYZ2345\s+\S*feed/);
  });

  it('a private calendar shows what was ticked, and says so', async () => {
    await page.goto(world.at('channels'));
    await page.selectOption('#add-private-property_id', { label: 'Sea House' });
    await page.fill('#add-private-name', 'Cleaner');
    await page.check('[name=shows][value=name]');
    await page.check('[name=shows][value=guests]');
    await page.click('text=Make the calendar');
    assert.match(await main(), /sees the nights that are taken, and: name of the guest, number of guests\./);
    const calendar = await (await fetchOurs(await page.innerText('code.secret'))).text();
    assert.match(calendar, /SUMMARY:Grace Hopper[\s\S]*Guests: 2|Guests: 2[\s\S]*SUMMARY:Grace Hopper/);
    assert.equal(await page.locator('text=Read now').count(), 0);
    await page.uncheck('[name=shows][value=name]');
    await page.uncheck('[name=shows][value=guests]');
    await page.click('text=Save');
    assert.match(await main(), /sees the nights that are taken, and nothing else/);
  });

  it('the list is limited to a property, which stands in its address', async () => {
    await page.goto(world.at('channels'));
    assert.match(await part('feeds').innerText(), /Cleaner\s+Sea House\s+private calendar[\s\S]*Market by the sea/);
    await page.selectOption('#by-property', { label: 'Hill House' });
    await page.click('.filters button');
    assert.match(await main(), /Hill House has no calendar yet/);
  });

  it('nothing is in the way of anybody', async () => {
    const found: string[] = [];
    await page.goto(world.at('channels'));
    found.push(...(await obstaclesOn(page, 'channels')));
    await openFeed('Market by the sea');
    await page.click('summary:text-is("Remove")');
    found.push(...(await obstaclesOn(page, 'channel')));
    await openFeed('Cleaner');
    found.push(...(await obstaclesOn(page, 'channel-private')));
    assert.deepEqual(found, []);
  });

  it('it is removed after the page has said what that does: nights are open again, the reservation stays', async () => {
    await openFeed('Market by the sea');
    const consequence = await confirm('Remove', 'Remove Market by the sea');
    assert.match(consequence, /Nights of Sea House that it alone closed are open again. 1 reservation that came by it/);
    assert.match(await said(), /Market by the sea is removed/);
    assert.equal(await part('feeds').locator('tbody tr').count(), 1);
    await world.service.settled();
    await page.goto(world.at('calendar'));
    const row = page.locator('.calendar .row', { hasText: 'Sea House' });
    assert.equal(await row.locator('.block').count(), 0);
    assert.match(await row.innerText(), /Market/);
  });

  it('its reservations are cancelled by a person, one by one or with the calendar', async () => {
    marketplace.says(ics([span(30, 32, { summary: 'Reserved' }), span(40, 42, { summary: 'Reserved' })]));
    await page.goto(world.at('channels'));
    await connect('Second', marketplace.url);
    const consequence = await confirm('Cancel it', 'Cancel the reservation');
    assert.match(consequence, /Its nights stay closed as long as their calendar shows them/);
    assert.match(await said(), /The reservation is cancelled here/);
    await openFeed('Second');
    await page.click('summary:text-is("Remove")');
    await page.check('[name=cancel]');
    await page.click('button:text-is("Remove Second")');
    const left = await world.service.rows(
      `select status, count(*) as n from core.stays where channel_type = 'ical' and check_in_date >= '${world.day(30)}' group by 1`,
    );
    assert.deepEqual(left, [{ status: 'cancelled', n: 2 }]);
  });

  it('is not for a manager', async () => {
    const manager = await world.person('manager');
    assert.equal((await manager.goto(world.at('channels')))?.status(), 403);
    const sent = await manager.request.post(world.at('channels/add'), {
      headers: { origin: world.service.url },
      form: { property_id: String(world.sea), name: 'Mine' },
    });
    assert.equal(sent.status(), 403);
    await manager.close();
  });

  it('S28: names that would run something are shown as names', async () => {
    const names = PAYLOADS.filter((text) => text.trim() !== '' && text.length <= 60 && !/\p{Cc}/u.test(text));
    for (const name of names.slice(0, 15)) {
      await world.service.portal('POST', '/portal/feeds', { property_id: world.hill, name });
    }
    await page.goto(world.at('channels'));
    assert.equal(await part('feeds').locator('tbody tr').count(), 16);
    await page.click(`section[aria-labelledby=feeds] tr:has-text("Hill House") a`);
    assert.deepEqual(world.pages.problems, []);
  });
});

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { FakeStripe } from '../support/fakeStripe.ts';
import { obstaclesOn } from '../support/pages.ts';
import { until } from '../support/service.ts';

const PLAN = {
  name: 'Standard',
  currency: 'EUR',
  base_price: 100,
  guests: { most: 4 },
  fees: [{ name: 'Cleaning', amount: 50, per: 'stay' }],
  security_deposit: 200,
  payment: { at_booking_percent: 40, balance_days: 30 },
  cancellation: 'moderate',
};

describeInBrowser('booking pages and their bookings in the console', () => {
  let stripe: FakeStripe;
  let world: ConsoleWorld;
  let page: Page;
  let book: string;
  const main = () => page.innerText('main');

  before(async () => {
    stripe = await FakeStripe.start();
    world = await startConsoleWorld({ STAYD_OUTBOUND_ALLOW: stripe.address, STAYD_PAYMENTS_STRIPE_URL: stripe.url });
    await world.service.portal('PUT', '/portal/rate_plans', { property_ids: [world.sea], plan: PLAN, account: 'demo' });
    page = await world.person();
    page.setDefaultTimeout(30_000);
  });
  after(async () => {
    await world.remove();
    await stripe.close();
  });

  /** A guest books from one day to another. @returns the code of the reservation */
  async function guestBooks(from: number, to: number, method: string): Promise<string> {
    const post = (at: string, fields: Record<string, string>) =>
      fetch(new URL(at, world.service.url), { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
    const wish = { property: String(world.sea), from: world.day(from), to: world.day(to), adults: '2' };
    const quote = await post(`${book}/quotes`, wish);
    const guest = {
      name: 'Clara Hofmann',
      email: 'clara@example.com',
      phone: '+49 170 1234567',
      country: 'DE',
      accept: '1',
    };
    const made = await post(String(quote.headers.get('location')).replace(/\?.*/, ''), { ...guest, method });
    const text = await (await fetch(new URL(String(made.headers.get('location')), world.service.url))).text();
    await world.service.settled();
    return /<code>(5-[^<]+)<\/code>/.exec(text)?.[1] ?? text;
  }

  it('are made in setup, with ways to pay', async () => {
    await page.goto(world.at('setup'));
    await page.click('main a[href$="/booking"]');
    assert.match(
      await main(),
      /There is none yet[\s\S]*Guests cannot book before|Guests cannot book before[\s\S]*There is none yet/,
    );
    await page.fill('#name', 'Sea');
    await page.click('main form >> text=Make the page');
    assert.match(await main(), /choose at least one/);
    await page.check('main label:has-text("Sea House") input');
    await page.fill('#rules', 'No smoking.');
    await page.click('main form >> text=Make the page');
    assert.match(await page.innerText('.said'), /"Sea" is open/);
    book = new URL(String(await page.getAttribute('main table a', 'href'))).pathname;
    await page.fill('#transfer_text', 'Sea Ltd\nDE02 1203 0000 0000 2020 51');
    await page.click('section:has(#transfer_text) button');
    assert.match(await page.innerText('.said'), /Saved/);
    assert.match(await main(), /Guests cancel on the page of their booking/);
    await page.click('text=Have them write to me');
    assert.match(await main(), /tells guests to write to you/);
    await page.click('text=Let guests cancel by themselves');
    await page.fill('#key', 'pk_test_public');
    await page.click('text=Connect >> nth=-1');
    assert.match(await main(), /must be a secret key/);
    assert.doesNotMatch(await page.content(), /pk_test_public/);
    await page.fill('#key', stripe.key);
    await page.fill('#webhook_secret', stripe.webhookSecret);
    await page.click('main form:has(#key) button[type=submit]');
    assert.match(await main(), /Connected with a test key[\s\S]*signing secret is set/);
    assert.deepEqual(await obstaclesOn(page, 'console-booking'), []);
  });

  it('show on the page of the stay what is agreed, paid and due; a payment is noted there', async () => {
    const code = await guestBooks(60, 63, 'transfer');
    await page.goto(world.at(`stay?code=${code}`));
    assert.match(await main(), /Booked by the guest[\s\S]*€350\.00/);
    assert.match(await page.innerText('#agreed ~ *, section:has(#agreed)'), /€140\.00 first payment/);
    assert.deepEqual(await obstaclesOn(page, 'console-stay-held'), []);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.click('text=Note a payment >> nth=0');
    await page.click('form[action*="mark-paid"] button[type=submit]');
    assert.match(await page.innerText('.said'), /Noted/);
    await page.goto(world.at(`stay?code=${code}`));
    assert.match(await main(), /€210\.00 balance by/);
  });

  it('by card are given back by a person, and deposits end there', async () => {
    const code = await guestBooks(70, 73, 'stripe');
    stripe.pay([...stripe.sessions.keys()].at(-1) ?? '');
    await page.goto(world.at(`stay?code=${code}`));
    await page.click('text=Ask Stripe now');
    await world.service.settled();
    await page.goto(world.at(`stay?code=${code}`));
    await page.click('text=Ask for the deposit by card');
    stripe.pay([...stripe.sessions.keys()].at(-1) ?? '');
    await page.goto(world.at(`stay?code=${code}`));
    await page.click('text=Ask Stripe now');
    await page.goto(world.at(`stay?code=${code}`));
    assert.match(await main(), /security deposit card[\s\S]*reserved on the card/);
    assert.deepEqual(await obstaclesOn(page, 'console-stay-paid'), []);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.click('summary:has-text("End the deposit on the card")');
    await page.fill('#end-deposit-amount', '60');
    await page.click('form[action*="end-deposit"] button[type=submit]');
    await page.goto(world.at(`stay?code=${code}`));
    assert.match(await main(), /kept in part/);
    await page.click('summary:has-text("Give money back")');
    await page.fill('#give-back-amount', '40');
    await page.click('form[action*="give-back"] button[type=submit]');
    const shown = () => world.service.portal('GET', `/portal/bookings/${code}?account=demo`);
    await until(async () => (await shown()).refunds[0]?.state === 'done', 'the refund');
    assert.equal((await shown()).received, 100);
    assert.deepEqual(world.pages.problems, []);
  });

  it('are revoked, and their address opens nothing', async () => {
    await page.goto(world.at('booking'));
    await page.click('summary:has-text("Revoke")');
    await page.click('form[action*="revoke"] button[type=submit]');
    assert.match(await main(), /revoked/);
    assert.equal((await fetch(new URL(book, world.service.url))).status, 404);
  });
});

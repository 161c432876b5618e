import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { FakeStripe } from '../support/fakeStripe.ts';
import { obstaclesOn, openPages, type Pages } from '../support/pages.ts';
import { startTestService, type TestService } from '../support/service.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const PLAN = {
  name: 'Standard',
  currency: 'EUR',
  base_price: 120,
  guests: { most: 4, pets: 1 },
  fees: [
    { name: 'Final cleaning', amount: 60, per: 'stay' },
    { name: 'Sauna', amount: 20, per: 'stay', optional: true },
  ],
  taxes: [{ name: 'City tax', amount: 2.5, per: 'guest_night' }],
  security_deposit: 200,
  payment: { at_booking_percent: 40, balance_days: 30 },
  cancellation: 'moderate',
};

describeInBrowser('the page where guests book, in a browser without scripts', () => {
  let stripe: FakeStripe;
  let service: TestService;
  let pages: Pages;
  let page: Page;
  let judged: Page;
  let url: string;
  const main = () => page.innerText('main');
  const submit = () => page.click('main form button[type=submit]');
  /** Judges the page that is shown by a browser with scripts, which axe needs. */
  const obstacles = async (name: string) => {
    await judged.goto(page.url());
    return obstaclesOn(judged, `book-${name}`);
  };

  before(async () => {
    stripe = await FakeStripe.start();
    service = await startTestService({
      STAYD_OUTBOUND_ALLOW: stripe.address,
      STAYD_PAYMENTS_STRIPE_URL: stripe.url,
    });
    const property_ids: number[] = [];
    for (const name of ['Sea House', 'Hill House']) {
      const { property_id } = await service.v3('POST', '/properties', { title: name });
      property_ids.push(property_id);
    }
    await service.portal('PUT', '/portal/rate_plans', { property_ids, plan: PLAN });
    await service.portal('PATCH', '/portal/payments', {
      transfer_text: 'Sea Ltd\nDE02 1203 0000 0000 2020 51\nBYLADEM1001',
    });
    await service.portal('PUT', '/portal/payments/stripe', { key: stripe.key, webhook_secret: stripe.webhookSecret });
    await service.portal('PATCH', '/portal/brand', { name: 'Sea & Sons', color: '#0b57a8' });
    const made = await service.portal('POST', '/portal/booking_pages', {
      name: 'Both houses',
      property_ids,
      rules: 'No smoking.\nQuiet from ten in the evening.',
    });
    url = new URL(new URL(made.url).pathname, service.url).href;
    pages = await openPages(service.url);
    page = await (await pages.person({ javaScriptEnabled: false })).newPage();
    judged = await (await pages.person()).newPage();
    page.setDefaultTimeout(30_000);
  });
  after(async () => {
    await pages.close();
    await service.remove();
    await stripe.close();
  });

  it('offers the places, and the free nights of one', async () => {
    await page.goto(url);
    assert.match(await main(), /Where would you like to stay\?[\s\S]*Hill House[\s\S]*Sea House/);
    assert.deepEqual(await obstacles('choice'), []);
    await page.click('text=See dates >> nth=1');
    assert.match(await main(), /Book Sea House/);
    assert.deepEqual(await obstacles('calendar'), []);
    await page.click('text=Later');
    await page.click('text=Deutsch');
    assert.match(await main(), /Sea House buchen[\s\S]*Anreise/);
    await page.click('text=English');
  });

  it('says what is wrong beside the fields', async () => {
    await page.fill('#adults', '9');
    await page.fill('#children', 'four');
    await submit();
    assert.match(await main(), /Please look at this again/);
    assert.equal(await page.getAttribute('#children', 'aria-describedby'), 'children-hint children-wrong');
    await judged.setContent(await page.content());
    assert.deepEqual(await obstaclesOn(judged, 'book-wrong'), []);
  });

  it('leads from dates to a price, and from there to a booking that waits for a transfer', async () => {
    await page.fill('#adults', '2');
    await page.fill('#children', '4, 9');
    await page.fill('#from', day(60));
    await page.fill('#to', day(64));
    await page.check('text=Sauna');
    await submit();
    const price = await main();
    assert.match(price, /Nights \(4 × €120\.00\)/);
    assert.match(price, /Total\s+€600\.00/);
    assert.match(price, /If you cancel/);
    assert.deepEqual(await obstacles('quote'), []);
    await submit();
    assert.match(await main(), /Please accept the house rules/);
    await page.fill('#name', 'Clara Hofmann');
    await page.fill('#email', 'clara@example.com');
    await page.fill('#phone', '+49 170 1234567');
    await page.selectOption('#country', 'DE');
    await page.fill('#message', 'We come late.');
    await page.check('text=By bank transfer');
    await page.check('text=I have read the house rules');
    await submit();
    assert.match(await main(), /Your nights are held[\s\S]*€240\.00[\s\S]*BYLADEM1001/);
    assert.doesNotMatch(await main(), /Clara/);
    assert.deepEqual(await obstacles('transfer'), []);
  });

  it('leads to the page of the provider, and back to a confirmation', async () => {
    await page.click('text=Ask for another stay');
    await page.click('text=See dates >> nth=1');
    await page.fill('#from', day(61));
    await page.fill('#to', day(63));
    await submit();
    assert.match(await main(), /not free[\s\S]*Free nearby/);
    await page.click('main .bad a >> nth=0');
    assert.notEqual(await page.inputValue('#from'), day(61));
    await submit();
    await page.fill('#name', 'Max Muster');
    await page.fill('#email', 'max@example.com');
    await page.fill('#phone', '+49 170 1234567');
    await page.selectOption('#country', 'AT');
    await page.check('text=By card');
    await page.check('text=I have read the house rules');
    await submit();
    const link = String(await page.getAttribute('main a.button', 'href'));
    assert.match(link, /^https:\/\/checkout\.stripe\.example\//);
    assert.deepEqual(await obstacles('card'), []);
    stripe.pay(link.split('/').at(-1) ?? '');
    const [session] = stripe.sessions.values();
    await page.goto(new URL(new URL(String(session?.fields['success_url'])).pathname, service.url).href + '?back=1');
    assert.match(await main(), /Your booking is confirmed/);
    assert.deepEqual(await obstacles('confirmed'), []);
    assert.deepEqual(pages.problems, []);
  });

  it('is cancelled by the guest, after a page that says what goes back', async () => {
    await page.click('text=Cancel this booking');
    assert.match(await main(), /your booking ends at once[\s\S]*All that you have paid goes back to you: €\d/);
    assert.deepEqual(await obstacles('cancel'), []);
    await page.click('text=Keep the booking');
    assert.match(await main(), /Your booking is confirmed/);
    await page.click('text=Cancel this booking');
    await page.click('text=Deutsch');
    assert.match(await main(), /Alles, was Sie bezahlt haben, geht an Sie zurück/);
    await submit();
    assert.match(await main(), /Diese Buchung wurde storniert/);
    assert.deepEqual(await obstacles('cancelled'), []);
    assert.deepEqual(pages.problems, []);
  });
});

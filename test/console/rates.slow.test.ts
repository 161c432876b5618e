import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, PASSWORD, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';

describeInBrowser('Rates in a browser', () => {
  let world: ConsoleWorld;
  let page: Page;
  const main = () => page.innerText('main');
  const said = () => page.innerText('.said');
  const unfold = async () => {
    // One is folded less with each click.
    for (const part of (await page.locator('form.form > details:not([open]) > summary').all()).toReversed())
      await part.click();
  };

  before(async () => {
    world = await startConsoleWorld();
    page = await world.person();
  });
  after(() => world.remove());

  it('a price for a night and the number of guests make a plan, and a quote is tried at once', async () => {
    await page.goto(world.at('setup'));
    await page.click('main a:text-is("Rates")');
    assert.match(await main(), /Sea House\s+no rate plan yet/);
    await page.click('main a:text-is("Sea House")');
    await page.fill('#base_price', '120.50');
    await page.fill('#most', '4');
    await page.click('button:text-is("Save")');
    assert.match(await said(), /The rates of Sea House are saved, version 1/);
    assert.match(await main(), /A night costs €120\.50\.[^]*Up to 4 guests, all in the price\.[^]*No pets\./);
    await page.fill('#try-from', world.day(40));
    await page.fill('#try-to', world.day(42));
    await page.click('button:text-is("Show the price")');
    assert.match(await main(), /Nights\s+2\s+€120\.50\s+€241\.00[^]*Total: €241\.00[^]*Due at the booking: €241\.00/);
    await page.fill('#try-adults', '9');
    await page.fill('#try-pets', '1');
    await page.click('button:text-is("Show the price")');
    assert.match(await page.innerText('main [role=alert]'), /there is room for 4 guests\s+pets cannot come/);
    await page.fill('#try-children', 'two');
    await page.click('button:text-is("Show the price")');
    assert.match(await page.innerText('main [role=alert]'), /Write ages from 0 to 17/);
  });

  it('seasons, fees, taxes, days and a policy of their own are edited in rows, and read as sentences', async () => {
    await page.goto(world.at(`rates?property=${world.sea}`));
    await unfold();
    await page.fill('#weekend_price', '150');
    await page.fill('#week', '10');
    await page.fill('#included', '2');
    await page.fill('#extra_price', '15');
    await page.fill('#infants_below_age', '2');
    await page.fill('#pets_most', '1');
    await page.fill('#min_nights', '2');
    await page.check('input[name=arrival][value=saturday]');
    await page.check('input[name=arrival][value=sunday]');
    for (const [field, value] of Object.entries({
      name: 'Summer',
      from: '06-15',
      to: '09-15',
      price: '180',
      min_nights: '5',
      max_nights: '21',
    }))
      await page.fill(`#season_0_${field}`, value);
    await page.check('input[name=season_0_departure][value=sunday]');
    await page.fill('#fee_0_name', 'Cleaning');
    await page.fill('#fee_0_amount', '60');
    await page.fill('#fee_1_name', 'Dog');
    await page.fill('#fee_1_amount', '5');
    await page.selectOption('#fee_1_per', 'pet_night');
    await page.fill('#tax_0_name', 'VAT');
    await page.fill('#tax_0_value', '7');
    await page.check('input[name=tax_0_included]');
    await page.fill('#tax_1_name', 'City tax');
    await page.selectOption('#tax_1_kind', 'guest_night');
    await page.fill('#tax_1_value', '2.5');
    await page.fill('#tax_1_exempt', '16');
    await page.fill('#tax_1_max_amount', '40');
    await page.fill('#security_deposit', '250');
    await page.fill('#at_booking_percent', '30');
    await page.selectOption('#policy', 'custom');
    await page.fill('#step_0_days', '30');
    await page.fill('#step_0_percent', '100');
    await page.fill('#step_1_days', '7');
    await page.fill('#step_1_percent', '50');
    await page.click('button:text-is("Save")');
    assert.match(await said(), /version 2/);
    for (const sentence of [
      'Nights of Friday and Saturday cost €150.00.',
      'Summer, 15 June to 15 September of every year: €180.00 a night; at least 5 nights; at most 21 nights; departure on Sunday.',
      'At least 2 nights.',
      'Arrival on Saturday and Sunday.',
      'Up to 4 guests; each beyond 2 costs €15.00 a night.',
      'Children below 2 count as no guest.',
      'From 7 nights on 10% less.',
      'Dog: €5.00 per pet and night.',
      'VAT: 7%, in the prices.',
      'City tax: €2.50 per guest and night, added, at most €40.00, from the age of 16.',
      'Security deposit: €250.00, given back.',
      '30% is due at the booking, the rest 30 days before arrival.',
      'Cancellation: 100% back until 30 days before arrival, 50% back until 7 days before arrival, then nothing.',
    ]) {
      assert.ok((await main()).includes(sentence), sentence);
    }
  });

  it('a season that would be ambiguous is refused with the reason, and what was typed stays', async () => {
    await page.goto(world.at(`rates?property=${world.sea}`));
    await unfold();
    for (const [field, value] of Object.entries({ name: 'Late summer', from: '06-20', to: '09-20', price: '170' }))
      await page.fill(`#season_1_${field}`, value);
    await page.click('button:text-is("Save")');
    assert.match(
      await page.innerText('.form > .bad'),
      /seasons\.1\.from shares nights with "Summer", which is as long/,
    );
    assert.equal(await page.inputValue('#season_1_name'), 'Late summer');
    await page.fill('#season_1_to', '07-10');
    await page.click('button:text-is("Save")');
    assert.match(await main(), /Late summer, 20 June to 10 July of every year: €170\.00 a night/);
    await unfold();
    await page.fill('#season_1_name', '');
    await page.click('button:text-is("Save")');
    assert.doesNotMatch(await main(), /Late summer/);
    // Someone else changes the plan while the form is open.
    const { plan } = await world.service.portal('GET', `/portal/rate_plans/${world.sea}`);
    const dearer = { ...plan, base_price: 130 };
    await world.service.portal('PUT', '/portal/rate_plans', { property_ids: [world.sea], plan: dearer });
    await page.fill('#base_price', '99');
    await page.click('button:text-is("Save")');
    assert.match(await page.innerText('.form > .bad'), /Somebody else has changed the plan since you opened it/);
  });

  it('what a guest may choose is asked for where a price is tried, and where a booking is made', async () => {
    const { plan } = await world.service.portal('GET', `/portal/rate_plans/${world.sea}`);
    const sauna = { name: 'Sauna & "spa"', amount: 20, optional: true };
    const richer = { ...plan, fees: [...plan.fees, sauna] };
    await world.service.portal('PUT', '/portal/rate_plans', { property_ids: [world.sea], plan: richer });
    await page.goto(world.at(`rates?property=${world.sea}`));
    const [from, to] = saturdayFrom(world, 120);
    await page.fill('#try-from', from);
    await page.fill('#try-to', to);
    await page.click('button:text-is("Show the price")');
    assert.doesNotMatch(await page.innerText('section[aria-labelledby=try] table'), /spa/);
    await page.check('input[name=extra_0]');
    await page.click('button:text-is("Show the price")');
    assert.match(await page.innerText('section[aria-labelledby=try] table'), /Sauna & "spa"\s+1\s+€20\.00\s+€20\.00/);
    assert.ok(await page.isChecked('input[name=extra_0]'));
    await page.goto(world.at(`book?property=${world.sea}&from=${from}&to=${to}`));
    const before = Number(await page.inputValue('#rate_amount'));
    await page.check('input[name=extra_0]');
    await page.click('button:text-is("Show the quote")');
    assert.equal(Number(await page.inputValue('#rate_amount')), before + 20);
    // A booking that is refused keeps what was chosen.
    await page.fill('#guest_name', 'Ada Lovelace');
    await page.fill('#rate_amount', 'much');
    await page.click('button:text-is("Book")');
    assert.match(await page.innerText('.form > .bad'), /amount/);
    assert.ok(await page.isChecked('input[name=extra_0]'));
    await world.service.portal('PUT', '/portal/rate_plans', { property_ids: [world.sea], plan });
  });

  it('another property takes over the plan, and leaves it', async () => {
    await page.goto(world.at(`rates?property=${world.hill}`));
    await page.selectOption('#other', { label: 'Sea House: Standard' });
    await page.click('button:text-is("Use it")');
    assert.match(await said(), /Hill House has the plan of Sea House/);
    assert.match(await main(), /Also the plan of Sea House/);
    await page.click('summary:text-is("Remove the plan")');
    await page.click('button:text-is("Remove the plan")');
    assert.match(await said(), /Hill House has no rate plan any more/);
    await page.goto(world.at('rates'));
    assert.match(await main(), /Hill House\s+no rate plan yet[^]*Sea House\s+Standard\s+€130\.00/);
  });

  it('a new booking proposes the price by the plan, with its lines, for those who come', async () => {
    const [from, to] = saturdayFrom(world, 60);
    await page.goto(world.at(`book?property=${world.hill}&from=${from}&to=${to}`));
    assert.equal(await page.locator('#adults').count(), 0, 'a property without a plan asks nothing more');
    await page.goto(world.at(`book?property=${world.sea}&from=${from}&to=${to}`));
    await page.fill('#adults', '3');
    await page.click('button:text-is("Show the quote")');
    const quote = await page.innerText('section[aria-labelledby=quote]');
    const total = /Total: €([\d,.]+)/.exec(quote)?.[1]?.replace(',', '');
    assert.match(quote, /Further guests\s+2\s+€15\.00\s+€30\.00[^]*City tax\s+6\s+€2\.50\s+€15\.00/);
    assert.equal(await page.inputValue('#rate_amount'), total);
    assert.equal(await page.inputValue('#number_of_guests'), '3');
    await page.fill('#guest_name', 'Ada Lovelace');
    await page.click('button:text-is("Book")');
    assert.match(await said(), /Ada Lovelace is booked in Sea House/);
    await page.goto(world.at(`book?property=${world.sea}&from=${from}&to=${to}&adults=3`));
    assert.match(await page.innerText('section[aria-labelledby=quote]'), /Not all nights are free[^]*taken/);
  });

  it('is for those who set up alone, in German too, and works without a script', async () => {
    const staff = await world.person('staff');
    assert.equal((await staff.goto(world.at('rates')))?.status(), 403);
    const [from, to] = saturdayFrom(world, 90);
    await staff.goto(world.at(`book?property=${world.sea}&from=${from}&to=${to}`));
    assert.match(await staff.innerText('main'), /Price by the rate plan[^]*Total/, 'who books sees the price');
    // A new invite of the owner ends what the owner had open before.
    page = await world.person('owner', { locale: 'de-DE' });
    await page.goto(world.at(`rates?property=${world.sea}&from=${from}&to=${to}`));
    assert.match(await main(), /Eine Nacht kostet 130,00\s€[^]*Summe:[^]*Storno/);
    const plain = await (await world.pages.person({ javaScriptEnabled: false })).newPage();
    await plain.goto(world.at(`rates?property=${world.sea}`));
    await plain.fill('#login', 'owner3');
    await plain.fill('#password', PASSWORD);
    await plain.click('main button');
    await plain.goto(world.at(`rates?property=${world.sea}`));
    await plain.fill('#base_price', '125');
    await plain.click('button:text-is("Save")');
    assert.match(await plain.innerText('.said'), /are saved/);
  });

  it('runs nothing that a name holds, and is without obstacles at every width', async () => {
    const { plan } = await world.service.portal('GET', `/portal/rate_plans/${world.sea}`);
    const fees = PAYLOADS.slice(0, 6).map((text, index) => ({ name: `${index} ${text}`.slice(0, 60), amount: index }));
    const hostile = { ...plan, fees, seasons: [{ ...plan.seasons[0], name: PAYLOADS[0]?.slice(0, 60) }] };
    await world.service.portal('PUT', '/portal/rate_plans', { property_ids: [world.sea], plan: hostile });
    const [from, to] = saturdayFrom(world, 40);
    page = await world.person();
    await page.goto(world.at('rates'));
    assert.match(await main(), /Standard/);
    const found = await obstaclesOn(page, 'rates');
    await page.goto(world.at(`rates?property=${world.sea}&from=${from}&to=${to}&pets=1`));
    await unfold();
    found.push(...(await obstaclesOn(page, 'rates-of')));
    await page.goto(world.at(`book?property=${world.sea}&from=${from}&to=${to}`));
    found.push(...(await obstaclesOn(page, 'book-rates')));
    assert.deepEqual(found, []);
    assert.deepEqual(world.pages.problems, []);
  });
});

/** The first Saturday after so many days, and the second night after it; outside of the season of the test's plan. */
function saturdayFrom({ day }: ConsoleWorld, days: number): [string, string] {
  for (let ahead = days; ; ahead += 1) {
    const date = day(ahead);
    const isSaturday = new Date(`${date}T00:00:00Z`).getUTCDay() === 6;
    const inSeason = day(ahead + 2).slice(5) >= '06-14' && date.slice(5) <= '09-16';
    if (isSaturday && !inSeason) return [date, day(ahead + 2)];
  }
}

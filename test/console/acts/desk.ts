import assert from 'node:assert/strict';
import type { Act } from './stage.ts';

const answers: Act = {
  task: '1: a guest is answered, and a draft goes out as it is',
  async play({ world, page, actor, round, writes }) {
    const asked = await writes(`Asking ${round}`, 'Is there a lift?');
    await actor.begin();
    await actor.click('nav >> text=Inbox');
    await actor.click(`.entry >> text=Asking ${round}`);
    await page.fill('#answer', 'Yes, to every floor.');
    await actor.click('.answer button');
    await page.waitForSelector('.said');
    assert.deepEqual(await world.said(asked), ['Yes, to every floor.']);
    const drafted = await writes(`Drafted ${round}`, 'Is there wifi?');
    await actor.begin();
    await actor.click('nav >> text=Inbox');
    await actor.click(`.entry >> text=Drafted ${round}`);
    await actor.click('.draft >> text=Send as it is');
    await world.plan('wifi', drafted, 'sent');
    const [sent = '', ...others] = await world.said(drafted);
    assert.match(sent, /^The network is called \w+, Drafted\.$/);
    assert.deepEqual(others, []);
  },
};

const looksAtTheDay: Act = {
  task: '2: who arrives, leaves and is in the house stands on the first page',
  async play({ page, actor, round, stays, shows }) {
    const coming = await stays(`Grace ${round}`, 0, 3);
    const leaving = await stays(`Ada ${round}`, -2, 0, { received_amount: 300 });
    const row = (section: string, text: string) =>
      page.locator(`section[aria-labelledby=${section}] tr`, { hasText: text }).innerText();
    await actor.begin();
    assert.match(await row('arrivals', `Grace ${round}`), new RegExp(`${coming.house}[\\s\\S]*€300\\.00`));
    assert.match(await row('departures', `Ada ${round}`), new RegExp(`${leaving.house}[\\s\\S]*nothing`));
    await actor.click('nav.days >> text=Tomorrow');
    await page.waitForURL(/day=/);
    assert.match(await row('staying', `Grace ${round}`), new RegExp(coming.house));
    await actor.click(`text=Grace ${round}`);
    await shows(/Still to pay\s+€300\.00/);
  },
};

const blocks: Act = {
  task: '3: nights are blocked on the calendar, with a reason',
  needsCore: true,
  async play({ world, page, actor, round, mirrored }) {
    const [first, last] = [world.day(9), world.day(10)];
    await actor.begin();
    await actor.click('nav >> text=Calendar');
    await page.fill('#named', `Mill House ${round}`);
    await page.press('#named', 'Enter');
    await page.waitForURL(/named=/);
    const row = page.locator('.calendar [data-unit]', { hasText: `Mill House ${round}` });
    await actor.click(row.locator('.unit a'));
    await page.fill('#block-first', first);
    await page.fill('#block-last', last);
    await page.fill('#block-reason', `boiler ${round}`);
    await actor.click('button:text-is("Block")');
    await row.locator('.block', { hasText: `boiler ${round}` }).waitFor();
    for (const date of [first, last]) {
      await mirrored('availability_days', `date = '${date}' and available = 0 and remarks = 'boiler ${round}'`);
    }
  },
};

const plansACleaning: Act = {
  task: '4: a cleaning is planned, and done',
  async play({ page, actor, round, stays, mirrored }) {
    const { house, code } = await stays(`Leaving ${round}`, -2, 0);
    await actor.begin();
    await actor.click('nav >> text=Tasks');
    await actor.click(page.locator('section[aria-labelledby=uncleaned] tr', { hasText: house }).locator('button'));
    await mirrored('tasks', `type = 'cleaning' and stay_code = '${code}' and status = 'pending'`);
    const task = page.locator('section[aria-labelledby^=list-] tr', { hasText: house });
    await actor.click(task.getByRole('button', { name: 'Done' }));
    await task.getByRole('button', { name: 'Open again' }).waitFor();
    await mirrored('tasks', `type = 'cleaning' and stay_code = '${code}' and status = 'completed'`);
  },
};

const books: Act = {
  task: '5: a direct booking is made after its quote',
  async play({ world, page, actor, round, main, reservation }) {
    await actor.begin();
    await actor.click('main >> text=New booking');
    await page.waitForURL(/book/);
    await page.selectOption('#property', { label: `Mill House ${round}` });
    await page.fill('#from', world.day(14));
    await page.fill('#to', world.day(16));
    await actor.click('text=Show the quote');
    await page.waitForURL(/property=/);
    assert.match(await main(), /All nights are free/);
    await page.fill('#guest_name', `Booking ${round}`);
    await page.fill('#rate_amount', '240');
    await actor.click('button:text-is("Book")');
    await page.waitForURL(/console\/stay\?code=/);
    const made = await reservation(String(new URL(page.url()).searchParams.get('code')));
    assert.deepEqual(
      [made.check_in_date, made.check_out_date, made.guest_name, made.rates.total_rate.amount],
      [world.day(14), world.day(16), `Booking ${round}`, 240],
    );
  },
};

const changes: Act = {
  task: '5: a reservation is changed, and cancelled',
  async play({ page, actor, round, stays, shows, reservation }) {
    const { code } = await stays(`Changing ${round}`, 0, 3);
    await actor.begin();
    await actor.click(`text=Changing ${round}`);
    await actor.click('text=Change dates, guest, price or note');
    await page.fill('#change-note', 'Comes late.');
    await actor.click('form[action*="stay/change"] button');
    await page.waitForSelector('.said');
    assert.equal((await reservation(code)).note, 'Comes late.');
    await actor.begin();
    await actor.click(`text=Changing ${round}`);
    await actor.click('summary:text-is("Cancel the reservation")');
    await actor.click('details[open] form[action*="stay/cancel"] button');
    await shows(/cancelled/);
    assert.equal((await reservation(code)).status, 'cancelled');
  },
};

const decides: Act = {
  task: '5: requests are approved and declined',
  async play({ page, actor, round, asks, reservation, mirrored }) {
    for (const [name, answer, status] of [
      [`Yes ${round}`, 'Approve', 'accepted'],
      [`No ${round}`, 'Decline', 'denied'],
    ] as const) {
      const code = await asks(name);
      await actor.begin();
      await actor.click('#waiting ~ ul >> text=/request/');
      const row = page.locator('main tr', { hasText: name });
      await actor.click(row.locator('summary', { hasText: answer }));
      await actor.click(row.locator('details[open] button'));
      await page.waitForSelector('.said');
      assert.equal((await reservation(code)).status, status);
      await mirrored('stays', `stay_code = '${code}' and status = '${status}'`);
    }
  },
};

const allocates: Act = {
  task: '5: a stay goes to the reservation box, and gets a property from there',
  async play({ page, actor, round, stays, reservation, mirrored }) {
    const { code } = await stays(`Boxed ${round}`, 0, 3);
    await actor.begin();
    await actor.click(`text=Boxed ${round}`);
    await actor.click('summary:text-is("To the reservation box")');
    await actor.click('details[open] form[action*="to-box"] button');
    await mirrored('stays', `stay_code = '${code}' and in_reservation_box = 1`);
    await actor.begin();
    await actor.click('text=/in the reservation box/');
    await actor.click(`main tr >> text=Boxed ${round}`);
    await page.selectOption('select[name=property_id]', { label: `Mill House ${round}` });
    await actor.click('button:text-is("Allocate")');
    await page.waitForSelector('.said');
    const { in_reservation_box, property_id } = await reservation(code);
    assert.equal(in_reservation_box, false);
    await mirrored('properties', `id = ${property_id} and name = 'Mill House ${round}'`);
    await mirrored('stays', `stay_code = '${code}' and in_reservation_box = 0`);
  },
};

/** Tasks 1 to 5: what is done at the front desk all day. */
export const DESK: readonly Act[] = [
  answers,
  looksAtTheDay,
  blocks,
  plansACleaning,
  books,
  changes,
  decides,
  allocates,
];

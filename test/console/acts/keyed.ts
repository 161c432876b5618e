import assert from 'node:assert/strict';
import type { Act } from './stage.ts';

const answers: Act = {
  task: '1: a guest is answered',
  async play({ world, page, actor, round, writes }) {
    const asked = await writes(`Asking ${round}`, 'Where is the key?');
    await actor.begin();
    await actor.enter('nav >> text=Inbox');
    await page.waitForURL(/inbox/);
    await actor.enter(page.locator('a.entry', { hasText: `Asking ${round}` }));
    await page.waitForURL(/conversation=/);
    await page.keyboard.press('e');
    await page.keyboard.type('Under the mat.');
    await actor.enter('.answer button');
    await page.waitForSelector('.said');
    assert.deepEqual(await world.said(asked), ['Under the mat.']);
  },
};

const looksAtTheDay: Act = {
  task: '2: the day after is looked at, and a stay opened',
  async play({ page, actor, round, stays, shows }) {
    const { house } = await stays(`Grace ${round}`, 0, 3);
    await actor.begin();
    await actor.enter(page.locator('nav.days a', { hasText: 'Tomorrow' }));
    await page.waitForURL(/day=/);
    await actor.enter(page.locator('section[aria-labelledby=staying] a', { hasText: `Grace ${round}` }));
    await shows(new RegExp(`${house}[\\s\\S]*Still to pay`));
  },
};

const blocks: Act = {
  task: '3: a night is blocked',
  async play({ page, actor, mirrored }) {
    await actor.begin();
    await actor.enter('nav >> text=Calendar');
    await page.waitForURL(/calendar/);
    await actor.tabTo('#named');
    await page.keyboard.type('Hill House');
    await page.keyboard.press('Enter');
    await page.waitForURL(/named=/);
    const row = page.locator('.calendar [data-unit]', { hasText: 'Hill House' });
    await actor.enter(row.locator('.unit a'));
    await page.waitForURL(/unit=/);
    await actor.tabTo('#block-reason');
    await page.keyboard.type('painters');
    await actor.enter('button:text-is("Block")');
    await row.locator('.block', { hasText: 'painters' }).waitFor();
    await mirrored('availability_days', "available = 0 and remarks = 'painters'");
  },
};

const books: Act = {
  task: '5: a booking is made',
  async play({ page, actor, round, reservation }) {
    await actor.begin();
    await actor.enter('main >> text=New booking');
    await page.waitForURL(/book/);
    await actor.tabTo('#property');
    await page.keyboard.type(`Mill House ${round}`);
    await actor.enter('text=Show the quote');
    await page.waitForURL(/property=/);
    await actor.tabTo('#guest_name');
    await page.keyboard.type(`Booking ${round}`);
    await actor.tabTo('#rate_amount');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('99');
    await actor.enter('button:text-is("Book")');
    await page.waitForURL(/console\/stay\?code=/);
    const made = await reservation(String(new URL(page.url()).searchParams.get('code')));
    assert.deepEqual([made.guest_name, made.rates.total_rate.amount], [`Booking ${round}`, 99]);
  },
};

/** Tasks 1, 2, 3 and 5 without a mouse; wherever Tab leads to, somebody can see the focus. */
export const KEYED: readonly Act[] = [answers, looksAtTheDay, blocks, books];

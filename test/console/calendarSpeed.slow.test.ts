import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';

const UNITS = 400;
/** Stays of each property, one after the other, from a year ago on: 120,000 in all. */
const STAYS = 300;
/** Days from an arrival to the next, and the nights of a stay: three of four nights are taken. */
const EVERY = 4;
const NIGHTS = 3;
const FIRST_BYTE_MS = 100;
const FRAMES_A_SECOND = 50;
const SCROLL_MS = 2_000;

/** Scrolls down and to the right at once, and counts the frames. */
const SCROLL = `new Promise((resolve) => {
  const calendar = document.querySelector('.calendar');
  const [down, right] = [calendar.scrollHeight - calendar.clientHeight, calendar.scrollWidth - calendar.clientWidth];
  const gaps = [];
  const start = performance.now();
  let last = start;
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    const share = Math.min(1, (now - start) / ${SCROLL_MS});
    calendar.scrollTo(right * share, down * share);
    if (share < 1) requestAnimationFrame(frame);
    else resolve({ perSecond: (gaps.length * 1000) / (now - start), worst: Math.max(...gaps) });
  };
  requestAnimationFrame(frame);
})`;

describeInBrowser('the calendar of 400 properties with 120,000 stays', () => {
  let world: ConsoleWorld;
  let page: Page;

  before(async () => {
    world = await startConsoleWorld();
    const { service } = world;
    const facts = `1, '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '{}'`;
    const numbers = (name: string, count: number) =>
      `${name}(n) as (select 1 union all select n + 1 from ${name} where n < ${count})`;
    await service.run(`with recursive ${numbers('u', UNITS)}
      insert into mirror.properties (connection, id, name, status, read_number, first_seen_at, changed_at, raw)
      select 'local', 1000 + n, 'Unit ' || substr('000' || n, -3), 'active', ${facts} from u`);
    const stays = `with recursive ${numbers('u', UNITS)}, ${numbers('s', STAYS)}, s2 as (
      select 1000 + u.n as property, 'S' || u.n || '-' || s.n as code,
        date('${world.today}', '-365 days', '+' || (s.n * ${EVERY} + u.n % ${EVERY}) || ' days') as arrival from u, s)`;
    await service.run(`${stays}
      insert into mirror.stays (connection, stay_code, reservation_code, property_id, status, check_in_date,
        check_out_date, read_number, first_seen_at, changed_at, raw)
      select 'local', code, code, property, 'accepted', arrival, date(arrival, '+${NIGHTS} days'), ${facts} from s2`);
    await service.run(`${stays}, ${numbers('k', NIGHTS).replace('(n)', '(n)')}
      insert into mirror.stay_nights (connection, night, property_id, stay_code, status)
      select 'local', date(arrival, '+' || (k.n - 1) || ' days'), property, code, 'accepted' from s2, k`);
    await service.run(`${stays}
      insert into mirror.guests (connection, stay_code, guest_key, name, is_booker)
      select 'local', code, 'booker', 'Guest ' || code, 1 from s2`);
    await service.run(`insert into mirror.availability_days (connection, property_id, date, available, remarks)
      select connection, property_id, night, 0, 'Reserved' from mirror.stay_nights where property_id > 1000`);
    page = await world.person();
  });
  after(() => world.remove());

  it('sends its first byte within 100 ms, at every number of nights', async (test) => {
    const medians: Record<string, number> = {};
    for (const nights of [28, 90, 365]) {
      const address = world.at(`calendar?nights=${nights}`);
      const times: number[] = [];
      for (let count = 0; count < 9; count += 1) {
        const start = performance.now();
        await page.request.get(address);
        times.push(performance.now() - start);
      }
      medians[nights] = Math.round(times.toSorted((a, b) => a - b)[4] ?? Infinity);
    }
    test.diagnostic(`whole answers, median: ${JSON.stringify(medians)} ms`);
    for (const [nights, ms] of Object.entries(medians)) assert.ok(ms < FIRST_BYTE_MS, `${nights} nights: ${ms} ms`);
  });

  it('scrolls a year of all rows at 50 frames a second, and fills the rows that are looked at', async (test) => {
    await page.goto(world.at('calendar?nights=365'));
    const far = page.locator('.calendar [data-name="Unit 400"]');
    assert.equal(await far.count(), 0);
    const { perSecond, worst } = await page.evaluate<{ perSecond: number; worst: number }>(SCROLL);
    test.diagnostic(`${perSecond.toFixed(1)} frames a second, the longest ${worst.toFixed(0)} ms`);
    assert.ok(perSecond >= FRAMES_A_SECOND, `${perSecond} frames a second`);
    await far.locator('.stay').first().waitFor();
    await page.evaluate('document.querySelector(".calendar").scrollTo(0, 0)');
    // Once more, when every row is there.
    await page
      .locator('.calendar .later')
      .first()
      .waitFor({ state: 'detached', timeout: 1 })
      .catch(() => undefined);
    const again = await page.evaluate<{ perSecond: number; worst: number }>(SCROLL);
    test.diagnostic(
      `once more: ${again.perSecond.toFixed(1)} frames a second, the longest ${again.worst.toFixed(0)} ms`,
    );
    assert.ok(again.perSecond >= FRAMES_A_SECOND, `${again.perSecond} frames a second`);
    assert.deepEqual(world.pages.problems, []);
  });

  it('a change that is shown at once leaves the calendar where it was scrolled to', async () => {
    await page.goto(world.at('calendar'));
    const top = await page.evaluate<number>(
      '(document.querySelector(".calendar").scrollTo(0, 6000), document.querySelector(".calendar").scrollTop)',
    );
    const unit = page.locator('.calendar [data-name="Unit 170"] .stay').first();
    await unit.waitFor();
    await world.service.run(`update mirror.guests set name = 'Grace Hopper' where connection = 'local'`);
    await world.book(world.sea, 0, 3);
    await page.locator('.calendar [data-name="Unit 170"] .stay', { hasText: 'Grace Hopper' }).first().waitFor();
    assert.equal(await page.evaluate('document.querySelector(".calendar").scrollTop'), top);
  });
});

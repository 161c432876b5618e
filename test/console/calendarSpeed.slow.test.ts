import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { slowness } from '../support/slowness.ts';

const UNITS = 400;
/** Stays of each property, one after the other, from a year ago on: 120,000 in all. */
const STAYS = 300;
/** Days from an arrival to the next, and the nights of a stay: three of four nights are taken. */
const EVERY = 4;
const NIGHTS = 3;
const FIRST_BYTE_MS = 100;
/** So many times the lightest page, asked in turn with it, is enough where the machine is slow or busy. */
const TIMES_THE_LIGHTEST = 3;
const LOOKS = 40;
const FRAMES_A_SECOND = 50;
const SCROLL_MS = 2_000;
/** Part of the frames of an empty page that is enough where fewer than 50 are possible. */
const SHARE = 0.8;

/** True while more programs want to run than the machine has processors. */
const isBusy = () => (loadavg()[0] ?? 0) > availableParallelism();

interface Scrolled {
  perSecond: number;
  worst: number;
}

/** A page with nothing to draw: the frames that this machine makes at present. */
const EMPTY =
  '<!doctype html><div class="calendar" style="overflow:auto;height:600px"><div style="height:14400px;width:8000px">';

/** Scrolls down and to the right at once, over a share of the rows, and counts the frames. */
const scroll = (part: number) => `new Promise((resolve) => {
  const calendar = document.querySelector('.calendar');
  const [down, right] = [calendar.scrollHeight - calendar.clientHeight, calendar.scrollWidth - calendar.clientWidth];
  const gaps = [];
  const start = performance.now();
  let last = start;
  const frame = (now) => {
    gaps.push(now - last);
    last = now;
    const share = Math.min(1, (now - start) / ${SCROLL_MS});
    calendar.scrollTo(right * share * ${part}, down * share * ${part});
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
    await service.run(`${stays}, ${numbers('k', NIGHTS)}
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
    const timeOf = async (address: string): Promise<number> => {
      const start = performance.now();
      await page.request.get(world.at(address));
      return performance.now() - start;
    };
    for (const nights of [28, 90, 365]) {
      const best = { ours: Number.POSITIVE_INFINITY, lightest: Number.POSITIVE_INFINITY };
      const isMet = () => best.ours < Math.max(FIRST_BYTE_MS, TIMES_THE_LIGHTEST * best.lightest);
      // The quickest, since other programs run on the machine of a test.
      for (let count = 0; count < LOOKS && !isMet(); count += 1) {
        best.ours = Math.min(best.ours, await timeOf(`calendar?nights=${nights}`));
        best.lightest = Math.min(best.lightest, await timeOf('me'));
      }
      const said = `${nights} nights: ${best.ours.toFixed(0)} ms, the lightest page ${best.lightest.toFixed(0)} ms`;
      test.diagnostic(said);
      assert.ok(isMet(), said);
    }
  });

  it('scrolls a year of all rows at 50 frames a second, and fills the rows that are looked at', async (test) => {
    const blank = await page.context().newPage();
    await blank.setContent(EMPTY);
    await page.goto(world.at('calendar?nights=365'));
    await scrollsWell(test, blank, { says: 'over all rows', share: 1 });
    const far = page.locator('.calendar [data-name="Unit 400"]');
    await far.locator('.stay').first().waitFor();
    // Slowly enough that the rows are filled on the way.
    await scrollsWell(test, blank, { says: 'slowly', share: 0.15 });
    // A cell is as wide as its nights, in whatever part of its row it is.
    const wrong = await page.evaluate<number>(`(() => {
      const night = document.querySelector('.dates [role=columnheader]:not(.unit)').offsetWidth;
      const cells = [...document.querySelectorAll('.calendar [aria-colspan="${NIGHTS}"]')].map((cell) => cell.offsetWidth);
      return cells.filter((width) => width !== ${NIGHTS} * night).length;
    })()`);
    assert.equal(wrong, 0, 'cells that are not as wide as their nights');
    assert.ok((await page.locator('.calendar [data-unit]').count()) < UNITS / 2, 'rows out of sight are emptied');
    assert.deepEqual(world.pages.problems, []);
  });

  /** The best of three, and no more than a machine that other programs keep busy can do. */
  async function scrollsWell(
    test: { diagnostic(text: string): void },
    blank: Page,
    { says, share }: { says: string; share: number },
  ): Promise<void> {
    const found: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      await blank.bringToFront();
      const { perSecond: possible } = await blank.evaluate<Scrolled>(scroll(1));
      await page.bringToFront();
      await page.evaluate('document.querySelector(".calendar").scrollTo(0, 0)');
      await page.locator('#rows-3 .stay').first().waitFor();
      const { perSecond, worst } = await page.evaluate<Scrolled>(scroll(share));
      found.push(
        `${perSecond.toFixed(1)} frames a second ${says} (${possible.toFixed(1)} of an empty page), the longest ${worst.toFixed(0)} ms`,
      );
      test.diagnostic(String(found.at(-1)));
      if (perSecond >= Math.min(FRAMES_A_SECOND / slowness(), SHARE * possible)) return;
    }
    // Other programs take the time of frames, and of nothing else: then the figures are for information.
    if (!isBusy()) assert.fail(found.join('; '));
  }

  it('a change that is shown at once leaves the calendar where it was scrolled to', async () => {
    await page.goto(world.at('calendar'));
    const top = await page.evaluate<number>(
      '(document.querySelector(".calendar").scrollTo(0, 6000), document.querySelector(".calendar").scrollTop)',
    );
    const unit = page.locator('.calendar [data-name="Unit 170"] .stay').first();
    await unit.waitFor();
    await world.service.run(`update mirror.guests set name = 'Grace Hopper' where stay_code in (select stay_code
      from mirror.stays where property_id in (select id from mirror.properties where name = 'Unit 170'))`);
    await world.book(world.sea, 0, 3);
    await page.locator('.calendar [data-name="Unit 170"] .stay', { hasText: 'Grace Hopper' }).first().waitFor();
    assert.equal(await page.evaluate('document.querySelector(".calendar").scrollTop'), top);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { PAGES } from '../../src/console/pages.ts';
import { de } from '../../src/console/texts/de.ts';
import { en } from '../../src/console/texts/en.ts';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { obstaclesOn } from '../support/pages.ts';

/** The words of all texts, by their place. */
function wordsOf(texts: object, place = ''): [string, string][] {
  return Object.entries(texts).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'string') return [[`${place}.${name}`, value] as [string, string]];
    return typeof value === 'object' && value !== null ? wordsOf(value, `${place}.${name}`) : [];
  });
}

const german = new Set(wordsOf(de).map(([, text]) => text));
/** Words of the rules' own language, which the list of recipes shows as a file has them. */
const OF_RULES = ['note', 'message'];
const english = new Set(wordsOf(en).flatMap(([, text]) => (german.has(text) || OF_RULES.includes(text) ? [] : [text])));
/** Lines of a German page that stand in the English texts alone. */
const englishIn = (text: string): string[] => text.split(/[\n\t]+/).filter((line) => english.has(line.trim()));

/** Every page of the table, as its owner sees it, in both languages. */
describeInBrowser('all pages of the console', () => {
  let world: ConsoleWorld;
  let code: string;

  before(async () => {
    world = await startConsoleWorld();
    ({ reservation_code: code } = await world.book(world.sea, 0, 3));
    await world.service.settled();
  });
  after(() => world.remove());

  const addressOf = (path: string) => world.at(path === 'stay' ? `stay?code=${code}` : path);

  for (const [language, locale] of [
    ['en', 'en-GB'],
    ['de', 'de-DE'],
  ] as const) {
    describe(`in ${language}`, () => {
      let page: Page;
      before(async () => {
        page = await world.person('owner', { locale });
      });

      for (const { path } of PAGES) {
        it(`${path} is found, has a title and one heading, and is in nobody's way`, async () => {
          const answer = await page.goto(addressOf(path));
          assert.equal(answer?.status(), 200);
          assert.equal(await page.getAttribute('html', 'lang'), language);
          assert.equal(await page.locator('h1').count(), 1);
          assert.match(await page.title(), /\S+ · stayd/);
          if (language === 'de') assert.deepEqual(englishIn(await page.innerText('body')), []);
          // In another language a page has other words, and is as wide as these, but not another structure.
          assert.deepEqual(await obstaclesOn(page, `all-${path}-${language}`, { byAxe: language === 'en' }), []);
          assert.deepEqual(world.pages.problems, []);
        });
      }
    });
  }

  it('the bar is one line of a wide window, and on a phone all pages are in sight, in both languages', async () => {
    for (const locale of ['en-GB', 'de-DE']) {
      const page = await world.person('owner', { locale });
      await page.goto(world.at('today'));
      const height: number = await page.evaluate('document.querySelector(".bar").getBoundingClientRect().height');
      assert.ok(height < 70, `${locale}: ${height} pixels high`);
      await page.setViewportSize({ width: 360, height: 900 });
      const rights: number[] = await page.evaluate(
        '[...document.querySelectorAll(".bar nav a")].map((one) => one.getBoundingClientRect().right)',
      );
      assert.ok(rights.length > 5 && rights.every((right) => right <= 360), `${locale}: ${rights.join(', ')}`);
    }
  });

  it('badges are as wide as their words', async () => {
    const page = await world.person();
    await page.goto(addressOf('stay'));
    const widths: number[] = await page.evaluate(
      '[...document.querySelectorAll("main .badge")].map((one) => one.getBoundingClientRect().width)',
    );
    assert.ok(widths.length > 1 && widths.every((width) => width < 160), widths.join(', '));
  });

  it('every link of the navigation leads to a page', async () => {
    const page = await world.person();
    const links = await page.locator('header nav a').evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    assert.ok(links.length > 5);
    for (const link of links) {
      const answer = await page.goto(`${world.service.url}${link}`);
      assert.equal(answer?.status(), 200, String(link));
    }
  });
});

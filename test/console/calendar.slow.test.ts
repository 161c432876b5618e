import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { obstaclesOn } from '../support/pages.ts';

describeInBrowser('the calendar in a browser', () => {
  let world: ConsoleWorld;
  let page: Page;
  const row = (name: string) => page.locator('.calendar [data-unit]', { hasText: name });

  before(async () => {
    world = await startConsoleWorld();
    await world.book(world.sea, 0, 3);
    await world.book(world.hill, -5, 1, { guest_name: 'Ada Lovelace' });
    await world.service.settled();
    page = await world.person();
  });
  after(() => world.remove());

  it('nothing in the way of anybody, at any width, light and dark', async () => {
    const found: string[] = [];
    for (const path of ['calendar', 'calendar?nights=90', 'calendar?nights=365']) {
      await page.goto(world.at(path));
      found.push(...(await obstaclesOn(page, path.replaceAll('?', '-'))));
    }
    assert.deepEqual(found, []);
    assert.equal(await row('Sea House').count(), 1);
  });
});

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';

describeInBrowser('Tasks in a browser', () => {
  let world: ConsoleWorld;
  let page: Page;
  const main = () => page.innerText('main');

  before(async () => {
    world = await startConsoleWorld();
    // Somebody leaves the Sea House today and the next ones come today; from the Hill House somebody leaves tomorrow.
    await world.book(world.sea, -2, 0);
    await world.book(world.sea, 0, 3, { guest_name: 'Ada Lovelace' });
    await world.book(world.hill, -1, 1, { guest_name: 'Mary Jackson' });
    await world.service.settled();
    page = await world.person();
  });
  after(() => world.remove());

  it('from Today in three clicks a cleaning is planned for a departure that lacks one', async () => {
    await page.goto(world.at('today'));
    await page.click('nav >> text=Tasks');
    assert.match(await page.innerText('section[aria-labelledby=uncleaned]'), /Sea House[\s\S]*same day/);
    await page.click('text=Plan a cleaning');
    assert.match(await page.innerText('[role=status], .said'), /Cleaning planned for/);
    const text = await main();
    assert.match(text, /Nobody yet[\s\S]*0 of 1 done[\s\S]*Cleaning[\s\S]*Sea House[\s\S]*same day[\s\S]*to do/);
    assert.doesNotMatch(text, /Departures without a cleaning/);
  });

  it('a person is added, and a wrong number is refused in words without losing what was typed', async () => {
    await page.click('summary:has-text("New person")');
    await page.fill('#add_person-name', 'Mia Clean');
    await page.fill('#add_person-mobile', '12');
    await page.click('#people ~ details button');
    assert.match(await page.innerText('[role=alert]'), /mobile/);
    assert.equal(await page.inputValue('#add_person-name'), 'Mia Clean');
    await page.fill('#add_person-mobile', '+49 1701234567');
    await page.click('#people ~ details button');
    await page.waitForSelector('section[aria-labelledby=people] >> text=Mia Clean');
  });

  it('a task is given to a person with a time and a note, then done, opened again and deleted', async () => {
    await page.click('tbody th a >> text=Cleaning');
    await page.selectOption('#edit-staff_id', { label: 'Mia Clean' });
    await page.fill('#edit-expected_time', '11:00');
    await page.fill('#edit-note', 'Key under the mat');
    await page.click('text=Save');
    const list = page.locator('section[aria-labelledby=list-0]');
    await list.getByText('Key under the mat').waitFor();
    assert.match(await list.innerText(), /Mia Clean[\s\S]*11:00/);
    await list.getByRole('button', { name: 'Done' }).click();
    await list.getByText('1 of 1 done').waitFor();
    await list.getByRole('button', { name: 'Open again' }).click();
    await list.getByText('0 of 1 done').waitFor();
    await page.click('summary:has-text("Delete")');
    assert.match(await page.innerText('.ask[open]'), /Cleaning, Sea House, .*Mia Clean.*deleted for good/);
    await page.click('button.danger');
    assert.match(await page.innerText('.said'), /deleted/);
    await page.waitForSelector('text=Departures without a cleaning');
  });

  it('every filter stands in the address; a week shows tomorrow too', async () => {
    await page.goto(world.at('tasks?days=7'));
    assert.match(await page.innerText('section[aria-labelledby=uncleaned]'), /Sea House[\s\S]*Hill House/);
    for (const property of [world.sea, world.hill]) {
      const type = property === world.sea ? 'cleaning' : 'maintenance';
      const task = { type, property_id: property, expected_date: world.day(1), currency: 'EUR' };
      await world.service.v3('POST', '/tasks', task);
    }
    await world.service.portal('POST', '/portal/reconcile', { resource: 'task' });
    await page.selectOption('#by-type', 'maintenance');
    await page.click('form.filters button');
    await page.waitForURL(/[?&]type=maintenance/);
    const tasks = await page.locator('section[aria-labelledby^=list-] tbody tr').allInnerTexts();
    assert.equal(tasks.length, 1);
    assert.match(String(tasks[0]), /Hill House/);
    await page.goto(world.at('tasks?days=7&staff=0&status=completed'));
    assert.match(await main(), /No tasks on these days/);
  });

  it('a cleaner does and does not plan; a bookkeeper sees none; a sub-account sees its own properties', async () => {
    const cleaner = await world.person('cleaner');
    await cleaner.goto(world.at('tasks?days=7'));
    assert.match(await cleaner.innerText('main'), /Sea House[\s\S]*Done|Hill House/);
    assert.equal(await cleaner.getByText('New task').count(), 0);
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const status = await cleaner.evaluate(
      `fetch('/console/tasks/remove', { ...${JSON.stringify(form)}, body: 'id=1' }).then(({ status }) => status)`,
    );
    assert.equal(status, 403);
    await cleaner.close();
    const books = await world.person('bookkeeper');
    assert.equal((await books.goto(world.at('tasks')))?.status(), 403);
    await books.close();
    const desk = await world.person('manager', { properties: [world.hill] });
    await desk.goto(world.at('tasks?days=7'));
    const text = await desk.innerText('main');
    assert.match(text, /Hill House/);
    assert.doesNotMatch(text, /Sea House/);
    await desk.goto(world.at('tasks?days=7&task=1'));
    assert.doesNotMatch(await desk.innerText('main'), /Sea House/);
    await desk.close();
  });

  it('nothing is in the way of anybody', async () => {
    await page.goto(world.at('tasks?days=7'));
    const link = await page.getAttribute('section[aria-labelledby^=list-] tbody th a', 'href');
    await page.goto(new URL(String(link), page.url()).href);
    for (const summary of await page.locator('main summary').all()) await summary.click();
    assert.deepEqual(await obstaclesOn(page, 'tasks'), []);
  });

  it('S28: texts that would run something are shown as texts', async () => {
    const quoted = (text: string) => `'${text.replaceAll('\u0000', '').replaceAll("'", "''")}'`;
    for (const text of PAYLOADS) {
      await world.service.run(
        `update mirror.tasks set note = ${quoted(text)}, staff_name = ${quoted(text)}, staff_id = 1`,
      );
      await world.service.run(`update mirror.properties set name = ${quoted(text)}`);
      await world.service.run(`update mirror.staffs set name = ${quoted(text)}, note = ${quoted(text)}`);
      await page.goto(world.at('tasks?days=7&task=2&person=1'));
    }
    assert.deepEqual(world.pages.problems, []);
  });
});

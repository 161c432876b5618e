import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser.ts';
import { type ConsoleWorld, startConsoleWorld } from '../support/consoleWorld.ts';
import { PAYLOADS } from '../support/hostileTexts.ts';
import { obstaclesOn } from '../support/pages.ts';
import { chunk, pngWith } from '../support/pictures.ts';

/** A white picture of 2 × 2 pixels with the place where it was taken. */
const pngWithPlace = pngWith({}, chunk('tEXt', 'Comment\0taken at 52.5N 13.4E'));

describeInBrowser('the page of those who do tasks', () => {
  let world: ConsoleWorld;
  let owner: Page;
  let phone: Page;
  let link: string;
  let task: number;
  const text = () => phone.innerText('main');

  before(async () => {
    world = await startConsoleWorld();
    const { service, sea, hill, today } = world;
    await world.book(sea, -2, 0);
    await world.book(sea, 0, 3, { guest_name: 'Ada Lovelace', number_of_guests: 4 });
    const { staff_id } = await service.v3('POST', '/staffs', { name: 'Mia Clean', mobile: '+49 1701234567' });
    const add = (more: object) =>
      service.v3('POST', '/tasks', { type: 'cleaning', expected_date: today, currency: 'EUR', ...more });
    ({ task_id: task } = await add({ property_id: sea, staff_id, expected_time: '11:00', note: 'Key under the mat' }));
    await add({ property_id: hill, note: 'of somebody else' });
    await service.portal('POST', '/portal/reconcile', { resource: 'staff' });
    await service.portal('POST', '/portal/reconcile', { resource: 'task' });
    owner = await world.person();
    phone = await (await world.pages.person()).newPage();
  });
  after(() => world.remove());

  it('a link is made on the page of tasks, and shown once', async () => {
    await owner.goto(world.at('tasks'));
    await owner.click('text=Make a link');
    const said = await owner.innerText('.said');
    link = String(/http\S+\/work\/[\w-]{32}/.exec(said)?.[0]);
    assert.match(link, /^http/);
    await owner.reload();
    assert.ok(!(await owner.content()).includes(link));
    link = new URL(new URL(link).pathname, world.service.url).href;
  });

  it('shows today’s tasks with times and people, and no name of a guest, no other’s task', async () => {
    await phone.goto(link);
    const shown = await text();
    assert.match(shown, /Tasks of Mia Clean[\s\S]*Sea House[\s\S]*Cleaning[\s\S]*11:00/);
    assert.match(shown, /Guests leave on this day[\s\S]*same day, 4 people[\s\S]*Key under the mat/);
    assert.doesNotMatch(shown, /Lovelace|Hopper|Hill House|somebody else|null/);
  });

  it('says until when guests leave and from when they come, once the property has these hours', async () => {
    const hours = { check_in_time: '15:30', check_out_time: '10:15' };
    await world.service.portal('PATCH', `/portal/properties/${world.sea}`, hours);
    await phone.reload();
    assert.match(await text(), /Guests leave by 10:15\.[\s\S]*same day, 4 people, from 15:30/);
  });

  it('a task is begun and done; the page of tasks shows it', async () => {
    await phone.click('text=Begin');
    assert.match(await text(), /Noted[\s\S]*in progress/);
    await phone.click('article button >> text=Done');
    assert.match(await text(), /Noted[\s\S]*done/);
    await owner.goto(world.at('tasks'));
    await owner.getByText('1 of 1 done').waitFor();
  });

  it('damage with a photo becomes a maintenance task, whose photo shows no place', async () => {
    await phone.click('summary');
    await phone.fill('textarea', 'The lamp is broken');
    await phone.setInputFiles('input[type=file]', { name: 'x.png', mimeType: 'image/png', buffer: pngWithPlace });
    await phone.click('article details button');
    assert.match(await text(), /damage was reported/);
    await owner.goto(world.at('tasks?type=maintenance'));
    await owner.getByText('The lamp is broken (Mia Clean)').waitFor();
    await owner.click('tbody th a');
    const image = owner.locator('.photos img');
    const drawn = 'document.querySelector(".photos img")';
    assert.equal(await owner.evaluate(`${drawn}.decode().then(() => ${drawn}.naturalWidth)`), 2);
    const address = new URL(String(await image.getAttribute('src')), owner.url()).href;
    const bytes = await (await owner.request.get(address)).body();
    assert.ok(!bytes.includes('52.5N'), 'the place was taken out');
  });

  it('what is no picture, and what is another’s task, is refused in words', async () => {
    await phone.goto(link);
    await phone.click('summary');
    await phone.fill('textarea', 'Bad');
    const page = Buffer.from('<script>alert(1)</script>');
    await phone.setInputFiles('input[type=file]', { name: 'x.png', mimeType: 'image/png', buffer: page });
    await phone.click('article details button');
    assert.match(await phone.innerText('[role=alert]'), /photo must be a whole JPEG or PNG|photo: must be/);
    const body = new URLSearchParams({ id: String(task + 1), status: 'completed' });
    const other = await fetch(`${link}/mark`, { method: 'POST', body, redirect: 'manual' });
    assert.equal(other.status, 404);
  });

  it('S28: texts that would run something are shown as texts; nothing is in the way of anybody', async () => {
    await phone.goto(link);
    assert.deepEqual(await obstaclesOn(phone, 'work'), []);
    for (const payload of PAYLOADS) {
      const note = payload.replaceAll('\u0000', '').slice(0, 500);
      await world.service.v3('PATCH', `/tasks/${task}`, { note });
      await phone.goto(link);
    }
    assert.deepEqual(world.pages.problems, []);
  });

  it('an ended link says so; a stranger without the token gets nothing', async () => {
    await owner.goto(world.at('tasks'));
    await owner.click('summary:has-text("End link")');
    assert.match(await owner.innerText('.ask[open]'), /The link of Mia Clean ends at once/);
    await owner.click('button.danger >> visible=true');
    const gone = await phone.goto(link);
    assert.equal(gone?.status(), 404);
    assert.match(await text(), /This link is not valid/);
    const body = new URLSearchParams({ id: String(task), status: 'completed' });
    assert.equal((await fetch(`${link}/mark`, { method: 'POST', body })).status, 404);
    const invented = await fetch(`${world.service.url}/work/${'x'.repeat(32)}`);
    assert.equal(invented.status, 404);
    assert.match(String(invented.headers.get('x-robots-tag')), /noindex/);
    assert.equal(invented.headers.get('cache-control'), 'no-store');
  });
});

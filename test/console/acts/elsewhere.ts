import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { PAGES } from '../../../src/console/pages.ts';
import type { Served } from '../../support/service.ts';
import type { DialectName } from '../../sim/dialects.ts';
import type { InboxWorld } from '../support/inboxWorld.ts';
import { startRemoteWorld } from '../support/remoteWorld.ts';
import { DESK } from './desk.ts';
import { OFFICE } from './office.ts';
import { rulesOf, setStage, type Stage } from './stage.ts';

const ROUND = '1280';
/** A value that a page has not made into words; one remedy on Health speaks of what is null. */
const RAW = /\b(undefined|NaN|null(?! in the mirror)|Invalid Date)\b|\[object Object\]/;

/** Plays what needs no core of this service over a deployment that speaks so, and then opens every page. */
export function playElsewhere(dialect: DialectName): void {
  let world: InboxWorld<Served>;
  let stage: Stage;

  before(async () => {
    world = await startRemoteWorld(rulesOf([ROUND]), dialect);
    stage = (await setStage(world, [ROUND]))(ROUND);
  });
  after(() => world.remove());

  for (const { task, play, needsCore } of [...DESK, ...OFFICE]) {
    if (needsCore !== true) it(task, () => play(stage));
  }

  it('3: nights are blocked on the calendar, without a reason', async () => {
    const { page, actor } = stage;
    const [first, last] = [world.day(9), world.day(10)];
    const row = page.locator('.calendar [data-unit]', { hasText: 'Sea House' });
    await actor.begin();
    await actor.click('nav >> text=Calendar');
    await actor.click(row.locator('.unit a'));
    await page.fill('#block-first', first);
    await page.fill('#block-last', last);
    await actor.click('button:text-is("Block")');
    await row.locator('.block').waitFor();
    const { properties } = await world.service.v3(
      'GET',
      `/availabilities?property_ids=${world.sea}&start_date=${first}&end_date=${last}`,
    );
    assert.deepEqual(
      properties[0].availabilities.map(({ available }: { available: boolean }) => available),
      [false, false],
    );
  });

  it('every page opens, and shows no value that it has not made into words', async () => {
    const { page } = stage;
    const { code } = await stage.stays('Everywhere', 0, 3);
    const { conversation_id } = await world.guest('Talking', world.sea, 90);
    await stage.mirrored('conversations', `conversation_id = '${conversation_id}'`);
    const found: string[] = [];
    for (const path of [
      ...PAGES.filter((one) => one.needsCore !== true && one.path !== 'stay').map((one) => one.path),
      `stay?code=${code}`,
      `inbox?conversation=${conversation_id}`,
      `calendar?unit=${world.sea}&prices=1`,
      `book?property=${world.sea}`,
      'tasks?days=7',
      'search?q=Everywhere',
      'reports?report=arrivals',
    ]) {
      const answer = await page.goto(world.at(path));
      assert.equal(answer?.status(), 200, path);
      const raw = RAW.exec(await stage.main())?.[0];
      if (raw !== undefined) found.push(`${path}: ${raw}`);
    }
    assert.deepEqual(found, []);
  });

  it('no page of it breaks its content policy, or asks for anything elsewhere', () => {
    assert.deepEqual(world.pages.problems, []);
  });
}

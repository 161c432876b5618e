import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { describeInBrowser } from '../support/browser.ts';
import type { Served } from '../support/service.ts';
import { DESK } from './acts/desk.ts';
import { OFFICE } from './acts/office.ts';
import { rulesOf, setStage, type Stage } from './acts/stage.ts';
import type { InboxWorld } from './support/inboxWorld.ts';
import { startRemoteWorld } from './support/remoteWorld.ts';

const ROUND = '1280';

/** The same acts, on the console of a daemon whose data is another deployment's. */
describeInBrowser('the tasks over another deployment', () => {
  let world: InboxWorld<Served>;
  let stage: Stage;

  before(async () => {
    world = await startRemoteWorld(rulesOf([ROUND]));
    stage = (await setStage(world, [ROUND]))(ROUND);
  });
  after(() => world.remove());

  for (const { task, play, needsCore } of [...DESK, ...OFFICE]) {
    if (needsCore !== true) it(task, () => play(stage));
  }

  it('no page of it breaks its content policy, or asks for anything elsewhere', () => {
    assert.deepEqual(world.pages.problems, []);
  });
});

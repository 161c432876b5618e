import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeInBrowser } from '../support/browser.ts';
import { ROUND_NAMES, ROUNDS } from './acts/rounds.ts';
import { rulesOf, setStage, type Stage } from './acts/stage.ts';
import { type InboxWorld, startInboxWorld } from './support/inboxWorld.ts';

/** What people do, as console.md lists it; each begins on Today and takes at most three clicks. */
describeInBrowser('the twelve tasks', () => {
  let world: InboxWorld;
  let stageOf: (round: string) => Stage;

  before(async () => {
    world = await startInboxWorld(rulesOf(ROUND_NAMES));
    stageOf = await setStage(world, ROUND_NAMES);
  });
  after(() => world.remove());

  for (const { name, about, window, acts } of ROUNDS) {
    describe(about, () => {
      let stage: Stage;
      before(async () => {
        stage = stageOf(name);
        await stage.page.setViewportSize(window);
      });
      for (const { task, play } of acts) it(task, () => play(stage));
    });
  }

  it('no page of it breaks its content policy, or asks for anything elsewhere', () => {
    assert.deepEqual(world.pages.problems, []);
  });
});

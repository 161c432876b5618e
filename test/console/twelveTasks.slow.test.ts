import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { describeInBrowser } from '../support/browser.ts';
import { DESK } from './acts/desk.ts';
import { KEYED } from './acts/keyed.ts';
import { OFFICE } from './acts/office.ts';
import { rulesOf, setStage, type Stage } from './acts/stage.ts';
import { type InboxWorld, startInboxWorld } from './support/inboxWorld.ts';

const WIDTHS = ['1280', '360'];
const KEYS = 'keys';
const ROUNDS = [...WIDTHS, KEYS];

/** What people do, as console.md lists it; each begins on Today and takes at most three clicks. */
describeInBrowser('the twelve tasks', () => {
  let world: InboxWorld;
  let stageOf: (round: string) => Stage;

  before(async () => {
    world = await startInboxWorld(rulesOf(WIDTHS));
    stageOf = await setStage(world, ROUNDS);
  });
  after(() => world.remove());

  for (const round of WIDTHS) {
    describe(`${round} pixels wide`, () => {
      let stage: Stage;
      before(async () => {
        stage = stageOf(round);
        await stage.page.setViewportSize({ width: Number(round), height: 900 });
      });
      for (const { task, play } of [...DESK, ...OFFICE]) it(task, () => play(stage));
    });
  }

  describe('by the keyboard alone', () => {
    before(() => stageOf(KEYS).page.setViewportSize({ width: 1_280, height: 900 }));
    for (const { task, play } of KEYED) it(task, () => play(stageOf(KEYS)));
  });

  it('no page of it breaks its content policy, or asks for anything elsewhere', () => {
    assert.deepEqual(world.pages.problems, []);
  });
});

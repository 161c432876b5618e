import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { type Installation, type Neighbours, openNeighbours } from './support/neighbours.ts';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const RULE = `
name: thanks
state: live
when: message from guest
not_after: 1 minute
if: { says_not: later }
max_turns: 20
do:
  message: { text: "Thank you, we have read: {{ message.text }}" }
---
name: later
state: live
when: message from guest
wait: 1 minute
not_after: 1 minute
if: { says: later }
do:
  message: { text: It is later now. }
`;

describe('a clock that is wrong', () => {
  let world: Neighbours;
  let own: Installation;
  before(async () => {
    world = await openNeighbours({ rules: [RULE] });
    own = world.installations[0] as Installation;
  });
  after(() => world.close());
  afterEach(async () => {
    own.aheadMs = 0;
    world.upstream.faults.clockMs = 0;
    await world.pass(MINUTE);
  });
  const newest = async () => (await own.plans()).at(-1);
  const troubles = async () =>
    (await own.daemon.status('foreign' as never)).troubles.filter(({ about }) => about === 'clock');

  for (const [what, ahead] of [
    ['three minutes ahead', 3 * MINUTE],
    ['an hour ahead', HOUR],
    ['a day ahead', 24 * HOUR],
    ['an hour behind', -HOUR],
  ] as const) {
    it(`${what}: nothing is said or ended, status says so, and it goes on when it is right`, async () => {
      const conversation = world.conversation();
      own.aheadMs = ahead;
      world.write(conversation, `Is there a lift? (${what})`);
      await world.pass(20 * SECOND);
      assert.deepEqual(world.said(conversation), []);
      assert.equal((await newest())?.state, 'planned', JSON.stringify(await newest()));
      const [trouble] = await troubles();
      assert.match(trouble?.says ?? '', ahead > 0 ? /ours is .* ahead/ : /ours is .* behind/);
      assert.match(trouble?.remedy ?? '', /NTP/);
      own.aheadMs = 0;
      await world.pass(30 * SECOND);
      assert.deepEqual(world.said(conversation), [`Thank you, we have read: Is there a lift? (${what})`]);
      assert.deepEqual(await troubles(), []);
    });
  }

  it('a clock that is set while a plan waits does not end it', async () => {
    const conversation = world.conversation();
    world.write(conversation, 'Tell me later');
    await world.pass(10 * SECOND);
    own.aheadMs = 3 * HOUR;
    await world.pass(20 * SECOND);
    assert.deepEqual(world.said(conversation), []);
    assert.deepEqual(await newest(), { rule: 'later', state: 'planned', reason: 'clock', detail: '3 h ahead' });
    own.aheadMs = 0;
    await world.pass(MINUTE);
    assert.deepEqual(world.said(conversation), ['It is later now.']);
  });

  it('a machine that has slept is right: what is late is late', async () => {
    const conversation = world.conversation();
    await own.automations.pause('thanks');
    world.write(conversation, 'Before it slept');
    await world.pass(10 * SECOND);
    assert.equal((await newest())?.state, 'planned');
    // Both clocks of the world go on; the time that only ever grows does not.
    world.clock.jump(2 * HOUR);
    await own.automations.resume('thanks');
    await world.pass(MINUTE);
    assert.deepEqual([(await newest())?.state, (await newest())?.reason], ['skipped', 'too_late']);
    assert.deepEqual(world.said(conversation), []);
    assert.deepEqual(await troubles(), []);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { BEGIN_MS, turnAt, turnMs } from '../../src/automations/guards/turns.ts';
import { showsWithin } from '../../src/automations/perform/showing.ts';
import { type Neighbours, openNeighbours } from './support/neighbours.ts';

const [SECOND, MINUTE] = [1_000, 60_000];
const RULE = `
name: thanks
state: live
when: message from guest
max_turns: 20
do:
  message: { text: "Thank you, we have read: {{ message.text }}" }
`;

describe('turns of installations', () => {
  it('no two of them speak so soon after each other that the later one cannot see the earlier one', () => {
    const turns = fc.record({
      of: fc.integer({ min: 2, max: 4 }),
      showsMs: fc.integer({ min: 20 * SECOND, max: 10 * MINUTE }),
      since: fc.nat(60 * MINUTE),
      looks: fc.array(fc.record({ rank: fc.nat(3), at: fc.nat(3 * 60 * MINUTE) }), { minLength: 2, maxLength: 12 }),
    });
    fc.assert(
      fc.property(turns, ({ of, showsMs, since, looks }) => {
        const spoken = looks
          .map(({ rank, at }) => ({ rank: rank % of, at: turnAt(since, at, { rank: rank % of, of, showsMs }) }))
          .toSorted((a, b) => a.at - b.at);
        for (const [number, later] of spoken.entries()) {
          const earlier = spoken.slice(0, number).filter(({ rank }) => rank !== later.rank);
          // Looked at when its turn begins, which may be before it speaks.
          for (const one of earlier) assert.ok(later.at - one.at >= turnMs({ showsMs }) - BEGIN_MS);
          assert.equal(turnAt(since, later.at, { rank: later.rank, of, showsMs }), later.at);
        }
      }),
    );
  });

  it('one alone never waits, and the first never does at the beginning', () => {
    assert.equal(turnAt(5, 77, { rank: 0, of: 1, showsMs: 1 }), 77);
    assert.equal(turnAt(5_000, 9_000, { rank: 0, of: 3, showsMs: MINUTE }), 9_000);
    const second = { rank: 1, of: 2, showsMs: MINUTE };
    assert.equal(turnAt(5_000, 9_000, second), 5_000 + turnMs(second));
  });
});

describe('two installations with the same rule on one account', () => {
  let world: Neighbours;
  before(async () => {
    world = await openNeighbours({ rules: [RULE, RULE] });
  });
  after(() => world.close());

  for (const lag of [90, 30]) {
    it(`answer once where what was sent shows after ${lag} s`, async () => {
      world.upstream.faults.said.lagMs = lag * SECOND;
      const conversation = world.conversation();
      world.write(conversation, `Is there a lift? (${lag})`);
      await world.pass(5 * MINUTE);
      assert.deepEqual(world.said(conversation), [`Thank you, we have read: Is there a lift? (${lag})`]);
      const states = await Promise.all(world.installations.map(async (one) => (await one.plans()).at(-1)?.state));
      assert.deepEqual(new Set(states), new Set(['sent', 'skipped']));
    });
  }

  it('learn how long it takes, wait longer than that, and remember it', async () => {
    world.upstream.faults.said.lagMs = 200 * SECOND;
    const conversation = world.conversation();
    const known = await Promise.all(world.installations.map((one) => showsWithin(one.store.db, 'foreign')));
    assert.ok(
      known.every((ms) => ms >= 120 * SECOND),
      String(known),
    );
    world.write(conversation, 'First');
    await world.pass(4 * MINUTE);
    // As is done every few minutes.
    await world.reconcile('message');
    await world.pass(SECOND);
    const learned = await Promise.all(world.installations.map((one) => showsWithin(one.store.db, 'foreign')));
    assert.ok((learned[0] ?? 0) >= 300 * SECOND, String(learned));
    const next = world.conversation();
    world.write(next, 'Second');
    await world.pass(6 * MINUTE);
    assert.equal(world.said(next).length, 1);
  });

  it('the second answers where the first is not there', async () => {
    world.upstream.faults.said.lagMs = 0;
    await world.installations[0]?.stop();
    const conversation = world.conversation();
    world.write(conversation, 'Anybody?');
    await world.pass(8 * MINUTE);
    assert.deepEqual(world.said(conversation), ['Thank you, we have read: Anybody?']);
  });
});

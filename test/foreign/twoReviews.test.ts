import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openAutomations } from '../../src/compose/mirror/automations.ts';
import { loadConfig } from '../../src/config.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { evenRandom, plainSealer } from '../support/mirror.ts';
import { reviewed, type Review } from './upstream/records.ts';
import type { Upstream } from './upstream/upstream.ts';
import { FOREIGN, type ForeignWorld, inForeign } from './world.ts';

const said = (score: number, at: number) => ({ score, text: `It was ${score}`, at, secretly: null });

/** Gives a reservation that has a review a second one, of another property, on which nobody has said anything. */
function addSecond({ truth }: Upstream): [Review, Review] {
  const first = truth.reviews.all().find(({ guest }) => guest !== null);
  const other = truth.properties.all().find(({ number }) => number !== first?.property);
  assert.ok(first && other);
  const done = { ...first, host: { score: 5, text: 'Good guests', at: first.guest?.at ?? 0 } };
  const second = { ...first, number: 900, property: other.number, guest: null, host: null, reply: null };
  truth.reviews.put(reviewed(done), done);
  truth.reviews.put(reviewed(second), second);
  return [done, second];
}

const opened = (world: ForeignWorld) => world.rows('select review, property_id from reviews where deleted_at is null');

describe('two properties of one booking, each with a review', () => {
  let both: [Review, Review] | undefined;
  const inWorld = (work: (world: ForeignWorld, first: Review, second: Review) => Promise<void>) =>
    inForeign({ dialect: 'hostex', seed: 4, prepare: (upstream) => (both = addSecond(upstream)) }, async (world) => {
      assert.ok(both);
      await work(world, ...both);
    });

  it('are two rows after the first read, and stay so whatever event tells of either', () =>
    inWorld(async (world, first, second) => {
      assert.deepEqual(await world.differences(), []);
      const keys = (await opened(world)).map((row) => row['review']);
      for (const { code, property } of [first, second]) assert.ok(keys.includes(`${code}/${property}`));
      world.business.answer(first);
      await world.quiet();
      world.upstream.truth.reviews.put(reviewed(second), { ...second, guest: said(2, world.clock.now()) });
      world.business.answer({ ...second, guest: said(2, world.clock.now()) });
      await world.quiet();
      assert.deepEqual(await world.differences(), []);
      const [gone] = await world.rows(`select count(*) as n from changes where resource = 'review' and op = 'deleted'`);
      assert.equal(Number(gone?.['n']), 0);
    }));

  it('are compared one by one: a scan changes nothing, and finds what changed about one of them unsaid', () =>
    inWorld(async (world, first, second) => {
      const [before] = await world.rows('select max(seq) as seq from changes');
      await world.reconcile('review');
      const changed = `select part, op from changes where resource = 'review' and seq > ${Number(before?.['seq'])}`;
      assert.deepEqual(await world.rows(changed), []);
      world.upstream.truth.reviews.put(reviewed(second), { ...second, guest: said(3, world.clock.now()) });
      await world.reconcile('review');
      assert.deepEqual(await world.rows(changed), [{ part: `${second.code}/${second.property}`, op: 'updated' }]);
      assert.deepEqual(await world.differences(), []);
      world.upstream.truth.reviews.put(reviewed(second), null);
      await world.reconcile('review');
      await world.pass(60);
      await world.quiet();
      assert.deepEqual(await world.differences(), []);
      assert.ok((await opened(world)).some((row) => row['review'] === `${first.code}/${first.property}`));
    }));

  it('make a task each when both are bad, and are replied to once', () =>
    inWorld((world, first, second) =>
      withRules(world, RULES, async () => {
        for (const one of [first, second]) {
          const bad = { ...one, guest: said(2, world.clock.now() + 1_000) };
          world.upstream.truth.reviews.put(reviewed(bad), bad);
          world.business.answer(bad);
        }
        await world.quiet();
        await world.pass(5);
        const plans = await world.rows('select rule, subject from automation_plans order by rule, subject');
        const keys = [first, second].map(({ code, property }) => `${code}/${property}`).toSorted();
        assert.deepEqual(plans, [
          ...keys.map((key) => ({ rule: 'look', subject: `review:${key}` })),
          { rule: 'thank', subject: `review:${first.code}` },
        ]);
      }),
    ));
});

const RULES = `
name: look
state: test
when: { change: review }
if: { score: { at_most: 3 } }
do: { task: { type: maintenance, on: 1 day after today, note: "See what was wrong" } }
---
name: thank
state: test
when: { change: review }
do: { review_reply: { text: { en: "Thank you" } } }
`;

async function withRules({ store, clock, daemon }: ForeignWorld, text: string, work: () => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-rules-'));
  writeFileSync(join(folder, 'rules.yaml'), text);
  const config = loadConfig({});
  const automations = openAutomations({
    store,
    config: { ...config, automations: { ...config.automations, rules: folder } },
    ports: { clock, random: evenRandom, ids: ulidMaker(clock, evenRandom), sealer: plainSealer },
    log: silentLogger,
    userAgent: 'stayd-test',
    fingerprint: (one) => one,
  });
  try {
    automations.start(daemon, true, () => Promise.resolve(undefined));
    await automations.add(FOREIGN, false);
    await work();
  } finally {
    await automations.stop();
    rmSync(folder, { recursive: true });
  }
}

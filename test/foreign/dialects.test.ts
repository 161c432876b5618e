import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareRequests, leastRequests } from './least.ts';
import type { Dialect } from './upstream/show.ts';
import { type ForeignWorld, HISTORY_FROM, openForeign } from './world.ts';

const dialects: readonly Dialect[] = ['described', 'hostex'];

/** Parts of lists are read first, because they are of most use: a page of each is more than the least. */
const FIRST_READ = 1.12;
const RECONCILIATION = 1.02;

for (const dialect of dialects) {
  describe(`a service that shares no code with ours, ${dialect}`, () => {
    it('is read whole, and is right after lost events and silent changes once it is reconciled', async () => {
      const world = await openForeign({ dialect });
      const { upstream } = world;
      try {
        await world.quiet();
        await isRight(world);
        const first = compareRequests(upstream, leastRequests(upstream, HISTORY_FROM));
        assert.ok(first.ratio <= FIRST_READ, `${first.ratio}: ${first.more.join(', ')}`);

        await liveBadly(world);
        await changeSilently(world);
        assert.notDeepEqual(await world.differences(), []);
        upstream.forget();
        await world.reconcile();
        await world.quiet();
        await isRight(world);
        const least = leastRequests(upstream, HISTORY_FROM);
        // An entry that is gone takes a question of its own, and so does the booking that it was about.
        const gone = await world.rows(`select t.reservation_code from changes c join transactions t on t.id = c.key
          where c.resource = 'transaction' and c.op = 'deleted' and c.seen_by = 'command'`);
        const booked = gone.filter((row) => row['reservation_code'] !== null);
        least.set('/transactions', (least.get('/transactions') ?? 0) + gone.length);
        least.set('/reservations', (least.get('/reservations') ?? 0) + booked.length);
        const again = compareRequests(upstream, least);
        assert.ok(again.ratio <= RECONCILIATION, `${again.ratio}: ${again.more.join(', ')}`);
        // What is refused once need not be asked again: failed requests have a quota of their own.
        assert.deepEqual(
          upstream.asked.filter(({ code }) => code !== 200),
          [],
        );
      } finally {
        await world.close();
      }
    });

    it('is right by its events alone when they are doubled, reordered and late', async () => {
      const world = await openForeign({ dialect, seed: 2 });
      try {
        Object.assign(world.upstream.faults.events, { doubled: 30, reordered: 30, late: 30 });
        for (let n = 0; n < 20; n += 1) {
          world.business.goOn(3);
          await world.pass(1);
        }
        await world.pass(70);
        await world.quiet();
        await isRight(world);
      } finally {
        await world.close();
      }
    });
  });
}

async function isRight(world: ForeignWorld): Promise<void> {
  assert.deepEqual(await world.quarantined(), []);
  assert.deepEqual(await world.differences(), []);
}

/** Events get lost, come twice, in another order, and late. */
async function liveBadly({ upstream, business, pass, quiet }: ForeignWorld): Promise<void> {
  Object.assign(upstream.faults.events, { dropped: 30, doubled: 10, reordered: 10, late: 10 });
  for (let n = 0; n < 12; n += 1) {
    business.goOn(5);
    await pass(2);
  }
  await pass(70);
  await quiet();
  const lost = upstream.webhooks.told.filter(({ dropped }) => dropped).length;
  assert.ok(lost > 10, `${lost} events lost`);
}

/** What no event tells of: deposits, policies, prices, tasks, the end of an offer. */
async function changeSilently({ upstream, business, dice, quiet }: ForeignWorld): Promise<void> {
  const { truth } = upstream;
  for (let n = 0; n < 5; n += 1) {
    const stays = truth.stays.all().filter(({ channel }) => channel === 'A');
    business.silently.payDeposit(dice.pick(stays));
    business.silently.tellPolicy(dice.pick(stays));
    business.silently.price(dice.pick(truth.listings.all()).listing, 33_300);
    business.silently.finishTask();
  }
  business.silently.endOffer();
  await quiet();
}

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ForeignWorld, openForeign } from './world.ts';

const TINY = { properties: 3, stays: 12, entries: 20, threads: 6, longestThread: 8 };

async function inWorld(work: (world: ForeignWorld) => Promise<void>): Promise<void> {
  const world = await openForeign({ dialect: 'described', seed: 4, size: TINY });
  try {
    await world.quiet();
    await work(world);
  } finally {
    await world.close();
  }
}

describe('changes that answers show later than their events', () => {
  for (const seconds of [3, 20, 70]) {
    it(`are all found by events alone when they show after ${seconds} s`, () =>
      inWorld(async (world) => {
        const { upstream, business } = world;
        const { truth } = upstream;
        upstream.faults.lagMs = seconds * 1_000;
        const [entry] = truth.entries.all();
        const [review] = truth.reviews.all();
        const [listing] = truth.listings.all();
        const [thread] = truth.threads.all();
        const accepted = truth.stays.all().filter((one) => one.status === 'accepted' && one.property > 0);
        const [changed, cancelled] = accepted;
        assert.ok(entry && review && listing && thread && changed && cancelled);
        business.book();
        business.change(changed, { adults: 8 });
        business.cancel(cancelled);
        business.edit(entry, { amount: 4_711 });
        business.enter();
        business.answer(review);
        business.price(listing.listing, 65_400);
        business.write(thread.id);
        await world.pass(seconds * 1.3 + 15);
        await world.quiet();
        assert.deepEqual(await world.differences(), []);
      }));
  }

  it('are found when a second one shows after the first', () =>
    inWorld(async (world) => {
      const { upstream, business } = world;
      upstream.faults.lagMs = 20_000;
      const stay = upstream.truth.stays.all().find((one) => one.status === 'accepted');
      assert.ok(stay);
      const once = business.change(stay, { adults: 7 });
      await world.pass(18);
      business.change(once, { children: 5 });
      await world.pass(60);
      await world.quiet();
      assert.deepEqual(await world.differences(), []);
    }));

  it('are given up when none shows, and that is said', () =>
    inWorld(async (world) => {
      const [stay] = world.upstream.truth.stays.all();
      assert.ok(stay);
      world.upstream.forget();
      world.business.change(stay, {});
      await world.pass(120);
      await world.quiet();
      assert.ok(world.upstream.count('/reservations') <= 6);
      const [row] = await world.rows(`select value from counters where name = 'unconfirmed/reservation'`);
      assert.equal(row?.['value'], 1);
    }));
});

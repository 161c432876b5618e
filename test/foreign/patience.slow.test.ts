import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ForeignWorld, openForeign } from './world.ts';

const TINY = { properties: 3, stays: 12, entries: 20, fullConversations: 6, longestConversation: 8 };

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
        const [fullConversation] = truth.fullConversations.all();
        const accepted = truth.stays.all().filter((one) => one.status === 'accepted' && one.property > 0);
        const [changed, cancelled] = accepted;
        assert.ok(entry && review && listing && fullConversation && changed && cancelled);
        business.book();
        business.change(changed, { adults: 8 });
        business.cancel(cancelled);
        business.edit(entry, { amount: 4_711 });
        business.enter();
        business.answer(review);
        business.price(listing.listing, 65_400);
        business.write(fullConversation.id);
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

  for (const [how, apartS] of [
    ['at once', 0],
    ['one after the other', 0.5],
  ] as const) {
    it(`are looked for together when they are many bookings, announced ${how}`, () =>
      inWorld(async (world) => {
        const { upstream, business } = world;
        upstream.faults.lagMs = 40_000;
        upstream.forget();
        const [before] = await world.rows('select max(seq) as seq from changes');
        for (let n = 0; n < 60; n += 1) {
          business.book();
          if (apartS > 0) await world.pass(apartS);
        }
        await world.pass(45);
        await world.quiet();
        assert.deepEqual(await world.differences(), []);
        assert.ok(upstream.count('/reservations') <= 20, `${upstream.count('/reservations')} requests`);
        const found = await world.rows(`select seen_by, count(*) as n from changes
          where resource = 'reservation' and op = 'created' and seq > ${Number(before?.['seq'])} group by seen_by`);
        assert.deepEqual(found, [{ seen_by: 'event', n: 60 }]);
      }));
  }

  it('are looked for together when they are many entries of the ledger, one of them of last year', () =>
    inWorld(async (world) => {
      const { upstream, business } = world;
      upstream.faults.lagMs = 40_000;
      upstream.forget();
      for (let n = 0; n < 40; n += 1) business.enter();
      business.enter({ at: world.clock.now() - 300 * 86_400_000 });
      await world.pass(45);
      await world.quiet();
      assert.deepEqual(await world.differences(), []);
      assert.ok(upstream.count('/transactions') <= 40, `${upstream.count('/transactions')} requests`);
    }));

  it('hold up no other booking when one of them never shows', () =>
    inWorld(async (world) => {
      const { upstream, business } = world;
      upstream.webhooks.tell({ event: 'reservation_created', reservation_code: 'NEVER', stay_code: 'NEVER' });
      await world.pass(2);
      for (let n = 0; n < 3; n += 1) {
        const { code } = business.book();
        await world.pass(0.4);
        assert.equal((await world.rows(`select 1 from stays where reservation_code = '${code}'`)).length, 1, code);
      }
      await world.pass(120);
      await world.quiet();
      const [row] = await world.rows(`select value from counters where name = 'unconfirmed/reservation'`);
      assert.equal(row?.['value'], 1);
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

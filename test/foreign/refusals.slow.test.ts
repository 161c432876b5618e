import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FOREIGN, type ForeignWorld, inForeign } from './world.ts';

const MINUTE_MS = 60_000;

async function isRight(world: ForeignWorld): Promise<void> {
  assert.deepEqual(await world.quarantined(), []);
  assert.deepEqual(await world.differences(), []);
}

for (const dialect of ['described', 'hostex'] as const) {
  describe(`what a service that speaks ${dialect} refuses`, () => {
    it('costs itself alone: listings whose calendar it does not give', () =>
      inForeign({ dialect, seed: 11 }, async (world) => {
        const { truth, faults } = world.upstream;
        const [first, second, third] = truth.listings.all();
        assert.ok(first && second && third);
        for (const code of [400, 403, 404, 422]) {
          faults.refusedListings = new Map([[first.listing, code]]);
          world.business.silently.price(second.listing, code * 100);
          world.business.silently.price(third.listing, code * 100 + 1_000);
          await world.reconcile();
          await world.quiet();
          await isRight(world);
        }
      }));

    it('costs nothing else: an unknown property among those whose nights are asked for', () =>
      inForeign({ dialect, seed: 11 }, async (world) => {
        const { truth, faults, webhooks } = world.upstream;
        faults.refusesUnknownProperty = true;
        webhooks.tell({ event: 'property_availability_updated', property_id: 999_999, availabilities: [] });
        world.business.book();
        world.business.book();
        await world.quiet();
        await isRight(world);
        const failing = await world.rows('select key from dirty_keys where attempts > 0');
        assert.deepEqual(failing, [], 'the nights of nobody are not asked for again');
        const last = truth.properties.all().at(-1);
        assert.ok(last);
        truth.properties.put(last.number, null);
        for (const one of truth.stays.all()) {
          if (one.property === last.number) truth.stays.put(String(one.number), { ...one, property: 0 });
        }
        const results = await world.reconcile('availability');
        assert.deepEqual(
          results.map(({ state }) => state),
          ['done'],
        );
      }));

    it('it refuses for a while only: tokens for a minute, everything for two', () =>
      inForeign({ dialect, seed: 12 }, async (world) => {
        const { upstream, business, clock } = world;
        upstream.faults.unauthorizedUntil = clock.now() + MINUTE_MS;
        business.goOn(8);
        upstream.forget();
        await world.pass(59);
        assert.ok(upstream.count() <= 12, `${upstream.count()} requests while nobody was let in`);
        await world.pass(90);
        await world.quiet();
        await isRight(world);

        upstream.faults.limited = { until: clock.now() + 2 * MINUTE_MS, retryAfterS: 30 };
        business.goOn(8);
        upstream.forget();
        await world.pass(110);
        assert.ok(upstream.count() <= 30, `${upstream.count()} requests while all were refused`);
        const status = await world.daemon.status(FOREIGN);
        assert.notDeepEqual(status.holds, {});
        await world.pass(60);
        await world.quiet();
        await isRight(world);
      }));

    it('is asked for again: a webhook that it would not register at first', () =>
      inForeign(
        { dialect, seed: 13, prepare: ({ faults }) => void (faults.registration = 422), impatient: true },
        async (world) => {
          const { upstream } = world;
          await world.pass(120);
          assert.equal(upstream.webhooks.hooks.size, 1);
          await world.quiet();
          world.business.goOn(8);
          await world.quiet();
          await isRight(world);
        },
      ));
  });
}

it('a calendar that is refused is asked for again an hour later, and then two', () =>
  inForeign({ dialect: 'described', seed: 11 }, async (world) => {
    const { upstream, business } = world;
    const [listing] = upstream.truth.listings.all();
    assert.ok(listing);
    upstream.faults.refusedListings = new Map([[listing.listing, 403]]);
    await world.reconcile('calendar');
    await world.pass(3_660);
    await world.reconcile('calendar');
    upstream.faults.refusedListings = new Map();
    business.silently.price(listing.listing, 77_700);
    await world.reconcile('calendar');
    assert.notDeepEqual(await world.differences(), [], 'what was refused twice is left alone for two hours');
    await world.pass(2 * 3_660);
    await world.reconcile('calendar');
    await world.quiet();
    await isRight(world);
  }));

describe('deliveries of a service that speaks described', () => {
  for (const proof of ['token', 'signature'] as const) {
    it(`carry a ${proof} alone, where the connection asks for no more`, () =>
      inForeign(
        {
          dialect: 'described',
          seed: 14,
          prepare: ({ faults }) => void (faults.proof = proof),
        },
        async (world) => {
          world.business.goOn(8);
          await world.quiet();
          const [refused] = await world.rows(`select sum(times) as n from refused_deliveries`);
          if (proof === 'token') await isRight(world);
          // A delivery that lacks the token is refused, counted, and told with its remedy.
          else assert.ok(Number(refused?.['n']) > 0);
          await world.reconcile();
          await world.quiet();
          await isRight(world);
        },
      ));
  }

  it('prove themselves by the secret of the first one, where registering tells none', () =>
    inForeign(
      {
        dialect: 'described',
        seed: 15,
        prepare: ({ faults }) => Object.assign(faults, { withoutSecret: true, proof: 'token' }),
      },
      async (world) => {
        world.business.goOn(8);
        await world.quiet();
        await isRight(world);
        assert.equal(world.upstream.webhooks.hooks.size, 1);
      },
    ));
});

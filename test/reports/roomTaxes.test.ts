import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { mirrorBridge } from '../../migrations/bridge/mirror/index.ts';
import { type TaxedRoom, taxShares } from '../../src/sync/tables/reservations/taxShares.ts';
import { reservationEvent } from '../support/events.ts';
import { makeProperty, makeStay } from '../support/rows.ts';
import { Truth } from '../support/truth.ts';
import { CONNECTION, openWorld, type World } from '../support/mirror.ts';

const money = (amount: number) => ({ currency: 'EUR', amount });

/** A booking of two rooms: upstream shows the tax of both on each. */
function rooms(status: 'accepted' | 'cancelled', tax = 10) {
  return (
    [
      ['ROOMS-1', 1, 200, 'accepted'],
      ['ROOMS-2', 2, 100, status],
    ] as const
  ).map(([stay_code, property_id, rate, state]) => {
    const stay = makeStay(property_id, { reservation_code: 'ROOMS', stay_code, property_id, status: state });
    return { ...stay, rates: { ...stay.rates, rate: money(rate), total_rate: money(300), tax: money(tax) } };
  });
}

async function taxes(w: World): Promise<unknown[]> {
  const { rows: found } = await sql<object>`
    select f.stay_code, f.tax_minor, n.night_number, n.tax_minor as of_night from stay_figures f
    join stay_nights n on n.connection = f.connection and n.stay_code = f.stay_code
    order by f.stay_code, n.night`.execute(w.store.db);
  return found.map((row) => Object.values(row).join(' '));
}

async function isClean(w: World): Promise<boolean | undefined> {
  let clean: boolean | undefined;
  void w.daemon.verify(CONNECTION).then((report) => (clean = report.clean));
  await w.clock.until(() => clean !== undefined, 'a report');
  return clean;
}

const SHARED = [
  'ROOMS-1 667 1 223',
  'ROOMS-1 667 2 222',
  'ROOMS-1 667 3 222',
  'ROOMS-2 333 1 111',
  'ROOMS-2 333 2 111',
  'ROOMS-2 333 3 111',
];

test('the tax of a booking of several rooms stands once in figures and nights, whichever room changes', async (t) => {
  const truth = new Truth();
  for (const id of [1, 2]) truth.properties.set(id, makeProperty(id));
  truth.put(...rooms('accepted'));
  const w = await openWorld({ truth });
  t.after(() => w.close());
  await w.quiet();
  assert.deepEqual(await taxes(w), SHARED);
  assert.equal(await isClean(w), true);

  // As it was before.
  await sql`update stay_figures set tax_minor = 1000`.execute(w.store.db);
  await sql`update stay_nights set tax_minor = case night_number when 1 then 334 else 333 end`.execute(w.store.db);
  assert.equal(await isClean(w), false);
  await w.store.transaction((trx) => mirrorBridge['0026_room_taxes']?.up(trx) ?? assert.fail('no such migration'));
  assert.deepEqual(await taxes(w), SHARED);
  assert.equal(await isClean(w), true);

  truth.put(...rooms('cancelled'));
  const [, second] = rooms('cancelled');
  assert.ok(second);
  await w.send(reservationEvent(second));
  await w.quiet();
  assert.deepEqual(
    (await taxes(w)).map((row) => String(row).split(' ').slice(0, 2).join(' ')),
    [...Array.from({ length: 3 }, () => 'ROOMS-1 1000'), ...Array.from({ length: 3 }, () => 'ROOMS-2 0')],
  );
  assert.equal(await isClean(w), true);
});

const room = fc.record<TaxedRoom>({
  status: fc.constantFrom('accepted', 'cancelled', 'wait_pay'),
  currency: fc.constant('EUR'),
  rate: fc.option(fc.integer({ min: 0, max: 100_000 })),
  tax: fc.constant(null),
});

test('shares come to the tax, to the minor unit, and none is above zero of a room that ended beside others', () => {
  fc.assert(
    fc.property(fc.array(room, { minLength: 1, maxLength: 6 }), fc.nat(100_000), (some, tax) => {
      const shown = some.map((one) => ({ ...one, tax }));
      const shares = taxShares(shown);
      assert.equal(
        shares.reduce<number>((sum, share) => sum + (share ?? 0), 0),
        tax,
      );
      if (!some.some(({ status }) => status === 'accepted')) return;
      for (const [index, share] of shares.entries()) if (some[index]?.status !== 'accepted') assert.equal(share, 0);
    }),
  );
});

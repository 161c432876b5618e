import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { planUnits, unitName, type StayToPlan } from '../../src/imports/planUnits.ts';

const POOLS = ['City', 'Resort'];

const stays = fc
  .array(
    fc.record({
      pool: fc.constantFrom(...POOLS),
      checkIn: fc.integer({ min: 16_000, max: 16_060 }),
      nights: fc.integer({ min: 1, max: 14 }),
      holds: fc.boolean(),
    }),
    { maxLength: 120 },
  )
  .map((list) =>
    list.map(({ pool, checkIn, nights, holds }, index): StayToPlan => {
      return { row: index + 1, pool, checkIn, checkOut: checkIn + nights, holds };
    }),
  );

interface Placed extends StayToPlan {
  unit: number;
}

async function placed(
  list: readonly StayToPlan[],
): Promise<{ held: Placed[]; units: ReadonlyMap<string, readonly number[]> }> {
  const plan = await planUnits(list);
  const held = list.filter((stay) => stay.holds);
  return { held: held.map((stay) => ({ ...stay, unit: plan.unitOf(stay.row, stay.pool) })), units: plan.units };
}

function assertNoneShared(held: readonly Placed[]): void {
  const taken = new Set<string>();
  for (const { pool, unit, checkIn, checkOut } of held) {
    for (let night = checkIn; night < checkOut; night += 1) {
      const place = `${unitName(pool, unit)} ${night}`;
      assert.ok(!taken.has(place), place);
      taken.add(place);
    }
  }
}

/** The largest number of stays of a pool in one night. */
function mostAtOnce(held: readonly StayToPlan[], pool: string): number {
  const nights = new Map<number, number>();
  for (const stay of held.filter((each) => each.pool === pool)) {
    for (let night = stay.checkIn; night < stay.checkOut; night += 1) nights.set(night, (nights.get(night) ?? 0) + 1);
  }
  return Math.max(0, ...nights.values());
}

/** Some of the held stays as if imported before: they stand where the plan had put them. */
function known(list: readonly StayToPlan[], held: readonly Placed[], isKnown: (row: number) => boolean): StayToPlan[] {
  const units = new Map(held.map(({ row, unit }) => [row, unit]));
  return list.map((stay) => {
    const unit = units.get(stay.row);
    return unit !== undefined && isKnown(stay.row) ? { ...stay, fixedUnit: unit } : stay;
  });
}

describe('planned units', () => {
  it('never hold two stays in one night, and are as few as stays at once', async () => {
    await fc.assert(
      fc.asyncProperty(stays, async (list) => {
        const { held, units } = await placed(list);
        assertNoneShared(held);
        for (const [pool, numbers] of units) {
          const most = mostAtOnce(held, pool);
          assert.deepEqual(
            numbers,
            Array.from({ length: Math.max(1, most) }, (_, index) => index + 1),
          );
        }
      }),
    );
  });

  it('are the same for the same stays', async () => {
    await fc.assert(
      fc.asyncProperty(stays, async (list) => {
        const [one, other] = [await planUnits(list), await planUnits(list)];
        for (const { row, pool } of list) assert.equal(one.unitOf(row, pool), other.unitOf(row, pool));
      }),
    );
  });

  it('stay the same when a run is resumed anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(stays, fc.integer({ min: 0, max: 120 }), async (list, stored) => {
        const { held, units } = await placed(list);
        const again = await placed(known(list, held, (row) => row <= stored));
        assert.deepEqual(again.units, units);
        assert.deepEqual(
          again.held.map(({ unit }) => unit),
          held.map(({ unit }) => unit),
        );
      }),
    );
  });

  it('respect what stands already when rows are added', async () => {
    await fc.assert(
      fc.asyncProperty(stays, stays, async (first, more) => {
        const { held } = await placed(first);
        const added = more.map((stay, index) => ({ ...stay, row: first.length + index + 1 }));
        const again = await placed([...known(first, held, () => true), ...added]);
        assertNoneShared(again.held);
        assert.deepEqual(
          again.held.slice(0, held.length).map(({ unit }) => unit),
          held.map(({ unit }) => unit),
        );
      }),
    );
  });

  it('keep clear of stays that came from elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(stays, stays, async (list, elsewhere) => {
        const others = (await placed(elsewhere)).held.map(({ pool, checkIn, checkOut, unit }) => {
          return { row: 0, pool, checkIn, checkOut, holds: true, fixedUnit: unit, unit };
        });
        const plan = await planUnits([...others, ...list]);
        const held = list
          .filter((stay) => stay.holds)
          .map((stay) => ({ ...stay, unit: plan.unitOf(stay.row, stay.pool) }));
        assertNoneShared([...others, ...held]);
        assert.deepEqual(new Set(plan.units.keys()), new Set(list.map(({ pool }) => pool)));
      }),
    );
  });

  const stay = (row: number, checkIn: number, checkOut: number, holds = true): StayToPlan => {
    return { row, pool: 'City', checkIn, checkOut, holds };
  };

  it('are filled in order of arrival, the lowest number first', async () => {
    const plan = await planUnits([stay(1, 5, 7), stay(2, 1, 6), stay(3, 1, 2), stay(4, 2, 5), stay(5, 6, 9)]);
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((row) => plan.unitOf(row, 'City')),
      [2, 1, 2, 2, 1],
    );
  });

  it('are given to cancelled bookings in turn, without a night', async () => {
    const list = [stay(1, 1, 9), stay(2, 1, 9), ...[3, 4, 5].map((row) => stay(row, 1, 9, false))];
    const plan = await planUnits(list);
    assert.deepEqual(plan.units.get('City'), [1, 2]);
    assert.deepEqual(
      [3, 4, 5].map((row) => plan.unitOf(row, 'City')),
      [1, 2, 1],
    );
  });

  it('are one for a pool of cancelled bookings alone', async () => {
    const plan = await planUnits([stay(7, 1, 2, false)]);
    assert.deepEqual([plan.units.get('City'), plan.unitOf(7, 'City')], [[1], 1]);
  });

  it('have names that count up', () => assert.equal(unitName('City Hotel', 17), 'City Hotel 17'));

  it('let the event loop turn meanwhile', async () => {
    let turns = 0;
    let isOver = false;
    const tick = () => {
      turns += 1;
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    const plan = await planUnits(Array.from({ length: 40_000 }, (_, row) => stay(row + 1, row % 700, (row % 700) + 3)));
    isOver = true;
    assert.ok(turns > 50, `${turns} turns`);
    assert.equal(
      plan.units.get('City')?.length,
      mostAtOnce(
        [...Array(40_000).keys()].map((row) => stay(row, row % 700, (row % 700) + 3)),
        'City',
      ),
    );
  });
});

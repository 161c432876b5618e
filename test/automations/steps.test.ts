import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { gapStays, minStayChanges } from '../../src/automations/actions/nights/minStay.ts';
import { type NightChange, remember, type Round } from '../../src/automations/actions/nights/memory.ts';
import { occupancyOf, percentsFor, steppedChanges, steppedPrice } from '../../src/automations/actions/nights/steps.ts';

const NIGHT = '2027-03-05';
const bounds = { floor: 60, ceiling: 400 };
const percents = fc.array(fc.integer({ min: -60, max: 100 }), { maxLength: 2 });
/** How a round ends: whether the price arrives, and whether anybody says so. */
const endings = fc.constantFrom(
  { arrives: true, isSure: true },
  { arrives: true, isSure: false },
  { arrives: false, isSure: false },
  { arrives: false, isSure: true },
);

describe('prices by steps', () => {
  it('are reckoned from the price without the rule, however many rounds there were and however they ended', () => {
    const rounds = fc.array(fc.record({ percents, ending: endings }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), rounds, (base, all) => {
        const done: Round<number>[] = [];
        let price = base;
        for (const { percents: given, ending } of all) {
          const memory = { own: remember(done, { forgets: false }), gone: new Map() };
          const changes = steppedChanges('a/1', [{ date: NIGHT, price, inventory: 1 }], () => given, memory, bounds);
          const wanted = steppedPrice(base, given, bounds);
          assert.deepEqual(changes, wanted === price ? [] : [{ listing: 'a/1', date: NIGHT, from: base, to: wanted }]);
          if (changes.length === 0) continue;
          done.push({ isSure: ending.isSure, changes });
          if (ending.arrives) price = wanted;
        }
      }),
    );
  });

  it('go on under another name where the rule of before has ended', () => {
    const before: NightChange<number>[] = [{ listing: 'a/1', date: NIGHT, from: 90, to: 72 }];
    const memory = { own: new Map(), gone: remember([{ isSure: true, changes: before }], { forgets: false }) };
    const changes = (price: number) =>
      steppedChanges('a/1', [{ date: NIGHT, price, inventory: 1 }], () => [-20], memory, { floor: 1, ceiling: 400 });
    assert.deepEqual(changes(72), []);
    assert.deepEqual(
      changes(100).map(({ to }) => to),
      [80],
      'somebody has priced it since, and the new rule begins there',
    );
  });

  it('leave alone what somebody else has priced, what is taken, and what nobody tells', () => {
    const memory = {
      own: remember([{ isSure: true, changes: [{ listing: 'a/1', date: NIGHT, from: 90, to: 72 }] }], {
        forgets: false,
      }),
      gone: new Map(),
    };
    const changes = (price: number | null, inventory = 1) =>
      steppedChanges('a/1', [{ date: NIGHT, price, inventory }], () => [-40], memory, { floor: 1, ceiling: 400 });
    assert.deepEqual([changes(95), changes(null), changes(72, 0), changes(0)], [[], [], [], []]);
    assert.equal(changes(72)[0]?.to, 54);
  });

  it('stay within the bounds, which never turn a discount into a surcharge nor the other way round', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), percents, (base, given) => {
        const price = steppedPrice(base, given, bounds);
        const factor = given.reduce((product, one) => product * (1 + one / 100), 1);
        if (Math.abs(factor - 1) < 1e-9) {
          assert.equal(price, base);
          return;
        }
        assert.ok(factor < 1 ? price <= base : price >= base, `${base} ${price}`);
        assert.ok(price === base || (price >= bounds.floor && price <= bounds.ceiling), `${base} ${price}`);
      }),
    );
    assert.equal(steppedPrice(90, [10, -15], bounds), 84);
  });

  it('take the highest step by occupancy and the nearest by days, and none by what nobody knows', () => {
    const steps = {
      by_occupancy: [
        { at_least: 80, change_percent: 10 },
        { at_least: 95, change_percent: 20 },
      ],
      by_lead_days: [
        { at_most: 7, change_percent: -15 },
        { at_most: 2, change_percent: -25 },
      ],
    };
    const of = (occupancy: number | null, leadDays: number) => percentsFor(steps, { occupancy, leadDays });
    assert.deepEqual([of(79, 8), of(80, 8), of(100, 7), of(null, 2)], [[], [10], [20, -15], [-25]]);
  });

  it('occupancy is of all nights round a night, in all the properties', () => {
    const stay = (check_in_date: string, check_out_date: string) => ({ check_in_date, check_out_date });
    const properties = [[stay('2027-03-01', '2027-03-04'), stay('2027-03-03', '2027-03-05')], []];
    const between = { first: '2027-03-01', last: '2027-03-31' };
    assert.equal(occupancyOf(properties, 1, between)('2027-03-03'), 50);
    assert.equal(occupancyOf(properties, 3, between)('2027-03-05'), (100 * 1) / 6);
    assert.equal(occupancyOf(properties, 7, between)('2027-03-20'), 0);
    assert.equal(occupancyOf([], 7, between)('2027-03-20'), null);
  });
});

describe('minimum stays', () => {
  const night = (date: string, min: number | null, more: object = {}) => ({
    date,
    inventory: 1,
    min,
    max: null,
    ...more,
  });
  const none = { own: new Map(), gone: new Map() };

  it('of a gap are what is left of it, and gaps that are too short are left alone', () => {
    const stays = [
      { check_in_date: '2027-03-01', check_out_date: '2027-03-05' },
      { check_in_date: '2027-03-08', check_out_date: '2027-03-10' },
      { check_in_date: '2027-03-11', check_out_date: '2027-03-12' },
    ];
    assert.deepEqual(
      [...gapStays(stays, { longest_gap: 7, at_least: 2 })],
      [
        ['2027-03-05', 3],
        ['2027-03-06', 2],
        ['2027-03-07', 2],
      ],
    );
    assert.equal(gapStays(stays, { longest_gap: 2, at_least: 1 }).size, 1);
  });

  it('are set once, set back to what there was, and never above the longest stay', () => {
    const wanted = new Map([[NIGHT, 2]]);
    const first = minStayChanges('a/1', [night(NIGHT, 3), night('2027-03-06', 3)], wanted, none);
    assert.deepEqual(first, [{ listing: 'a/1', date: NIGHT, from: 3, to: 2 }]);
    const memory = { own: remember([{ isSure: true, changes: first }], { forgets: false }), gone: new Map() };
    assert.deepEqual(minStayChanges('a/1', [night(NIGHT, 2)], wanted, memory), []);
    assert.deepEqual(minStayChanges('a/1', [night(NIGHT, 2)], new Map(), memory)[0]?.to, 3);
    assert.deepEqual(minStayChanges('a/1', [night(NIGHT, 5)], new Map(), memory), [], 'somebody has set it since');
    assert.deepEqual(minStayChanges('a/1', [night(NIGHT, 1, { max: 1 })], wanted, none), []);
    assert.deepEqual(minStayChanges('a/1', [night(NIGHT, 1, { inventory: 0 })], wanted, none), []);
    const unset = minStayChanges('a/1', [night(NIGHT, null)], wanted, none);
    const later = { own: remember([{ isSure: false, changes: unset }], { forgets: false }), gone: new Map() };
    assert.deepEqual(minStayChanges('a/1', [night(NIGHT, 2)], new Map(), later)[0]?.to, null);
  });
});

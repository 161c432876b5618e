import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Facts, noFacts, type PropertyFacts } from '../../src/automations/facts/facts.ts';
import {
  type ConditionName,
  type Conditions,
  conditions,
  failingCondition,
  groupNames,
  withoutConditions,
} from '../../src/automations/rules/conditions.ts';
import { stayWith } from './support/stay.ts';

const property = (over: Partial<PropertyFacts> = {}): PropertyFacts => ({
  id: 1,
  name: 'Sea View',
  address: null,
  zone: 'Europe/Berlin',
  tags: ['sea'],
  groups: [
    { id: 7, name: 'North coast' },
    { id: null, name: 'Old town' },
  ],
  ...over,
});

/** A stay from Sunday 28th to Tuesday 30th, as much as can be known of it. */
const told = (over: Partial<Facts> = {}): Facts => ({
  ...noFacts,
  channel_type: 'direct',
  stay: stayWith({}, { custom_fields: { pickup: 'airport', floor: '2', empty: '' } }),
  property: property(),
  day: '2027-03-27',
  language: 'pt-BR',
  returning: true,
  ...over,
});

const failing = (written: object, facts: Facts = told()) => failingCondition(conditions.parse(written), facts);

describe('conditions', () => {
  const rows: [what: string, written: object, facts: Facts, failing: string | undefined][] = [
    ['check-in on a Sunday', { check_in_weekday: ['sat', 'Sunday'] }, told(), undefined],
    ['check-in on another day', { check_in_weekday: 'sat' }, told(), 'check_in_weekday'],
    ['check-out on a Tuesday', { check_out_weekday: 'tue' }, told(), undefined],
    ['planned for a Saturday', { weekday: ['sat'] }, told(), undefined],
    ['planned for another day', { weekday: ['mon', 'tue', 'wed', 'thu', 'fri'] }, told(), 'weekday'],
    ['not planned yet', { weekday: 'sat' }, told({ day: null }), 'weekday'],
    ['a kind of a language', { language: 'pt' }, told(), undefined],
    ['the very kind of it', { language: ['en', 'pt-BR'] }, told(), undefined],
    ['another kind of it', { language: 'pt-PT' }, told(), 'language'],
    ['a kind of it, where only the language is known', { language: 'pt-BR' }, told({ language: 'pt' }), 'language'],
    [
      'a field that is one of these',
      { custom_field: { name: 'pickup', is: ['station', 'airport'] } },
      told(),
      undefined,
    ],
    ['a field that is a number', { custom_field: { name: 'floor', is: 2 } }, told(), undefined],
    ['a field that is something else', { custom_field: { name: 'pickup', is: 'station' } }, told(), 'custom_field'],
    ['a field that is set', { custom_field: { name: 'pickup', set: true } }, told(), undefined],
    ['a field that is empty', { custom_field: { name: 'empty', set: false } }, told(), undefined],
    ['a field that is not there', { custom_field: { name: 'dog', set: true } }, told(), 'custom_field'],
    [
      'two fields, one of which is not as it should be',
      {
        custom_field: [
          { name: 'pickup', set: true },
          { name: 'floor', is: 3 },
        ],
      },
      told(),
      'custom_field',
    ],
    ['a guest who was here', { returning: true }, told(), undefined],
    ['a guest of whom no earlier stay is known', { returning: false }, told({ returning: false }), undefined],
    ['a group by its name', { property_group: ['South', 'North coast'] }, told(), undefined],
    ['a group by its id', { property_group: 7 }, told(), undefined],
    ['a group of which only the name is known', { property_group: 'Old town' }, told(), undefined],
    ['another group', { property_group: 'South' }, told(), 'property_group'],
    [
      'a booking of which nobody says when it was made',
      { lead_days: { at_most: 100 } },
      told({ stay: stayWith({ booked_at: null }) }),
      'lead_days',
    ],
    ['one of two groups', { any: [{ nights: { at_least: 7 } }, { guests: { at_most: 2 } }] }, told(), undefined],
    [
      'no group whole',
      { any: [{ nights: { at_least: 7 } }, { guests: { at_most: 2 }, channel: 'b', paid: true }] },
      told(),
      'any (nights or channel, guests, paid)',
    ],
    [
      'none of them',
      { none: [{ nights: { at_least: 7 } }, { guests: { at_most: 2 }, channel: 'b' }] },
      told(),
      undefined,
    ],
    ['one that must not be', { none: { guests: { at_most: 2 }, channel: 'direct' } }, told(), 'none (channel, guests)'],
    ['all else beside groups', { nights: { at_least: 3 }, any: [{ paid: true }] }, told(), 'nights'],
  ];
  for (const [what, written, facts, expected] of rows) {
    it(`${what}: ${expected ?? 'holds'}`, () => assert.equal(failing(written, facts), expected));
  }

  it('a group that cannot be known decides nothing where another condition of it does not hold', () => {
    const facts = told({ returning: null });
    assert.equal(failing({ none: { returning: true, channel: 'other' } }, facts), undefined);
    assert.equal(failing({ none: { returning: true, channel: 'direct' } }, facts), 'none (channel, returning)');
    assert.equal(failing({ any: [{ returning: true }, { channel: 'direct' }] }, facts), undefined);
  });

  it('a group is not known by its id where the property tells names alone', () => {
    const named = told({ property: property({ groups: [{ id: null, name: 'Old town' }] }) });
    assert.equal(failing({ none: { property_group: 9 } }, named), 'none (property_group)');
    assert.equal(failing({ none: { property_group: 'South' } }, named), undefined);
  });

  /** What can be asked, of nothing that is known. */
  const asked: Readonly<Record<string, unknown>> = {
    channel: 'direct',
    property: 1,
    property_tag: 'sea',
    property_group: 7,
    stay_status: 'in_house',
    nights: { at_most: 100 },
    guests: { at_most: 100 },
    children: { at_most: 100 },
    pets: { at_most: 100 },
    lead_days: { at_most: 1_000 },
    weekday: weekdaysAll(),
    tag: 'a',
    not_tag: 'a',
    custom_field: { name: 'dog', set: false },
    language: 'en',
    returning: false,
    paid: false,
    identified: false,
    deposit: 'none',
    lock_code: false,
    same_day_arrival: false,
    night_before_free: false,
    night_after_free: false,
    reviewed: false,
    score: { at_most: 5 },
    task_type: 'cleaning',
    says: 'a',
    says_not: 'a',
  };
  /** A stay always has its dates, or it is none; the others ask whether there is something. */
  const ALWAYS_KNOWN = new Set(['check_in_weekday', 'check_out_weekday', 'not_channel', 'booked']);

  function weekdaysAll(): string[] {
    return ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  }

  it('what nobody knows fulfils neither a condition nor its opposite', () => {
    const nothing = stayWith(
      {
        channel_type: null,
        status: null,
        nights: null,
        number_of_guests: null,
        payment_status: null,
        id_required: null,
        booked_at: null,
      },
      { tags: null, has_lock_code: null, custom_fields: null },
    );
    const unknown: Facts = { ...noFacts, stay: nothing };
    for (const name of groupNames) {
      if (ALWAYS_KNOWN.has(name)) continue;
      assert.ok(name in asked, `no example of ${name}`);
      const one = { [name]: asked[name] };
      for (const facts of [unknown, noFacts]) {
        assert.equal(failing(one, facts), name);
        assert.equal(failing({ any: [one] }, facts), `any (${name})`);
        assert.equal(failing({ none: [one] }, facts), `none (${name})`);
      }
    }
  });

  const threshold = fc.integer({ min: 0, max: 4 });
  const aGroup = fc.record(
    {
      nights: threshold.map((at_least) => ({ at_least })),
      guests: threshold.map((at_most) => ({ at_most })),
      weekday: fc.subarray([...weekdaysAll()], { minLength: 1 }),
      paid: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const filled = aGroup.filter((one) => Object.keys(one).length > 0);
  const wanted = fc.record(
    { any: fc.array(filled, { minLength: 1, maxLength: 3 }), none: fc.array(filled, { minLength: 1, maxLength: 3 }) },
    { requiredKeys: [] },
  );
  const aStay = fc.record({
    nights: fc.option(fc.integer({ min: 0, max: 4 })),
    number_of_guests: fc.option(fc.integer({ min: 0, max: 4 })),
    payment_status: fc.constantFrom('received', 'partial', null),
  });

  it('any is “or”, none is “nor”, of groups that each say “and”', () => {
    fc.assert(
      fc.property(wanted, aStay, (written, columns) => {
        const facts = told({ stay: stayWith(columns) });
        const isSo = (one: object) => failing(one, facts) === undefined;
        const certainlyNot = (one: object) =>
          Object.entries(one).some(([name, value]) => isOpposed(name, value, facts));
        const expected = (written.any?.some(isSo) ?? true) && (written.none?.every(certainlyNot) ?? true);
        assert.equal(isSo(written), expected);
      }),
      { numRuns: 300 },
    );
  });

  /** Known, and not so: by hand. */
  function isOpposed(name: string, value: any, { stay }: Facts): boolean {
    if (name === 'nights') return stay?.nights !== null && (stay?.nights ?? 0) < value.at_least;
    if (name === 'guests') return stay?.number_of_guests !== null && (stay?.number_of_guests ?? 0) > value.at_most;
    if (name === 'weekday') return !value.includes('sat');
    return stay?.is_paid !== null && stay?.is_paid !== value;
  }

  it('what is left for later never says no to what holds when the time has come', () => {
    const late: ReadonlySet<ConditionName> = new Set(['weekday', 'paid']);
    fc.assert(
      fc.property(wanted, aGroup, aStay, (groups, plain, columns) => {
        const written: Conditions = conditions.parse({ ...plain, ...groups });
        const stay = stayWith(columns);
        if (failingCondition(written, told({ stay })) !== undefined) return;
        const early = told({ stay: { ...stay, is_paid: null }, day: null });
        assert.equal(failingCondition(withoutConditions(written, late), early), undefined);
      }),
      { numRuns: 500 },
    );
  });
});

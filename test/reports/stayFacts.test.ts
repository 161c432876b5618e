import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stayFacts } from '../../src/sync/tables/reservations/stayFacts.ts';
import { nightRows } from '../../src/sync/tables/reservations/nights.ts';
import { tolerantReader } from '../../src/client/known.ts';
import { reservation } from '../../src/contract/reservations.ts';
import { type Stay, stayColumns } from '../../src/sync/tables/reservations/stays.ts';
import { makeStay, type WireStay } from '../support/rows.ts';

const READING = { connection: 'local', zone: 'Europe/Berlin' };
const TYPES = ['ACCOMMODATION', 'CLEANING_FEE', 'PET_FEE', 'HOST_SERVICE_FEE', 'TAX'];

const known = tolerantReader(reservation, { missing: new Map(), unreadable: new Map() });
/** What is known of a stay that is told whole. */
const told = (over: Partial<WireStay>) => known(makeStay(1, over)) as Stay;

type Rates = NonNullable<Stay['rates']>;
const ratesOf = ({ rates }: Stay): Rates => rates as Rates;

const priced = (rate: number, lines: [string, number][], currency = 'EUR'): Stay =>
  told({
    rates: {
      total_rate: null,
      total_commission: null,
      rate: { currency, amount: rate },
      commission: null,
      tax: null,
      details: lines.map(([type, amount]) => ({ type, description: '', currency, amount })),
    },
  });

const sum = (amounts: Iterable<number>) => [...amounts].reduce((total, amount) => total + amount, 0);

test('the items of a price add up to it, whatever its lines say', () => {
  const cents = fc.integer({ min: 0, max: 10_000_000 }).map((minor) => minor / 100);
  const line = fc.tuple(fc.constantFrom(...TYPES), cents);
  fc.assert(
    fc.property(cents, fc.array(line, { maxLength: 6 }), (rate, lines) => {
      const { items } = stayFacts(priced(rate, lines), READING);
      assert.equal(sum(items.values()), Math.round(rate * 100));
      assert.ok(!items.has('TAX') && !items.has('HOST_SERVICE_FEE'));
    }),
  );
});

test('rental, price and taxes of the nights add up to those of the stay, the first nights having what does not divide', () => {
  const cents = fc.integer({ min: 0, max: 10_000_000 }).map((minor) => minor / 100);
  fc.assert(
    fc.property(cents, cents, fc.integer({ min: 1, max: 60 }), (rate, tax, nights) => {
      const stay = priced(rate, [['ACCOMMODATION', rate]]);
      const wire = { ...stay, rates: { ...ratesOf(stay), tax: { currency: 'EUR', amount: tax } } };
      const from = Date.UTC(2028, 1, 1);
      const check_out_date = new Date(from + nights * 86_400_000).toISOString().slice(0, 10);
      const whole = { ...wire, check_in_date: '2028-02-01', check_out_date };
      const columns = { connection: 'local', ...stayColumns(whole, READING), ...stayFacts(whole, READING) };
      const rows = nightRows(columns as never);
      assert.equal(rows.length, nights);
      for (const [column, amount] of [
        ['rate_minor', rate],
        ['rental_minor', rate],
        ['tax_minor', tax],
      ] as const) {
        const parts = rows.map((row) => row[column] ?? 0);
        assert.equal(sum(parts), Math.round(amount * 100), column);
        assert.deepEqual(
          parts,
          parts.toSorted((a, b) => b - a),
        );
        assert.ok((parts[0] ?? 0) - (parts.at(-1) ?? 0) <= 1);
      }
    }),
  );
});

test('lines of a whole booking are shared out; lines in another currency, and no lines, make it all accommodation', () => {
  const shared = stayFacts(
    priced(200, [
      ['ACCOMMODATION', 300.01],
      ['CLEANING_FEE', 50],
    ]),
    READING,
  );
  assert.deepEqual(
    [...shared.items],
    [
      ['ACCOMMODATION', 17_143],
      ['CLEANING_FEE', 2_857],
    ],
  );
  assert.deepEqual([...stayFacts(priced(200, []), READING).items], [['ACCOMMODATION', 20_000]]);
  const foreign = priced(200, [['ACCOMMODATION', 200]]);
  const details = (ratesOf(foreign).details ?? []).map((line) => ({ ...line, currency: 'USD' }));
  const { items } = stayFacts({ ...foreign, rates: { ...ratesOf(foreign), details } }, READING);
  assert.deepEqual([...items], [['ACCOMMODATION', 20_000]]);
});

test('an owner’s stay is known by a tag or a custom channel, at whatever price', () => {
  const kindOf = (over: Partial<WireStay>) => stayFacts(told(over), READING).kind;
  for (const name of ['owner', 'Owner', 'OWNER STAY', 'owner stays', 'Owner’s stay', 'owner_use', 'Owner booking']) {
    assert.equal(kindOf({ tags: ['VIP', name] }), 'owner', name);
    assert.equal(kindOf({ custom_channel: { id: 1, name } }), 'owner', name);
  }
  for (const name of ['Homeowner', 'owner approved', 'friend of owner', 'VIP']) {
    assert.equal(kindOf({ tags: [name] }), 'paid', name);
  }
  assert.equal(kindOf({ rates: { ...makeStay(1).rates, rate: { currency: 'EUR', amount: 0 } } }), 'unpaid');
  assert.equal(kindOf({ rates: { ...makeStay(1).rates, rate: null } }), 'paid');
});

test('dates of booking and cancelling are the operator’s, as the wire writes them', () => {
  const facts = stayFacts(
    told({ booked_at: '2027-02-11T00:30:00+01:00', cancelled_at: '2027-02-28T23:59:59+01:00' }),
    READING,
  );
  assert.deepEqual([facts.booked_date, facts.cancelled_date, facts.lead_days], ['2027-02-11', '2027-02-28', 22]);
});

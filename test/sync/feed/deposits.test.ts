import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Fields } from '../../../src/client/fields.ts';
import { derivedFrom } from '../../../src/sync/feed/derived/rows.ts';

interface Amounts {
  paid: number;
  deducted: number;
  pending: number;
  refunded?: number;
  status?: string;
  currency?: string;
}

function stayWith(deposit: Amounts | null): Fields {
  if (deposit === null) return { check_in_details: { deposit_details: null } };
  const { paid, deducted, pending, refunded = 0, status = 'paid', currency = 'EUR' } = deposit;
  const amounts = {
    amount: 200,
    paid_amount: paid,
    deducted_amount: deducted,
    pending_refund_amount: pending,
    refunded_amount: refunded,
  };
  return { check_in_details: { deposit_details: { ...amounts, currency, status } } };
}

const names = (before: Amounts | null, after: Amounts | null) =>
  derivedFrom('reservation', stayWith(before), stayWith(after)).map((event) => event.name);

const rows: [what: string, before: Amounts | null, after: Amounts | null, names: string[]][] = [
  [
    'a payment makes money owed to the guest',
    null,
    { paid: 200, deducted: 0, pending: 200 },
    ['deposit_paid', 'deposit_refund_pending'],
  ],
  [
    'a payment of which nothing is owed yet',
    { paid: 0, deducted: 0, pending: 0, status: 'unpaid' },
    { paid: 200, deducted: 0, pending: 0 },
    ['deposit_paid'],
  ],
  [
    'a deduction in part is no return',
    { paid: 200, deducted: 0, pending: 200 },
    { paid: 200, deducted: 50, pending: 150 },
    ['deposit_deducted'],
  ],
  [
    'a deduction in full stays paid and is no return',
    { paid: 200, deducted: 0, pending: 200 },
    { paid: 200, deducted: 200, pending: 0 },
    ['deposit_deducted'],
  ],
  [
    'a return is told by what is owed',
    { paid: 200, deducted: 50, pending: 150 },
    { paid: 200, deducted: 50, pending: 0, refunded: 150, status: 'refunded' },
    ['deposit_returned'],
  ],
  [
    'a return is one although the refunded amount reads 0',
    { paid: 200, deducted: 0, pending: 200 },
    { paid: 200, deducted: 0, pending: 0, refunded: 0, status: 'refunded' },
    ['deposit_returned'],
  ],
  [
    'a submitted refund of money that is still owed is no return',
    { paid: 200, deducted: 0, pending: 200 },
    { paid: 200, deducted: 0, pending: 200, refunded: 200 },
    ['deposit_changed'],
  ],
  [
    'a deduction and the return of the rest between two reads are both',
    { paid: 200, deducted: 0, pending: 200 },
    { paid: 200, deducted: 50, pending: 0, refunded: 150, status: 'refunded' },
    ['deposit_deducted', 'deposit_returned'],
  ],
  [
    'a payment taken back is no return',
    { paid: 200, deducted: 0, pending: 200 },
    { paid: 0, deducted: 0, pending: 0, status: 'unpaid' },
    ['deposit_changed'],
  ],
  [
    'paid and returned between two reads',
    { paid: 0, deducted: 0, pending: 0, status: 'unpaid' },
    { paid: 200, deducted: 0, pending: 0, status: 'refunded' },
    ['deposit_paid', 'deposit_returned'],
  ],
  [
    'amounts of two currencies are not compared',
    { paid: 200, deducted: 0, pending: 200 },
    { paid: 220, deducted: 0, pending: 220, currency: 'USD' },
    ['deposit_changed'],
  ],
  [
    'a status alone is a change without a name of its own',
    { paid: 200, deducted: 200, pending: 0 },
    { paid: 200, deducted: 200, pending: 0, status: 'refunded' },
    ['deposit_changed'],
  ],
];

for (const [what, before, after, expected] of rows) {
  test(what, () => assert.deepEqual(names(before, after), expected));
}

const cents = fc.integer({ min: 0, max: 30_000 }).map((minor) => minor / 100);
const deposit = fc.option(
  fc.record({
    paid: cents,
    deducted: cents,
    pending: cents,
    refunded: cents,
    status: fc.constantFrom('unpaid', 'paid', 'refunded', 'held'),
    currency: fc.constantFrom('EUR', 'JPY', 'XXY'),
  }),
);

test('whatever differs has a name, what is equal has none, and no name comes twice', () => {
  fc.assert(
    fc.property(deposit, deposit, (before, after) => {
      const found = names(before, after);
      const differs = JSON.stringify(stayWith(before)) !== JSON.stringify(stayWith(after));
      assert.equal(found.length > 0, differs);
      assert.equal(new Set(found).size, found.length);
      assert.ok(!found.includes('deposit_changed') || found.length === 1);
    }),
  );
});

/** One thing that happens to a deposit; the pending amount follows as the service computes it. */
const step = fc.oneof(
  fc.record({ does: fc.constant('pay' as const), amount: fc.integer({ min: 1, max: 500 }) }),
  fc.record({ does: fc.constant('deduct' as const), amount: fc.integer({ min: 1, max: 500 }) }),
  fc.record({ does: fc.constant('give_back' as const), amount: fc.integer({ min: 1, max: 500 }) }),
);

test('along any life of a deposit each payment, deduction and return is named once, read at each step', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.boolean(), (steps, countsRefunds) => {
      let paid = 0;
      let deducted = 0;
      let returned = 0;
      const state = (): Amounts => ({
        paid,
        deducted,
        pending: paid - deducted - returned,
        refunded: countsRefunds ? returned : 0,
      });
      let before = state();
      for (const { does, amount } of steps) {
        const owed = before.pending;
        const part = does === 'pay' ? amount : Math.min(amount, owed);
        if (part === 0) continue;
        if (does === 'pay') paid += part;
        if (does === 'deduct') deducted += part;
        if (does === 'give_back') returned += part;
        const after = state();
        const expected = {
          pay: owed === 0 ? ['deposit_paid', 'deposit_refund_pending'] : ['deposit_paid'],
          deduct: ['deposit_deducted'],
          give_back: ['deposit_returned'],
        }[does];
        assert.deepEqual(names(before, after), expected);
        assert.deepEqual(names(after, after), []);
        before = after;
      }
    }),
  );
});

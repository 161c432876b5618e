import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { paymentOf, paymentStatuses } from '../../src/core/reservations/rules.ts';
import { entryStatus } from '../../src/core/transactions/rules.ts';
import { startCore, type TestCore } from '../support/core.ts';

type Status = (typeof paymentStatuses)[number]['status'];

/** From nothing paid to too much. */
const ORDER: readonly Status[] = ['unreceived', 'partial', 'received', 'over_received'];
const rank = (status: Status) => ORDER.indexOf(status);
const amount = fc.integer({ min: 0, max: 100_000 });

describe('how far a booking is paid', () => {
  it('is one of the four described, by the first row of its table that holds', () => {
    assert.deepEqual(paymentStatuses.map((row) => row.status).toSorted(), [...ORDER].toSorted());
    const shown = (total: number, received: number) => paymentOf({ rate: total, commission: 0, received }).status;
    const rows: [total: number, received: number, status: Status][] = [
      [100, 0, 'unreceived'],
      [100, -5, 'unreceived'],
      [100, 1, 'partial'],
      [100, 99, 'partial'],
      [100, 100, 'received'],
      [100, 101, 'over_received'],
      [0, 0, 'received'],
      [0, 1, 'over_received'],
      [0, -1, 'unreceived'],
    ];
    for (const [total, received, status] of rows) assert.equal(shown(total, received), status, `${received}/${total}`);
  });

  it('moves on with what comes in and with what is owed less, and back with the opposite, never otherwise', () => {
    fc.assert(
      fc.property(amount, amount, amount, amount, (total, received, moreReceived, moreOwed) => {
        const at = (rate: number, paid: number) => rank(paymentOf({ rate, commission: 0, received: paid }).status);
        assert.ok(at(total, received + moreReceived) >= at(total, received));
        assert.ok(at(total + moreOwed, received) <= at(total, received));
      }),
    );
  });
});

describe('an entry', () => {
  it('is outstanding until its moment and paid from then on', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (at, now) => {
        assert.equal(entryStatus(at, now), at > now ? 'outstanding' : 'paid');
      }),
    );
  });
});

/** What happens to the money of a booking, in cents; `entry` says which of the entries made so far. */
type Step =
  | { kind: 'income' | 'refund' | 'expense'; cents: number }
  | { kind: 'edit'; entry: number; cents: number }
  | { kind: 'delete'; entry: number }
  | { kind: 'rate' | 'commission' | 'received'; cents: number };

const cents = fc.constantFrom(1, 50, 9_999, 10_000, 10_001, 20_000);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('income' as const, 'refund' as const, 'expense' as const), cents }),
  fc.record({ kind: fc.constant('edit' as const), entry: fc.nat(5), cents }),
  fc.record({ kind: fc.constant('delete' as const), entry: fc.nat(5) }),
  fc.record({ kind: fc.constantFrom('rate' as const, 'commission' as const, 'received' as const), cents }),
);

describe('the payment of a booking through its ledger', () => {
  let core: TestCore;
  let property: number;
  let items: Record<'income' | 'refund' | 'expense', object>;
  let week = 0;
  before(async () => {
    core = await startCore();
    property = (await core.call('createProperty', { title: 'Mill' })).property_id;
    const first = async (list: 'listIncomeItems' | 'listIncomeMethods' | 'listExpenseMethods') =>
      Object.values<{ id: number }[]>(await core.call(list))[0]?.[0]?.id;
    const { expense_items: expenses } = await core.call('listExpenseItems');
    const refund = expenses.find((one: { name: string }) => one.name === 'Refund').id;
    const other = expenses.find((one: { name: string }) => one.name === 'Cleaning').id;
    const paid_out = await first('listExpenseMethods');
    const [item_id, payment_method_id] = [await first('listIncomeItems'), await first('listIncomeMethods')];
    items = {
      income: { direction: 'income', item_id, payment_method_id },
      refund: { direction: 'expense', item_id: refund, payment_method_id: paid_out },
      expense: { direction: 'expense', item_id: other, payment_method_id: paid_out },
    };
  });
  after(() => core.close());

  interface Model {
    rate: number;
    commission: number;
    /** Entries made by hand: their sign is what they add to what was received. */
    entries: { id: number; sign: number; cents: number }[];
    /** The booking's own entry, which follows received_amount. */
    own: number;
  }

  const receivedOf = ({ entries, own }: Model) => entries.reduce((sum, one) => sum + one.sign * one.cents, own);

  async function book(): Promise<string> {
    week += 1;
    const at = (day: number) => new Date(Date.UTC(2027, 0, 7 * week + day)).toISOString().slice(0, 10);
    const { reservation_code } = await core.call('createReservation', {
      property_id: property,
      check_in_date: at(0),
      check_out_date: at(3),
      guest_name: 'A. Guest',
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
    });
    return reservation_code;
  }

  async function apply(code: string, model: Model, one: Step): Promise<Model> {
    const patch = (body: object) => core.call('updateReservation', { stay_code: code, ...body });
    switch (one.kind) {
      case 'income':
      case 'refund':
      case 'expense': {
        const entry = { ...items[one.kind], amount: one.cents / 100, reservation_code: code };
        const { transaction_id: id } = await core.call('createTransaction', entry);
        const sign = { income: 1, refund: -1, expense: 0 }[one.kind];
        return { ...model, entries: [...model.entries, { id, sign, cents: one.cents }] };
      }
      case 'edit': {
        const entry = model.entries[one.entry];
        if (!entry) return model;
        await core.call('updateTransaction', { id: entry.id, amount: one.cents / 100 });
        return { ...model, entries: model.entries.with(one.entry, { ...entry, cents: one.cents }) };
      }
      case 'delete': {
        const entry = model.entries[one.entry];
        if (!entry) return model;
        await core.call('deleteTransaction', { id: entry.id });
        return { ...model, entries: model.entries.toSpliced(one.entry, 1) };
      }
      case 'received':
        await patch({ received_amount: one.cents / 100 });
        return { ...model, own: one.cents };
      case 'rate':
      case 'commission':
        await patch({ [`${one.kind}_amount`]: one.cents / 100 });
        return { ...model, [one.kind]: one.cents };
    }
  }

  it('no sequence of operations shows another status than the amounts give, nor a balance below zero', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const code = await book();
        let model: Model = { rate: 100_00, commission: 0, entries: [], own: 0 };
        for (const one of steps) {
          model = await apply(code, model, one);
          const [stay] = (await core.call('listReservations', { reservation_code: code })).reservations;
          const expected = paymentOf({ ...model, received: receivedOf(model) });
          assert.deepEqual(stay.payment, {
            currency: 'EUR',
            total_amount: expected.total / 100,
            received_amount: expected.received / 100,
            balance_amount: expected.balance / 100,
            status: expected.status,
          });
          assert.ok(stay.payment.balance_amount >= 0);
        }
      }),
      { numRuns: 25 },
    );
  });
});

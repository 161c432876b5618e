import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bookDirect } from '../../src/core/reservations/book.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { type Answer, START, startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

/** Requests at once about one thing: whoever comes first, what is stored must agree with itself afterwards. */
function races(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let property: number;
  let second: number;
  let income: { item_id: number; payment_method_id: number };
  let month = 0;
  before(async () => {
    core = await startCore(await place());
    property = (await core.call('createProperty', { title: 'Mill' })).property_id;
    second = (await core.call('createProperty', { title: 'Barn' })).property_id;
    income = {
      item_id: (await core.call('listIncomeItems')).income_items[0].id,
      payment_method_id: (await core.call('listIncomeMethods')).income_methods[0].id,
    };
  });
  after(() => core.close());

  /** A booking of three nights in a month of its own. */
  async function book(more: object = {}): Promise<string> {
    month += 1;
    const at = (day: number) => new Date(Date.UTC(2027, month, day)).toISOString().slice(0, 10);
    const { reservation_code } = await core.call('createReservation', {
      property_id: property,
      check_in_date: at(5),
      check_out_date: at(8),
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
      ...more,
    });
    return reservation_code;
  }

  async function ask(...request: Parameters<TestCore['request']>): Promise<Answer> {
    const answer = await core.request(...request);
    assert.notEqual(answer.error_code, 500, request.join(' '));
    return answer;
  }
  const patch = (code: string, body: object) => ask('PATCH', `/reservations/${code}`, { body });
  const stayOf = async (code: string) =>
    (await core.call('listReservations', { reservation_code: code })).reservations[0];
  const codes = (answers: readonly Answer[]) => answers.map((answer) => answer.error_code).toSorted();
  const eventsOf = async (work: () => Promise<unknown>) => {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  };

  it('two rates: the total is the rate that is there', async () => {
    for (let i = 0; i < 5; i += 1) {
      const code = await book();
      await Promise.all([
        patch(code, { rate_amount: 200 }),
        patch(code, { rate_amount: 400 }),
        patch(code, { commission_amount: 30 }),
      ]);
      const { rates, payment } = await stayOf(code);
      assert.deepEqual(rates.total_rate, rates.rate);
      assert.deepEqual([rates.total_commission.amount, rates.commission.amount], [30, 30]);
      assert.equal(payment.total_amount, rates.rate.amount - 30);
    }
  });

  it('cancelling and moving: a cancelled booking holds no night', async () => {
    for (let i = 0; i < 5; i += 1) {
      const code = await book();
      const stay = await stayOf(code);
      const moved = { check_out_date: stay.check_out_date.replace(/\d\d$/, '10') };
      await Promise.all([
        patch(code, moved),
        ask('DELETE', `/reservations/${code}`),
        patch(code, { note: 'x' }),
      ]);
      assert.equal((await stayOf(code)).status, 'cancelled');
      const { properties } = await core.call('listAvailabilities', {
        property_ids: String(property),
        start_date: stay.check_in_date,
        end_date: moved.check_out_date,
      });
      assert.ok(properties[0].availabilities.every((night: { available: boolean }) => night.available));
    }
  });

  it('cancelling ten times: once, and told once', async () => {
    const code = await book();
    const events = await eventsOf(async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => ask('DELETE', `/reservations/${code}`)),
      );
      assert.deepEqual(codes(answers), [200, ...Array.from({ length: 9 }, () => 400)]);
    });
    assert.equal(events.length, 2);
  });

  it('one reference ten times: one booking', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        book({ check_in_date: '2029-05-05', check_out_date: '2029-05-06', channel_id: 'RACE' }),
      ),
    );
    assert.equal(new Set(answers).size, 1);
    assert.equal((await core.call('listReservations', { channel_id: 'RACE' })).total, 1);
  });

  it('one entry deleted ten times, and changed meanwhile: deleted once, told of no change after it, no share left', async () => {
    const night = { check_in_date: '2029-07-01', check_out_date: '2029-07-02' };
    const room = (property_id: number) => ({ ...night, property_id, rate: 100_00, commission: 0, number_of_guests: 1 });
    const { reservation_code } = await core.change(core.own.account, (change) =>
      bookDirect(change, {
        rooms: [room(property), room(second)],
        guest: { name: 'B. Guest' },
        currency: 'EUR',
        booked_at: new Date(START).toISOString(),
      }),
    );
    const { transaction_id: id } = await core.call('createTransaction', {
      direction: 'income',
      amount: 10,
      reservation_code,
      ...income,
    });
    const events = await eventsOf(async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => [
          ask('PATCH', `/transactions/${id}`, { body: { amount: 20 + index } }),
          ask('DELETE', `/transactions/${id}`),
        ]).flat(),
      );
      assert.deepEqual(codes(answers.filter((_, index) => index % 2 === 1)), [
        200,
        ...Array.from({ length: 9 }, () => 404),
      ]);
    });
    const kinds = events.map((event) => event['event']);
    assert.equal(kinds.indexOf('transaction_deleted'), kinds.length - 1);
    const { db } = core.core.store;
    assert.deepEqual(await db.selectFrom('allocations').selectAll().where('transaction_id', '=', id).execute(), []);
  });

  it('a currency changed while an entry is made: the entry is in the booking’s', async () => {
    for (let i = 0; i < 5; i += 1) {
      const code = await book();
      const entry = { direction: 'income', amount: 10, reservation_code: code, ...income };
      const [, made] = await Promise.all([
        patch(code, { currency: 'USD' }),
        ask('POST', '/transactions', { body: entry }),
        patch(code, { currency: 'CHF' }),
      ]);
      const { transactions } = await core.call('listTransactions', { id: made.data.transaction_id });
      assert.equal(transactions[0].currency, (await stayOf(code)).payment.currency);
    }
  });

  it('one received amount ten times: one entry', async () => {
    const code = await book();
    await Promise.all(Array.from({ length: 10 }, (_, index) => patch(code, { received_amount: 10 + index })));
    const { transactions } = await core.call('listTransactions', {
      reservation_code: code,
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    });
    assert.equal(transactions.length, 1);
  });

  it('one name ten times: one property; ten names: as many as the quota allows', async () => {
    const create = (title: string, token = core.own.token) =>
      ask('POST', '/properties', { token, body: { title } });
    assert.deepEqual(codes(await Promise.all(Array.from({ length: 10 }, () => create('Twin')))), [
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    const { token } = await core.addAccount('small', { property_quota: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => create(`House ${index}`, token)));
    assert.deepEqual(codes(answers), [200, 200, 200, ...Array.from({ length: 7 }, () => 420)]);
  });
}

describe('requests at once on SQLite', () => races(async () => undefined));

describeOnPostgres('requests at once on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  races(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});

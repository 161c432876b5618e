import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addDays } from '../../src/kernel/dates.ts';
import { bookDirect } from '../../src/core/reservations/book.ts';
import { turn } from '../../src/kernel/clock.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { type Answer, START, startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

/** Requests at once about one thing: whoever comes first, what is stored must agree with itself afterwards. */
function races(place: () => Promise<StoreLocation | undefined>): void {
  let core: TestCore;
  let property: number;
  let second: number;
  let income: { item_id: number; payment_method_id: number };
  let week = 0;
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

  /** A booking of three nights in a week of its own. */
  async function book(more: object = {}): Promise<string> {
    week += 1;
    const at = (day: number) => new Date(Date.UTC(2027, 0, 7 * week + day)).toISOString().slice(0, 10);
    const { reservation_code } = await core.call('createReservation', {
      property_id: property,
      check_in_date: at(0),
      check_out_date: at(3),
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
    assert.notEqual(answer.error_code, 500, `${request[0]} ${request[1]}`);
    return answer;
  }
  const patch = (code: string, body: object) => ask('PATCH', `/reservations/${code}`, { body });
  const stayOf = async (code: string) =>
    (await core.call('listReservations', { reservation_code: code })).reservations[0];
  const codes = (answers: readonly Answer[]) => answers.map((answer) => answer.error_code).toSorted((a, b) => a - b);
  const eventsOf = async (work: () => Promise<unknown>) => {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  };

  it('one name, one property, one entire link at once: one is made', async () => {
    for (let i = 0; i < 5; i += 1) {
      const three = (method: string, path: string, body: object) =>
        Promise.all([1, 2, 3].map(() => ask(method, path, { body })));
      assert.deepEqual(codes(await three('POST', '/groups', { name: `Group ${i}` })), [200, 409, 409]);
      assert.deepEqual(codes(await three('POST', '/tags', { name: `Tag ${i}` })), [200, 409, 409]);
      assert.deepEqual(codes(await three('POST', '/reservation_tags', { tag_name: `Tag ${i}` })), [200, 409, 409]);
      const { property_id } = await core.call('createProperty', { title: `Room ${i}` });
      const types = ['a', 'b', 'c'].map((letter) =>
        ask('POST', '/room_types', { body: { title: `Type ${letter}${i}`, property_ids: [property_id] } }),
      );
      assert.deepEqual(codes(await Promise.all(types)), [200, 409, 409]);
      const links = await three('POST', '/calendar_share_links', { scope: 'entire' });
      assert.equal(new Set(links.map((link) => link.data.url)).size, 1);
    }
  });

  it('one tag put on one stay at once: it is told once; deleted meanwhile, no stay keeps it', async () => {
    for (let i = 0; i < 5; i += 1) {
      const [code, other] = [await book(), await book()];
      const body = { tag_name: `Same ${i}` };
      const put = (stay: string) => ask('POST', `/reservations/${stay}/tags`, { body });
      const told = await eventsOf(() => Promise.all([put(code), put(code), put(code)]));
      assert.equal(told.length, 1);
      const [tag] = (await core.call('listReservationTags', { keyword: body.tag_name })).reservation_tags;
      await Promise.all([ask('DELETE', `/reservation_tags/${tag.id}`), put(other)]);
      const [left] = (await core.call('listReservationTags', { keyword: body.tag_name })).reservation_tags;
      // Deleted first, it came back with the other stay; deleted last, nobody has it.
      assert.deepEqual((await stayOf(code)).tags, []);
      assert.deepEqual((await stayOf(other)).tags, left ? [body.tag_name] : []);
    }
  });

  it('two stays that change places at once: each is where it was asked to be or in the box, and the nights agree', async () => {
    for (let i = 0; i < 5; i += 1) {
      const one = await book();
      const { check_in_date, check_out_date } = await stayOf(one);
      const other = await book({ property_id: second, check_in_date, check_out_date });
      const allocate = (code: string, property_id: number) =>
        ask('POST', `/reservations/${code}/allocate`, { body: { property_id } });
      const answers = await Promise.all([allocate(one, second), allocate(other, property)]);
      assert.deepEqual(codes(answers), [200, 200]);
      const places = [(await stayOf(one)).property_id, (await stayOf(other)).property_id];
      assert.ok([0, second].includes(places[0]) && [0, property].includes(places[1]), String(places));
      const nights = await core.core.store.db
        .selectFrom('nights')
        .where('night', '=', check_in_date)
        .select('property_id')
        .orderBy('property_id')
        .execute();
      assert.deepEqual(
        nights.map((night) => night.property_id),
        places.filter((place) => place !== 0).toSorted((a, b) => a - b),
      );
    }
  });

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

  /** The second request starts so many turns of the loop after the first, for every way in which they can meet. */
  async function meeting(
    first: () => Promise<Answer>,
    second: () => Promise<Answer>,
    turns: number,
  ): Promise<Answer[]> {
    const running = first();
    for (let i = 0; i < turns; i += 1) await turn();
    return Promise.all([running, second()]);
  }
  const MEETINGS = Array.from({ length: 12 }, (_, turns) => turns);

  it('moving and cancelling: a cancelled booking holds no night', async () => {
    for (const turns of MEETINGS) {
      const code = await book();
      const stay = await stayOf(code);
      const check_out_date = addDays(stay.check_out_date, 2);
      await meeting(
        () => patch(code, { check_out_date }),
        () => ask('DELETE', `/reservations/${code}`),
        turns,
      );
      assert.equal((await stayOf(code)).status, 'cancelled');
      const range = { start_date: stay.check_in_date, end_date: check_out_date };
      const { properties } = await core.call('listAvailabilities', { property_ids: String(property), ...range });
      const nights: { available: boolean }[] = properties[0].availabilities;
      assert.ok(
        nights.every((night) => night.available),
        `${turns} turns apart`,
      );
    }
  });

  it('cancelling ten times: once, and told once', async () => {
    const code = await book();
    const events = await eventsOf(async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask('DELETE', `/reservations/${code}`)));
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

  it('changing and deleting an entry: no share is left, and nothing is told of it after its end', async () => {
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
    const { db } = core.core.store;
    for (const turns of MEETINGS) {
      const entry = { direction: 'income', amount: 10, reservation_code, ...income };
      const { transaction_id: id } = await core.call('createTransaction', entry);
      const remove = () => ask('DELETE', `/transactions/${id}`);
      const events = await eventsOf(async () => {
        const [changed, removed] = await meeting(
          () => ask('PATCH', `/transactions/${id}`, { body: { amount: 20 } }),
          remove,
          turns,
        );
        assert.ok([200, 404].includes(changed?.error_code ?? 0));
        assert.deepEqual([removed?.error_code, (await remove()).error_code], [200, 404]);
      });
      assert.equal(events.at(-1)?.['event'], 'transaction_deleted', `${turns} turns apart`);
      assert.deepEqual(await db.selectFrom('allocations').selectAll().where('transaction_id', '=', id).execute(), []);
    }
    const { transaction_id: id } = await core.call('createTransaction', {
      direction: 'income',
      amount: 1,
      reservation_code,
      ...income,
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask('DELETE', `/transactions/${id}`)));
    assert.deepEqual(codes(answers), [200, ...Array.from({ length: 9 }, () => 404)]);
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

  it('ten direct bookings of one night over HTTP: one is made, nine are told 409; one stay, one reservation_created', async () => {
    const base = await core.app.listen({ port: 0, host: '127.0.0.1' });
    const night = { check_in_date: '2029-01-05', check_out_date: '2029-01-06' };
    const money = { rate_amount: 100, commission_amount: 0, received_amount: 0 };
    const send = async (guest: number): Promise<number> => {
      const response = await fetch(`${base}/v3/reservations`, {
        method: 'POST',
        headers: { 'service-access-token': core.own.token, 'content-type': 'application/json' },
        body: JSON.stringify({ property_id: property, ...night, guest_name: `Guest ${guest}`, ...money }),
      });
      assert.equal(response.status, 200);
      return ((await response.json()) as Answer).error_code;
    };
    let answers: number[] = [];
    const told = await eventsOf(async () => {
      answers = await Promise.all(Array.from({ length: 10 }, (_, guest) => send(guest)));
    });
    assert.deepEqual(
      answers.toSorted((a, b) => a - b),
      [200, ...Array.from({ length: 9 }, () => 409)],
    );
    const { db } = core.core.store;
    const stays = await db.selectFrom('stays').where('check_in_date', '=', night.check_in_date).selectAll().execute();
    assert.equal(stays.length, 1);
    assert.deepEqual(
      told.map(({ event, stay_code, property_id }) => [event, stay_code, property_id]),
      [
        ['reservation_created', stays[0]?.stay_code, property],
        ['property_availability_updated', undefined, property],
      ],
    );
  });

  it('one name ten times: one property; ten names: as many as the quota allows', async () => {
    const create = (title: string, token = core.own.token) => ask('POST', '/properties', { token, body: { title } });
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

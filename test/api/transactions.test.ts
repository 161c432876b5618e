import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bookDirect } from '../../src/core/reservations/book.ts';
import { START, startCore, type TestCore } from '../support/core.ts';

interface Entry {
  id: number;
  amount: number;
  [field: string]: unknown;
}

describe('the ledger over v3', () => {
  let core: TestCore;
  let property: number;
  let code: string;
  let lake: { reservation_code: string; rooms: [number, number] };
  let income: { item_id: number; payment_method_id: number };
  let cleaning: { item_id: number; payment_method_id: number };
  let refund: { item_id: number; payment_method_id: number };

  before(async () => {
    core = await startCore();
    const first = async (id: 'listIncomeMethods' | 'listExpenseMethods', name: string) =>
      (await core.call(id))[name][0].id;
    const income_method = await first('listIncomeMethods', 'income_methods');
    const expense_method = await first('listExpenseMethods', 'expense_methods');
    const { expense_items } = await core.call('listExpenseItems');
    const { income_items } = await core.call('listIncomeItems');
    const named = (items: { id: number; name: string }[], name: string) =>
      items.find((item) => item.name === name)?.id ?? 0;
    income = { item_id: named(income_items, 'Accommodation'), payment_method_id: income_method };
    refund = { item_id: named(expense_items, 'Refund'), payment_method_id: expense_method };
    cleaning = { item_id: named(expense_items, 'Cleaning'), payment_method_id: expense_method };
    property = await newProperty('Sea House');
    code = await book(property, 1, { currency: 'USD' });
    lake = await bookTwoRooms();
  });
  after(() => core.close());

  const newProperty = async (name: string): Promise<number> =>
    (await core.call('createProperty', { title: name })).property_id;

  async function book(property_id: number, month: number, more: object = {}): Promise<string> {
    const { reservation_code } = await core.call('createReservation', {
      property_id,
      check_in_date: `2027-0${month}-05`,
      check_out_date: `2027-0${month}-08`,
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
      ...more,
    });
    return reservation_code;
  }

  /** No operation of v3 makes a booking of two rooms; channels and imports do. Rates are 200 and 100. */
  async function bookTwoRooms() {
    const rooms: [number, number] = [await newProperty('Lake 1'), await newProperty('Lake 2')];
    const night = { check_in_date: '2027-05-01', check_out_date: '2027-05-02', commission: 0, number_of_guests: 2 };
    const booked = await core.change(core.own.account, (change) =>
      bookDirect(change, {
        rooms: [
          { ...night, property_id: rooms[0], rate: 200_00 },
          { ...night, property_id: rooms[1], rate: 100_00 },
        ],
        guest: { name: 'B. Guest' },
        currency: 'EUR',
        booked_at: new Date(START).toISOString(),
      }),
    );
    return { reservation_code: booked.reservation_code, rooms };
  }

  const add = async (more: object): Promise<number> =>
    (await core.call('createTransaction', { direction: 'income', amount: 10, ...income, ...more })).transaction_id;
  const spend = (more: object) => add({ direction: 'expense', ...cleaning, ...more });
  const read = async (id: number): Promise<Entry> => (await core.call('listTransactions', { id })).transactions[0];
  const YEAR = { start_date: '2026-01-01', end_date: '2026-12-31', limit: 100 };
  const list = async (filters: object): Promise<Entry[]> =>
    (await core.call('listTransactions', { ...YEAR, ...filters })).transactions;
  const ids = async (filters: object): Promise<number[]> => (await list(filters)).map((entry) => entry.id);
  const eventsOf = async (work: () => Promise<unknown>) => {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  };
  const paymentOf = async (reservation_code: string) =>
    (await core.call('listReservations', { reservation_code })).reservations[0].payment;

  it('an entry belongs to a reservation, a property or the operator; each is told once', async () => {
    let made: number[] = [];
    const events = await eventsOf(async () => {
      made = [
        await add({ reservation_code: code }),
        await add({ property_id: property, currency: 'EUR' }),
        await add({ currency: 'CHF' }),
      ];
    });
    assert.deepEqual(
      events,
      made.map((id) => ({ event: 'transaction_created', transaction_id: id })),
    );
    const [ofStay, ofProperty, ofOperator] = await Promise.all(made.map(read));
    assert.deepEqual(ofStay, {
      id: made[0],
      reservation_code: code,
      stay_code: code,
      property_id: null,
      direction: 'income',
      item_id: income.item_id,
      item_name: 'Accommodation',
      payment_method_id: income.payment_method_id,
      payment_method_name: 'Bank transfer',
      amount: 10,
      currency: 'USD',
      action_at: '2026-11-20T13:00:00+01:00',
      note: '',
      status: 'paid',
      operator_name: 'own',
      link_type: 'reservation',
      property_title: 'Sea House',
      created_at: '2026-11-20T13:00:00+01:00',
      updated_at: '2026-11-20T13:00:00+01:00',
    });
    const link = (entry: Entry | undefined) => [
      entry?.['reservation_code'],
      entry?.['stay_code'],
      entry?.['property_id'],
      entry?.['link_type'],
      entry?.['property_title'],
      entry?.['currency'],
    ];
    assert.deepEqual(link(ofProperty), [null, null, property, 'property', 'Sea House', 'EUR']);
    assert.deepEqual(link(ofOperator), [null, null, null, 'operator', null, 'CHF']);
  });

  it('what the service posts itself is by System', async () => {
    const id = await add({ currency: 'EUR' });
    await core.core.store.db.updateTable('transactions').set({ operator_id: null }).where('id', '=', id).execute();
    assert.equal((await read(id))['operator_name'], 'System');
  });

  it('PATCH changes five fields and is told; direction, link, currency and the rest stay', async () => {
    const id = await add({ property_id: property, currency: 'EUR', note: 'first' });
    const before = await read(id);
    await core.clock.advance(60_000);
    const change = { amount: 12.34, note: 'second', action_at: '2026-11-01T10:00:00' };
    const fixed = {
      direction: 'expense',
      currency: 'USD',
      property_id: 999,
      reservation_code: code,
      status: 'outstanding',
      created_at: '2000-01-01T00:00:00Z',
    };
    const events = await eventsOf(() =>
      core.request('PATCH', `/transactions/${id}`, { body: { ...fixed, ...change } }),
    );
    assert.deepEqual(events, [{ event: 'transaction_updated', transaction_id: id }]);
    const after = {
      ...before,
      ...change,
      action_at: '2026-11-01T10:00:00+01:00',
      updated_at: '2026-11-20T13:01:00+01:00',
    };
    assert.deepEqual(await read(id), after);
    const silent = await eventsOf(async () => {
      for (const body of [{}, fixed, change])
        assert.equal((await core.request('PATCH', `/transactions/${id}`, { body })).error_code, 200);
    });
    assert.deepEqual(silent, [], 'nothing changed, nothing told');
    assert.deepEqual(await read(id), after);
    const wrong = await core.request('PATCH', `/transactions/${id}`, { body: { item_id: cleaning.item_id } });
    assert.equal(wrong.error_code, 404, 'an item of the other direction');
    assert.deepEqual(await read(id), after);
  });

  it('an edit leaves action_at where it was, though it is made weeks later', async () => {
    const id = await add({ property_id: property, currency: 'EUR', action_at: '2026-10-05T08:00:00Z' });
    for (const change of [{ amount: 3 }, { note: 'counted' }, { amount: 4, note: 'again' }]) {
      await core.call('updateTransaction', { id, ...change });
      assert.equal((await read(id)).action_at, '2026-10-05T10:00:00+02:00');
    }
  });

  it('DELETE ends an entry and its shares for good, and can be done once', async () => {
    const id = await add({ reservation_code: lake.reservation_code });
    const events = await eventsOf(() => core.call('deleteTransaction', { id }));
    assert.deepEqual(events, [{ event: 'transaction_deleted', transaction_id: id }]);
    assert.deepEqual(await core.call('listTransactions', { id }), { transactions: [], total: 0 });
    assert.deepEqual(await sharesOf(id), []);
    assert.equal((await core.request('DELETE', `/transactions/${id}`)).error_code, 404);
    assert.equal((await core.request('PATCH', `/transactions/${id}`, { body: { amount: 1 } })).error_code, 404);
  });

  describe('action_at', () => {
    const moments: [given: string | undefined, answered: string, why: string][] = [
      [undefined, '2026-11-20T13:01:00+01:00', 'left out: now'],
      ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00+01:00', 'UTC'],
      ['2026-11-20T10:00:00-05:00', '2026-11-20T16:00:00+01:00', 'an offset of its own'],
      ['2026-11-20T10:00:00+01', '2026-11-20T10:00:00+01:00', 'an offset of hours alone'],
      ['2026-11-20T10:00:00', '2026-11-20T10:00:00+01:00', 'none: operator time, in winter'],
      ['2026-07-20T10:00:00', '2026-07-20T10:00:00+02:00', 'none: operator time, in summer'],
      ['2026-11-20 10:00', '2026-11-20T10:00:00+01:00', 'a blank and no seconds'],
      ['2026-11-20', '2026-11-20T00:00:00+01:00', 'a date: its midnight'],
      ['2026-11-20T10:00:00.999Z', '2026-11-20T11:00:00+01:00', 'parts of a second'],
      ['2026-03-29T02:30:00', '2026-03-29T03:30:00+02:00', 'an hour that the zone skips'],
      ['2026-10-25T02:30:00', '2026-10-25T02:30:00+02:00', 'an hour that the zone repeats: the first'],
      ['2026-10-25T02:30:00+01:00', '2026-10-25T02:30:00+01:00', 'the second, by its offset'],
      ['2026-10-25T01:30:00Z', '2026-10-25T02:30:00+01:00', 'the second, by UTC'],
    ];
    for (const [given, answered, why] of moments) {
      it(`${why}: ${given ?? ''}`, async () => {
        const id = await add({ currency: 'EUR', ...(given !== undefined && { action_at: given }) });
        assert.equal((await read(id))['action_at'], answered);
        if (given === undefined) return;
        const other = await add({ currency: 'EUR' });
        await core.call('updateTransaction', { id: other, action_at: given });
        assert.equal((await read(other))['action_at'], answered, 'also by PATCH');
      });
    }

    const days: [date: string, first: string, last: string, why: string][] = [
      ['2026-06-15', '2026-06-14T22:00:00Z', '2026-06-15T21:59:59Z', 'a summer day'],
      ['2026-02-15', '2026-02-14T23:00:00Z', '2026-02-15T22:59:59Z', 'a winter day'],
      ['2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z', 'a day of 23 hours'],
      ['2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z', 'a day of 25 hours'],
    ];
    for (const [date, first, last, why] of days) {
      it(`the window goes by operator days, both included: ${why}`, async () => {
        const place = { property_id: await newProperty(why), currency: 'EUR' };
        const at = (instant: string, ms = 0) =>
          add({ ...place, action_at: new Date(Date.parse(instant) + ms).toISOString() });
        await at(first, -1);
        const inside = [await at(first), await at(last), await at(last, 999)];
        await at(last, 1_000);
        assert.deepEqual(
          await ids({ property_id: place.property_id, start_date: date, end_date: date }),
          inside.toReversed(),
        );
        assert.equal((await ids({ property_id: place.property_id })).length, 5);
      });
    }

    it('in the future an entry is outstanding, and paid as soon as the moment is there', async () => {
      const id = await add({ currency: 'EUR', action_at: new Date(core.clock.now() + 60_000).toISOString() });
      assert.equal((await read(id))['status'], 'outstanding');
      await core.clock.advance(59_999);
      assert.equal((await read(id))['status'], 'outstanding');
      await core.clock.advance(1);
      assert.equal((await read(id))['status'], 'paid');
    });
  });

  it('payment follows income and refunds of the reservation, and nothing else', async () => {
    const stay = await book(property, 2);
    const payment = async (received: number, status: string) =>
      assert.deepEqual(await paymentOf(stay), {
        currency: 'EUR',
        total_amount: 300,
        received_amount: received,
        balance_amount: Math.max(0, 300 - received),
        status,
      });
    await payment(0, 'unreceived');
    await add({ reservation_code: stay, amount: 100.5 });
    await payment(100.5, 'partial');
    await add({ reservation_code: stay, amount: 199.5 });
    await payment(300, 'received');
    await add({ reservation_code: stay, amount: 0.01 });
    await payment(300.01, 'over_received');
    const given = await spend({ reservation_code: stay, amount: 0.01, ...refund });
    await payment(300, 'received');
    await spend({ reservation_code: stay, amount: 50 });
    await payment(300, 'received');
    await core.call('updateTransaction', { id: given, amount: 200 });
    await payment(100.01, 'partial');
    await spend({ reservation_code: stay, amount: 150, ...refund });
    await payment(-49.99, 'unreceived');
    await core.call('deleteTransaction', { id: given });
    await payment(150.01, 'partial');
    const free = await book(property, 3, { rate_amount: 20, commission_amount: 20 });
    assert.deepEqual(await paymentOf(free), {
      currency: 'EUR',
      total_amount: 0,
      received_amount: 0,
      balance_amount: 0,
      status: 'received',
    });
  });

  it('received_amount at creation is one entry, which follows later changes; other entries do not', async () => {
    const stay = await book(property, 4, { received_amount: 80 });
    const own = await ids({ reservation_code: stay });
    assert.equal(own.length, 1);
    await add({ reservation_code: stay, amount: 20 });
    await core.call('updateReservation', { stay_code: stay, received_amount: 120 });
    const amounts = (await list({ reservation_code: stay })).map((entry) => entry.amount);
    assert.deepEqual(amounts, [20, 120]);
    assert.equal((await paymentOf(stay)).received_amount, 140);
  });

  it('stay_code is another name of reservation_code, in bodies and in filters', async () => {
    const stay = await book(property, 6);
    const id = await add({ stay_code: stay });
    const entry = await read(id);
    assert.deepEqual([entry['reservation_code'], entry['stay_code'], entry['currency']], [stay, stay, 'EUR']);
    assert.deepEqual([await ids({ stay_code: stay }), await ids({ reservation_code: stay })], [[id], [id]]);
  });

  describe('filters', () => {
    it('direction, item, method and currency', async () => {
      const at = { property_id: await newProperty('Filters') };
      const eur = await add({ ...at, currency: 'EUR' });
      const usd = await add({ ...at, currency: 'USD' });
      const out = await spend({ ...at, currency: 'EUR' });
      const only = (filters: object) => ids({ ...at, ...filters });
      assert.deepEqual(await only({ direction: 'income' }), [usd, eur]);
      assert.deepEqual(await only({ direction: 'expense' }), [out]);
      assert.deepEqual(await only({ item_id: cleaning.item_id }), [out]);
      assert.deepEqual(await only({ payment_method_id: income.payment_method_id }), [usd, eur]);
      assert.deepEqual(await only({ currency: 'EUR', direction: 'income' }), [eur]);
      assert.deepEqual(await only({ currency: 'GBP' }), []);
    });

    it('an id alone finds its entry whatever the dates, beside dates only within them', async () => {
      const id = await add({ currency: 'EUR', action_at: '2020-01-01' });
      assert.deepEqual((await core.call('listTransactions', { id })).total, 1);
      assert.deepEqual(await ids({ id }), []);
    });

    const notes: [note: string, keyword: string, found: boolean][] = [
      ['50% deposit', '50%', true],
      ['50 percent', '50%', false],
      ['a_b', 'a_b', true],
      ['axb', 'a_b', false],
      ['back\\slash', 'k\\s', true],
      ['backslash', 'k\\s', false],
      ['Cleaning of Room', 'ROOM', true],
      ['Ärger mit Öfen', 'Ärger', true],
      ['Ärger mit Öfen', 'mit Öfen', true],
      ['Ärger mit Öfen', 'ärger MIT öFEN', true],
      ['Ärger mit Öfen'.normalize('NFD'), 'ÖFEN', true],
      ['Ärger mit Öfen', 'öfen'.normalize('NFD'), true],
      ['УБОРКА', 'уборка', true],
      ['Ärger', 'Arger', false],
      ["it's", "'", true],
      ['', 'x', false],
      ['two\nlines', 'o\nl', true],
    ];
    for (const [note, keyword, found] of notes) {
      it(`keyword ${JSON.stringify(keyword)} ${found ? 'is in' : 'is not in'} ${JSON.stringify(note)}`, async () => {
        const id = await add({ currency: 'EUR', note });
        assert.equal((await ids({ keyword, id })).length, found ? 1 : 0);
      });
    }
  });

  const sharesOf = (id: number) =>
    core.core.store.db
      .selectFrom('allocations')
      .where('transaction_id', '=', id)
      .select(['stay_code', 'amount'])
      .orderBy('stay_code')
      .execute();

  it('an entry of several rooms is one entry; its shares by room rates stand beside it', async () => {
    const { reservation_code, rooms } = lake;
    const stays = [1, 2].map((room) => `${reservation_code}-${room}`);
    const ofRoom = (amounts: number[]) => stays.map((stay_code, index) => ({ stay_code, amount: amounts[index] }));
    for (const named of [{ stay_code: stays[1] }, { reservation_code: stays[0] }, { reservation_code }]) {
      const events = await eventsOf(async () => {
        const id = await add({ ...named, amount: 100 });
        const entry = await read(id);
        assert.deepEqual(
          [entry['reservation_code'], entry['stay_code'], entry.amount, entry['currency']],
          [reservation_code, reservation_code, 100, 'EUR'],
        );
        assert.deepEqual(await sharesOf(id), ofRoom([66_67, 33_33]));
        await core.call('updateTransaction', { id, amount: 0.01 });
        assert.deepEqual(await sharesOf(id), ofRoom([1, 0]));
        await core.call('updateTransaction', { id, note: 'x' });
        assert.deepEqual(await sharesOf(id), ofRoom([1, 0]));
      });
      assert.equal(events.length, 3);
    }
    const found = await ids({ reservation_code });
    assert.equal(found.length, 3);
    for (const filter of [
      { stay_code: stays[0] },
      { reservation_code: stays[1] },
      { property_id: rooms[0] },
      { property_id: rooms[1] },
    ]) {
      assert.deepEqual(await ids(filter), found, JSON.stringify(filter));
    }
    const { reservations } = await core.call('listReservations', { reservation_code });
    assert.deepEqual(reservations[0].payment, reservations[1].payment);
    assert.equal(reservations[0].payment.total_amount, 300);
    const one = await add({ property_id: rooms[1], currency: 'EUR' });
    assert.deepEqual(await sharesOf(one), [], 'one unit is meant by its property');
    assert.ok(!(await ids({ property_id: rooms[0] })).includes(one));
  });

  it('pages: newest number first whatever the dates, no row twice or missing, the total throughout', async () => {
    const place = { property_id: await newProperty('Pages'), currency: 'EUR' };
    const made: number[] = [];
    for (const day of [5, 1, 4, 2, 3, 6, 7]) made.push(await add({ ...place, action_at: `2026-05-0${day}` }));
    const seen: number[] = [];
    for (let offset = 0; offset < made.length; offset += 3) {
      const page = await core.call('listTransactions', { ...YEAR, property_id: place.property_id, offset, limit: 3 });
      assert.equal(page.total, made.length);
      seen.push(...page.transactions.map((entry: Entry) => entry.id));
    }
    assert.deepEqual(seen, made.toReversed());
    const past = await core.call('listTransactions', { ...YEAR, property_id: place.property_id, offset: 50 });
    assert.deepEqual(past, { transactions: [], total: made.length });
  });

  it('a booking’s currency cannot change once it has entries', async () => {
    const stay = await book(property, 7);
    await core.call('updateReservation', { stay_code: stay, currency: 'USD' });
    const id = await add({ stay_code: stay });
    assert.equal((await read(id))['currency'], 'USD');
    const refused = await core.request('PATCH', `/reservations/${stay}`, { body: { currency: 'EUR' } });
    assert.deepEqual([refused.error_code, refused.error_msg.startsWith('currency')], [400, true]);
  });

  describe('a sub-account', () => {
    let mill: number;
    let token: string;
    let seen: number[];
    before(async () => {
      mill = await newProperty('Mill');
      token = await core.addSubAccount(core.own.account, [mill, lake.rooms[0]]);
      const stay = await book(mill, 8);
      seen = [await add({ property_id: mill, currency: 'EUR' }), await add({ reservation_code: stay })].toReversed();
    });
    const as = (method: string, path: string, body?: object) =>
      core.request(method, path, { token, ...(body && { body }) });
    const entry = () => ({ direction: 'income', amount: 1, currency: 'EUR', ...income });

    it('makes no entry of the operator: 401', async () => {
      const answer = await as('POST', '/transactions', entry());
      assert.deepEqual([answer.error_code, answer.error_msg], [401, 'Not authorized for this action']);
    });

    it('makes entries where it may see, and nowhere else', async () => {
      const made = await as('POST', '/transactions', { ...entry(), property_id: mill });
      assert.equal(made.error_code, 200);
      assert.equal((await as('DELETE', `/transactions/${made.data.transaction_id}`)).error_code, 200);
      assert.equal((await as('POST', '/transactions', { ...entry(), property_id: property })).error_code, 404);
      const hidden = await as('POST', '/transactions', { ...entry(), currency: undefined, reservation_code: code });
      assert.deepEqual([hidden.error_code, hidden.error_msg], [404, 'This resource is no longer available.']);
    });

    it('finds the entries of its properties only, one room of a booking being enough', async () => {
      const { transactions, total } = await core.call('listTransactions', YEAR, token);
      const expected = [...seen, ...(await ids({ property_id: lake.rooms[0] }))].toSorted((a, b) => b - a);
      assert.deepEqual(
        transactions.map((one: Entry) => one.id),
        expected,
      );
      assert.equal(total, expected.length);
      assert.deepEqual(await core.call('listTransactions', { ...YEAR, property_id: property }, token), {
        transactions: [],
        total: 0,
      });
      assert.deepEqual(await core.call('listTransactions', { ...YEAR, reservation_code: code }, token), {
        transactions: [],
        total: 0,
      });
    });

    it('cannot see, change or delete other entries: an empty list and 404', async () => {
      for (const id of [
        await add({ currency: 'EUR' }),
        await add({ property_id: property, currency: 'EUR' }),
        await add({ reservation_code: code }),
      ]) {
        const before = await read(id);
        assert.deepEqual(await core.call('listTransactions', { id }, token), { transactions: [], total: 0 });
        assert.equal((await as('PATCH', `/transactions/${id}`, { amount: 77 })).error_code, 404);
        assert.equal((await as('DELETE', `/transactions/${id}`)).error_code, 404);
        assert.deepEqual(await read(id), before);
      }
    });

    it('without properties finds nothing', async () => {
      const blind = await core.addSubAccount(core.own.account, []);
      assert.deepEqual(await core.call('listTransactions', YEAR, blind), { transactions: [], total: 0 });
      assert.deepEqual(await core.call('listReservations', { start_check_out_date: '2020-01-01' }, blind), {
        reservations: [],
        total: 0,
      });
      assert.deepEqual(await core.call('listProperties', {}, blind), { properties: [], total: 0 });
    });
  });
});

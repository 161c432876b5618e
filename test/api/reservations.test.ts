import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bookDirect } from '../../src/core/reservations/book.ts';
import { startCore, type TestCore } from '../support/core.ts';

describe('direct bookings over v3', () => {
  let core: TestCore;
  let property: number;
  before(async () => {
    core = await startCore();
    property = (await core.call('createProperty', { name: 'Sea House' })).property_id;
  });
  after(() => core.close());

  const booking = (more: object = {}) => ({
    property_id: property,
    check_in_date: '2027-03-05',
    check_out_date: '2027-03-08',
    guest_name: 'A. Guest',
    rate_amount: 300,
    commission_amount: 0,
    received_amount: 0,
    ...more,
  });

  it('one booking, its answer, its events and its list entry', async () => {
    const before = (await core.events()).length;
    const made = await core.call(
      'createReservation',
      booking({ received_amount: 100, currency: 'EUR', channel_id: 'WEB1042' }),
    );
    assert.match(made.reservation_code, /^5-WEB1042-[A-Z2-9]{6}$/);
    assert.equal(made.status, 'accepted');
    assert.deepEqual(made.reservation, { reservation_code: made.reservation_code, status: 'accepted' });
    const code = made.reservation_code;
    const { reservations, total } = await core.call('listReservations', { reservation_code: code });
    assert.equal(total, 1);
    const [stay] = reservations;
    assert.equal(stay.stay_code, code);
    assert.equal(stay.guest_name, 'A. Guest');
    assert.deepEqual(stay.payment, {
      currency: 'EUR',
      total_amount: 300,
      received_amount: 100,
      balance_amount: 200,
      status: 'partial',
    });
    assert.equal(stay.check_in_details.deposit_details, null);
    const events = (await core.events()).slice(before);
    assert.deepEqual(
      events.map((event) => event['event']),
      ['reservation_created', 'property_availability_updated', 'transaction_created'],
    );
    assert.deepEqual(events[0], {
      event: 'reservation_created',
      reservation_code: code,
      stay_code: code,
      property_id: property,
    });
    assert.deepEqual(events[1]?.['availabilities'], [
      { date: '2027-03-05', available: false },
      { date: '2027-03-06', available: false },
      { date: '2027-03-07', available: false },
    ]);
    const { properties } = await core.call('listAvailabilities', {
      property_ids: String(property),
      start_date: '2027-03-04',
      end_date: '2027-03-08',
    });
    assert.deepEqual(
      properties[0].availabilities.map((day: { available: boolean }) => day.available),
      [true, false, false, false, true],
    );
  });

  it('without a currency it is the property’s; without a channel_id it reads back as the code; unasked-for, as one guest', async () => {
    const { token } = await core.addAccount('far east', { currency: 'JPY' });
    const { property_id } = await core.call('createProperty', { title: 'Onsen' }, token);
    const { reservation_code: code } = await core.call('createReservation', booking({ property_id }), token);
    const [stay] = (await core.call('listReservations', { reservation_code: code }, token)).reservations;
    assert.deepEqual(
      [stay.rates.total_rate, stay.channel_id, stay.number_of_guests],
      [{ currency: 'JPY', amount: 300 }, code, 1],
    );
    const found = await core.call('listReservations', { channel_id: code }, token);
    assert.equal(found.total, 1);
  });

  it('income goes to the first method and item of the dictionaries, or to the method that is named', async () => {
    const { income_methods } = await core.call('listIncomeMethods');
    const { income_items } = await core.call('listIncomeItems');
    const entryOf = async (month: string, more: object) => {
      const dates = { check_in_date: `2028-${month}-05`, check_out_date: `2028-${month}-06` };
      const made = await core.call('createReservation', booking({ ...dates, received_amount: 10, ...more }));
      const { reservation_code } = made;
      const year = { start_date: '2026-01-01', end_date: '2026-12-31' };
      const { transactions } = await core.call('listTransactions', { ...year, reservation_code });
      assert.equal(transactions.length, 1);
      return [transactions[0].item_id, transactions[0].payment_method_id, transactions[0].amount];
    };
    assert.deepEqual(await entryOf('01', {}), [income_items[0].id, income_methods[0].id, 10]);
    const { id } = income_methods[2];
    assert.deepEqual(await entryOf('02', { income_method_id: String(id) }), [income_items[0].id, id, 10]);
  });

  it('a channel_id yields one reservation for ever, also after it was cancelled', async () => {
    const dates = { check_in_date: '2027-04-01', check_out_date: '2027-04-03', channel_id: 'ONCE1' };
    const first = await core.call('createReservation', booking(dates));
    const again = await core.call('createReservation', booking({ ...dates, check_in_date: '2027-04-02' }));
    assert.equal(again.reservation_code, first.reservation_code);
    await core.call('cancelReservation', { reservation_code: first.reservation_code });
    const later = await core.call('createReservation', booking(dates));
    assert.deepEqual([later.reservation_code, later.status], [first.reservation_code, 'cancelled']);
  });

  it('a taken night answers 409 and keeps nothing', async () => {
    const dates = { check_in_date: '2027-05-01', check_out_date: '2027-05-04' };
    await core.call('createReservation', booking(dates));
    const before = await core.events();
    const refused = await core.request('POST', '/reservations', {
      body: booking({
        check_in_date: '2027-05-03',
        check_out_date: '2027-05-06',
        channel_id: 'LATE1',
        received_amount: 5,
      }),
    });
    assert.equal(refused.error_code, 409);
    assert.deepEqual(await core.events(), before);
    assert.equal((await core.call('listReservations', { channel_id: 'LATE1' })).total, 0);
  });

  it('two bookings of one night at once: exactly one wins', async () => {
    const dates = { check_in_date: '2027-06-01', check_out_date: '2027-06-02' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => core.request('POST', '/reservations', { body: booking(dates) })),
    );
    assert.deepEqual(
      answers.map((answer) => answer.error_code).toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
      [200, ...Array.from({ length: 9 }, () => 409)],
    );
  });

  it('cancelling frees the nights at once, tells of both, and cannot be done twice', async () => {
    const dates = { check_in_date: '2027-07-01', check_out_date: '2027-07-03' };
    const { reservation_code: code } = await core.call('createReservation', booking(dates));
    const before = (await core.events()).length;
    await core.call('cancelReservation', { reservation_code: code });
    const events = (await core.events()).slice(before);
    assert.deepEqual(
      events.map((event) => event['event']).toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
      ['property_availability_updated', 'reservation_updated'],
    );
    assert.ok(!('sub_event' in (events.find((event) => event['event'] === 'reservation_updated') ?? {})));
    await core.call('createReservation', booking(dates));
    const again = await core.request('DELETE', `/reservations/${code}`);
    assert.equal(again.error_code, 400);
  });

  it('an unknown code and a channel code answer 404 with their own texts', async () => {
    const unknown = await core.request('DELETE', '/reservations/5-NOPE');
    assert.deepEqual([unknown.error_code, unknown.error_msg], [404, 'This resource is no longer available.']);
  });

  it('changes: each kind has its sub_event, nothing changed is told of nobody', async () => {
    const dates = { check_in_date: '2027-08-01', check_out_date: '2027-08-03' };
    const { reservation_code: code } = await core.call('createReservation', booking(dates));
    const told = async (change: object, path = '') => {
      const before = (await core.events()).length;
      const answer = await core.request('PATCH', `/reservations/${code}${path}`, { body: change });
      assert.equal(answer.error_code, 200, answer.error_msg);
      return (await core.events()).slice(before).map((event) => [event['event'], event['sub_event']]);
    };
    assert.deepEqual(await told({ note: 'late arrival' }), [['reservation_updated', 'remarks_updated']]);
    assert.deepEqual(await told({ remarks: 'late arrival' }), []);
    assert.deepEqual(await told({ rate_amount: 310.5 }), [['reservation_updated', 'rates_updated']]);
    assert.deepEqual(await told({ number_of_guests: 3 }), [['reservation_updated', undefined]]);
    assert.deepEqual(await told({ check_out_date: '2027-08-04' }), [
      ['property_availability_updated', undefined],
      ['reservation_updated', undefined],
    ]);
    assert.deepEqual(await told({ received_amount: 50 }), [['transaction_created', undefined]]);
    assert.deepEqual(await told({ received_amount: 60 }), [['transaction_updated', undefined]]);
    assert.deepEqual(await told({ received_amount: 0 }), [['transaction_deleted', undefined]]);
    assert.deepEqual(await told({ lock_code: '4711' }, '/check_in_details'), [
      ['reservation_updated', 'lock_code_updated'],
    ]);
    assert.deepEqual(await told({ lock_code: null }, '/check_in_details'), [
      ['reservation_updated', 'lock_code_deleted'],
    ]);
    assert.deepEqual(await told({ arrival_at: { hour: 15, minute: 30 } }, '/check_in_details'), [
      ['reservation_updated', 'arrival_and_departure_time_updated'],
    ]);
    assert.deepEqual(await told({ deposit: 200, id_required: 'required' }, '/check_in_details'), [
      ['reservation_updated', 'check_in_details_updated'],
    ]);
    const { reservations } = await core.call('listReservations', { reservation_code: code });
    assert.equal(reservations[0].check_in_details.deposit_details.status, 'unpaid');
    assert.equal(reservations[0].note, 'late arrival');
  });

  it('both spellings are answered with the same value and either is accepted, but not two values', async () => {
    const dates = { check_in_date: '2027-09-01', check_out_date: '2027-09-03', remarks: 'by phone' };
    const { reservation_code: code } = await core.call('createReservation', booking(dates));
    const answer = await core.request('GET', `/reservations?reservation_code=${code}`);
    const [stay] = answer.data.reservations;
    assert.deepEqual([stay.note, stay.remarks], ['by phone', 'by phone']);
    const both = await core.request('PATCH', `/reservations/${code}`, { body: { note: 'a', remarks: 'b' } });
    assert.equal(both.error_code, 400);
    const property = (await core.request('GET', '/properties')).data.properties[0];
    assert.equal(property.title, property.name);
  });

  it('lists: stable pages, no row twice or missing, the total throughout', async () => {
    const { total } = await core.call('listReservations', { start_check_out_date: '2020-01-01' });
    const seen: string[] = [];
    for (let offset = 0; offset < total; offset += 2) {
      const page = await core.call('listReservations', { start_check_out_date: '2020-01-01', offset, limit: 2 });
      assert.equal(page.total, total);
      seen.push(...page.reservations.map((stay: { stay_code: string }) => stay.stay_code));
    }
    assert.equal(new Set(seen).size, total);
    const past = await core.call('listReservations', { start_check_out_date: '2020-01-01', offset: 500 });
    assert.deepEqual([past.reservations, past.total], [[], total]);
  });

  it('with no dates and no identifier: check-outs within the next 180 days', async () => {
    const near = await core.call(
      'createReservation',
      booking({ check_in_date: '2026-12-01', check_out_date: '2026-12-03' }),
    );
    const { reservations } = await core.call('listReservations');
    const codes = reservations.map((stay: { reservation_code: string }) => stay.reservation_code);
    assert.ok(codes.includes(near.reservation_code));
    assert.ok(reservations.every((stay: { check_out_date: string }) => stay.check_out_date <= '2027-05-19'));
  });

  const stayOf = async (code: string) =>
    (await core.call('listReservations', { reservation_code: code })).reservations[0];

  it('saying what is so already changes and tells nothing', async () => {
    const dates = {
      check_in_date: '2027-10-01',
      check_out_date: '2027-10-03',
      note: 'n',
      email: 'a@b.example',
      mobile: '+49 1',
    };
    const { reservation_code: code } = await core.call(
      'createReservation',
      booking({ ...dates, custom_channel_id: 35 }),
    );
    const { creator } = await stayOf(code);
    const before = [await core.stored('audit'), await core.events()];
    const again = { ...booking({ ...dates, custom_channel_id: 35 }), number_of_guests: 1, creator, currency: 'EUR' };
    await core.call('updateReservation', { stay_code: code, ...again });
    await core.call('updateCheckInDetails', {
      stay_code: code,
      lock_code: null,
      arrival_at: null,
      deposit: 0,
      id_required: 'not_required',
    });
    assert.deepEqual([await core.stored('audit'), await core.events()], before);
  });

  it('the source of a booking is shown by its name', async () => {
    const dates = { check_in_date: '2027-10-10', check_out_date: '2027-10-11' };
    const { reservation_code: code } = await core.call(
      'createReservation',
      booking({ ...dates, custom_channel_id: 35 }),
    );
    assert.deepEqual((await stayOf(code)).custom_channel, { id: 35, name: 'Regional booking service' });
  });

  describe('a booking in another currency', () => {
    let month = 0;
    const make = async (more: object): Promise<string> => {
      month += 1;
      const at = (day: number) => `2028-0${month}-${String(day).padStart(2, '0')}`;
      return (await core.call('createReservation', booking({ check_in_date: at(1), check_out_date: at(2), ...more })))
        .reservation_code;
    };
    const figures = async (code: string) => {
      const { rates, payment, check_in_details } = await stayOf(code);
      const line = rates.details[0];
      return [
        rates.rate,
        rates.total_rate,
        rates.commission,
        { currency: payment.currency, amount: payment.total_amount },
        { currency: line.currency, amount: line.amount },
      ]
        .map((money) => `${money.currency} ${money.amount}`)
        .concat(
          `${check_in_details.deposit_details?.currency} ${check_in_details.deposit} ${check_in_details.deposit_details?.amount}`,
        );
    };

    it('keeps its figures, whatever decimals the currencies have', async () => {
      const code = await make({ rate_amount: 300, commission_amount: 20 });
      await core.call('updateCheckInDetails', { stay_code: code, deposit: 150 });
      for (const currency of ['JPY', 'KWD', 'USD', 'EUR']) {
        await core.call('updateReservation', { stay_code: code, currency });
        const expected = [300, 300, 20, 280, 300].map((amount) => `${currency} ${amount}`);
        assert.deepEqual(await figures(code), [...expected, `${currency} 150 150`]);
      }
    });

    it('is refused where a figure has more decimals than the new one, unless that figure is given again', async () => {
      const code = await make({ rate_amount: 300.5, commission_amount: 20 });
      const before = await core.stored();
      for (const change of [
        { currency: 'JPY' },
        { currency: 'JPY', commission_amount: 20 },
        { currency: 'JPY', rate_amount: 1.5 },
      ]) {
        const refused = await core.request('PATCH', `/reservations/${code}`, { body: change });
        assert.equal(refused.error_code, 422);
        assert.match(refused.error_msg, /^(currency|rate_amount): /);
      }
      assert.equal(await core.stored(), before);
      await core.call('updateReservation', { stay_code: code, currency: 'JPY', rate_amount: 40_000 });
      assert.deepEqual((await figures(code)).slice(0, 4), ['JPY 40000', 'JPY 40000', 'JPY 20', 'JPY 39980']);
      await core.call('updateReservation', { stay_code: code, received_amount: 40_000 });
      assert.equal((await stayOf(code)).payment.status, 'over_received');
    });

    it('takes all its rooms along, and each is told of', async () => {
      const barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
      const night = { check_in_date: '2028-08-01', check_out_date: '2028-08-02', commission: 0, number_of_guests: 1 };
      const { reservation_code: code } = await core.change(core.own.account, (change) =>
        bookDirect(change, {
          rooms: [
            { ...night, property_id: property, rate: 100_00 },
            { ...night, property_id: barn, rate: 50_00 },
          ],
          guest: { name: 'B. Guest' },
          currency: 'EUR',
          booked_at: '2026-11-20T12:00:00.000Z',
        }),
      );
      const before = (await core.events()).length;
      await core.call('updateReservation', { stay_code: `${code}-2`, currency: 'JPY', rate_amount: 70 });
      const events = (await core.events()).slice(before);
      assert.deepEqual(
        events.map((event) => `${String(event['stay_code'])} ${String(event['sub_event'])}`).toSorted(),
        [1, 2].map((room) => `${code}-${room} rates_updated`),
      );
      const { reservations } = await core.call('listReservations', { reservation_code: code });
      const rates = reservations.map((stay: { rates: { rate: object } }) => stay.rates.rate).toReversed();
      assert.deepEqual(rates, [
        { currency: 'JPY', amount: 100 },
        { currency: 'JPY', amount: 70 },
      ]);
      for (const { rates, payment } of reservations)
        assert.deepEqual([rates.total_rate.amount, payment.total_amount, payment.currency], [170, 170, 'JPY']);
    });
  });

  it('changing one thing about the money leaves the rest as it is', async () => {
    const dates = { check_in_date: '2027-11-01', check_out_date: '2027-11-02' };
    const { reservation_code: code } = await core.call('createReservation', booking(dates));
    const lines = JSON.stringify([
      { type: 'ACCOMMODATION', description: '', amount: 250_00 },
      { type: 'CLEANING_FEE', description: 'once', amount: 50_00 },
    ]);
    const stays = () => core.core.store.db.updateTable('stays').where('stay_code', '=', code as never);
    await stays().set({ rate_details: lines }).execute();
    await core.call('updateReservation', { stay_code: code, commission_amount: 10 });
    const { rates } = await stayOf(code);
    assert.deepEqual(
      rates.details.map((line: { amount: number }) => line.amount),
      [250, 50],
    );
    assert.deepEqual([rates.rate.amount, rates.commission.amount], [300, 10]);
    await stays().set({ rate: null, commission: null }).execute();
    const before = (await core.events()).length;
    await core.call('updateReservation', { stay_code: code, note: 'a channel that tells no rates' });
    assert.deepEqual(
      (await core.events()).slice(before).map((event) => event['sub_event']),
      ['remarks_updated'],
    );
    assert.equal((await stayOf(code)).rates.rate, null);
  });

  describe('lists', () => {
    let lists: TestCore;
    const made: Record<'a' | 'b' | 'c', string> = { a: '', b: '', c: '' };
    const places: number[] = [];
    before(async () => {
      lists = await startCore();
      for (const title of ['One', 'Two']) places.push((await lists.call('createProperty', { title })).property_id);
      const [one = 0, two = 0] = places;
      const stays = {
        a: [one, '2027-01-10', '2027-01-20'],
        b: [two, '2027-02-01', '2027-02-02'],
        c: [one, '2027-01-25', '2027-03-01'],
      } as const;
      for (const name of ['a', 'b', 'c'] as const) {
        const [property_id, check_in_date, check_out_date] = stays[name];
        const more = { property_id, check_in_date, check_out_date, channel_id: `REF${name}` };
        made[name] = (await lists.call('createReservation', booking(more))).reservation_code;
        lists.clock.jump(60_000);
      }
      // Cancelled in another order than made, and b not at all.
      await lists.call('cancelReservation', { reservation_code: made.c });
      lists.clock.jump(60_000);
      await lists.call('cancelReservation', { reservation_code: made.a });
    });
    after(() => lists.close());

    /** The bookings a question finds, by their letters, in the order answered. */
    const found = async (question: Record<string, unknown>): Promise<string> => {
      const { reservations, total } = await lists.call('listReservations', question);
      assert.equal(total, reservations.length);
      return reservations.map((stay: { channel_id: string }) => stay.channel_id.at(-1)).join('');
    };
    const EVER = { start_check_out_date: '2020-01-01' };

    const orders = {
      booked_at: 'cba',
      created_at: 'cba',
      check_in_date: 'bca',
      check_out_date: 'cba',
      cancelled_at: 'acb',
    };
    for (const [order_by, expected] of Object.entries(orders)) {
      it(`by ${order_by}, latest first${order_by === 'cancelled_at' ? ', the rest at the end' : ''}`, async () => {
        assert.equal(await found({ ...EVER, order_by }), expected);
        assert.equal(await found({ ...EVER, end_check_out_date: '2029-01-01', order_by }), expected);
        assert.equal(
          await found({ start_check_in_date: '2020-01-01', end_check_in_date: '2029-01-01', order_by }),
          expected,
        );
      });
    }

    const questions: [what: string, question: () => Record<string, unknown>, expected: string][] = [
      ['nothing: by booked_at, check-outs within 180 days', () => ({}), 'cba'],
      ['a code', () => ({ reservation_code: made.a }), 'a'],
      ['a reference', () => ({ channel_id: 'REFb' }), 'b'],
      ['a reference in other letters', () => ({ channel_id: 'refb' }), ''],
      ['a property', () => ({ ...EVER, property_id: places[0] }), 'ca'],
      ['a status', () => ({ ...EVER, status: 'cancelled' }), 'ca'],
      ['a status and a property', () => ({ ...EVER, status: 'accepted', property_id: places[0] }), ''],
      ['a channel', () => ({ ...EVER, channel_type: 'direct' }), 'cba'],
      ['a channel nobody has', () => ({ ...EVER, channel_type: 'marketplace_z' }), ''],
      [
        'check-ins, both ends included',
        () => ({ start_check_in_date: '2027-01-10', end_check_in_date: '2027-01-25' }),
        'ca',
      ],
      [
        'check-ins on no day of these',
        () => ({ start_check_in_date: '2027-01-11', end_check_in_date: '2027-01-24' }),
        '',
      ],
      ['check-outs from', () => ({ start_check_out_date: '2027-02-02' }), 'cb'],
      ['check-outs until', () => ({ end_check_out_date: '2027-02-02' }), 'ba'],
      ['one check-out', () => ({ start_check_out_date: '2027-02-02', end_check_out_date: '2027-02-02' }), 'b'],
      [
        'a code, whatever the default window',
        () => ({ reservation_code: made.c, start_check_out_date: '2027-03-02' }),
        '',
      ],
    ];
    for (const [what, question, expected] of questions) {
      it(`${what}: ${expected || 'none'}`, async () => assert.equal(await found(question()), expected));
    }

    it('one stay by its number, whatever its dates', async () => {
      const { reservations } = await lists.call('listReservations', { reservation_code: made.b });
      assert.equal(await found({ id: reservations[0].id }), 'b');
    });

    it('a sub-account finds the stays of its properties', async () => {
      const sub = await lists.addSubAccount(lists.own.account, [places[1] ?? 0]);
      const { reservations, total } = await lists.call('listReservations', EVER, sub);
      assert.deepEqual([reservations.map((stay: { channel_id: string }) => stay.channel_id), total], [['REFb'], 1]);
    });
  });
});

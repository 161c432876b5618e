import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bookDirect } from '../../src/core/reservations/book.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { startCore, type TestCore } from '../support/core.ts';

/** A direct booking with a stay in each of two properties; v3 itself makes bookings of one room. */
describe('a booking of several rooms over v3', () => {
  let core: TestCore;
  let mill: number;
  let barn: number;
  let code: string;
  let month = 0;
  before(async () => {
    core = await startCore();
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
    barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
    code = await book();
  });
  after(() => core.close());

  async function book(): Promise<string> {
    month += 1;
    const dates = { check_in_date: `2027-0${month}-05`, check_out_date: `2027-0${month}-08` };
    const room = (property_id: number, rate: number) => ({
      property_id,
      ...dates,
      rate,
      commission: 0,
      number_of_guests: 2,
    });
    const { reservation_code } = await core.change(core.own.account, (change) =>
      bookDirect(change, {
        rooms: [room(mill, 200_00), room(barn, 100_00)],
        guest: { name: 'A. Guest' },
        currency: 'EUR',
        booked_at: instantOf(change.now),
      }),
    );
    return reservation_code;
  }

  const stays = async (of = code) =>
    (await core.call('listReservations', { reservation_code: of })).reservations.toSorted(
      (a: { id: number }, b: { id: number }) => a.id - b.id,
    );
  const eventsOf = async (work: () => Promise<unknown>) => {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  };

  it('has one code, a stay code a room, and the same payment in each stay', async () => {
    const shown = await stays();
    assert.deepEqual(
      shown.map((stay: any) => [stay.stay_code, stay.reservation_code, stay.rates.rate.amount]),
      [
        [`${code}-1`, code, 200],
        [`${code}-2`, code, 100],
      ],
    );
    const payment = {
      currency: 'EUR',
      total_amount: 300,
      received_amount: 0,
      balance_amount: 300,
      status: 'unreceived',
    };
    assert.deepEqual(
      shown.map((stay: any) => stay.payment),
      [payment, payment],
    );
  });

  it('a rate of one room moves the totals of all, and is told of that room', async () => {
    const events = await eventsOf(() => core.call('updateReservation', { stay_code: `${code}-2`, rate_amount: 150 }));
    assert.deepEqual(events, [
      {
        event: 'reservation_updated',
        sub_event: 'rates_updated',
        reservation_code: code,
        stay_code: `${code}-2`,
        property_id: barn,
      },
    ]);
    const shown = await stays();
    for (const stay of shown) {
      assert.deepEqual([stay.rates.total_rate.amount, stay.payment.total_amount], [350, 350]);
    }
    assert.deepEqual(
      shown.map((stay: any) => stay.rates.rate.amount),
      [200, 150],
    );
  });

  it('money received for one room is the booking’s; both stays show it', async () => {
    await core.call('updateReservation', { stay_code: `${code}-1`, received_amount: 70 });
    await core.call('updateReservation', { stay_code: `${code}-2`, received_amount: 90 });
    for (const stay of await stays()) {
      assert.deepEqual([stay.payment.received_amount, stay.payment.status], [90, 'partial']);
    }
    const { total } = await core.call('listTransactions', {
      stay_code: `${code}-1`,
      start_date: '2026-01-01',
      end_date: '2026-12-31',
    });
    assert.equal(total, 1, 'one entry follows');
  });

  it('dates, guests, tags, fields and the box are each room’s own', async () => {
    const stay_code = `${code}-1`;
    await core.call('updateReservation', { stay_code, number_of_guests: 4, check_out_date: '2027-01-09' });
    await core.call('addReservationTag', { stay_code, tag_name: 'VIP' });
    await core.call('updateCustomFields', { stay_code, custom_fields: { car: 'A 1' } });
    const [first, second] = await stays();
    assert.deepEqual(
      [first.number_of_guests, first.check_out_date, first.tags, first.custom_fields],
      [4, '2027-01-09', ['VIP'], { car: 'A 1' }],
    );
    assert.deepEqual(
      [second.number_of_guests, second.check_out_date, second.tags, second.custom_fields],
      [2, '2027-01-08', [], null],
    );
    await core.call('moveReservationToBox', { stay_code });
    assert.deepEqual(
      (await stays()).map((stay: any) => [stay.in_reservation_box, stay.property_id]),
      [
        [true, 0],
        [false, barn],
      ],
    );
  });

  it('is cancelled as a whole by its own code, not by that of a room; each room and each property is told of once', async () => {
    const whole = await book();
    const ofRoom = await core.request('DELETE', `/reservations/${whole}-1`);
    assert.deepEqual([ofRoom.error_code, ofRoom.error_msg], [404, 'This resource is no longer available.']);
    const events = await eventsOf(() => core.call('cancelReservation', { reservation_code: whole }));
    assert.deepEqual(
      events.map((event) => [event['event'], event['stay_code'] ?? event['property_id']]),
      [
        ['property_availability_updated', mill],
        ['reservation_updated', `${whole}-1`],
        ['property_availability_updated', barn],
        ['reservation_updated', `${whole}-2`],
      ],
    );
    assert.deepEqual(
      (await stays(whole)).map((stay: any) => stay.status),
      ['cancelled', 'cancelled'],
    );
  });

  it('the code of a booking of several rooms names no stay', async () => {
    for (const [method, path, body] of [
      ['PATCH', '', { note: 'x' }],
      ['GET', '/custom_fields', undefined],
      ['POST', '/tags', { tag_name: 'VIP' }],
      ['PUT', '/stay_status', { stay_status: 'in_house' }],
    ] as const) {
      const answer = await core.request(method, `/reservations/${code}${path}`, { ...(body && { body }) });
      assert.equal(answer.error_code, 404, `${method} ${path}`);
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
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
});

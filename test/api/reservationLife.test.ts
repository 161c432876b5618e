import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { RequestAdapter, RequestToBook } from '../../src/core/channels/adapter.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { byCode, channelRoom, deliver } from '../support/channel.ts';
import { startCore, type TestCore } from '../support/core.ts';

const GONE = 'This resource is no longer available.';

describe('the life of a reservation over v3', () => {
  let core: TestCore;
  let mill: number;
  let barn: number;
  let month = 0;
  const told: [answer: string, request: RequestToBook][] = [];
  let refusal: ApiError | undefined;
  const reply = (answer: string) => async (request: RequestToBook) => {
    if (refusal) throw refusal;
    told.push([answer, request]);
  };
  const requests: RequestAdapter = { approve: reply('approve'), decline: reply('decline') };
  before(async () => {
    core = await startCore();
    Object.assign(core.core, { channels: new Map([['marketplace_a', { requests }]]) });
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
    barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
  });
  after(() => core.close());

  /** Dates in a month of their own. */
  function dates() {
    month += 1;
    const at = (day: number) => new Date(Date.UTC(2027, month, day)).toISOString().slice(0, 10);
    return { check_in_date: at(5), check_out_date: at(7) };
  }
  const stayOf = async (code: string) =>
    (await core.call('listReservations', { reservation_code: code })).reservations[0];
  const eventsOf = async (work: () => Promise<unknown>) => {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  };
  const post = (path: string, body?: object) => core.request('POST', `/reservations/${path}`, body ? { body } : {});
  const book = async (on = dates()) => {
    const booking = { property_id: mill, guest_name: 'A', rate_amount: 1, commission_amount: 0, received_amount: 0 };
    return { ...on, code: (await core.call('createReservation', { ...booking, ...on })).reservation_code as string };
  };

  it('what has ended can no longer be allocated, boxed or given other dates', async () => {
    const { code, ...on } = await book();
    await core.call('cancelReservation', { reservation_code: code });
    const denied = await deliver(core, [channelRoom(mill, dates())], { kind: 'request', channel_id: 'HMDENIED' });
    await core.call('declineReservation', byCode(denied));
    for (const [ended, status] of [
      [code, 'cancelled'],
      [denied.reservation_code, 'denied'],
    ] as const) {
      const before = await stayOf(ended);
      const answers = [
        await post(`${ended}/allocate`, { property_id: barn }),
        await post(`${ended}/move_to_box`),
        await core.request('PATCH', `/reservations/${ended}`, { body: { check_out_date: '2028-06-08', note: 'late' } }),
      ];
      for (const { error_code, error_msg } of answers) {
        assert.equal(error_code, 400, error_msg);
        assert.match(error_msg, new RegExp(status));
      }
      assert.deepEqual(await stayOf(ended), before, 'nothing is half done');
    }
    const same = await core.request('PATCH', `/reservations/${code}`, { body: { ...on, note: 'kept' } });
    assert.equal(same.error_code, 200, 'its own dates are no change');
  });

  it('stays whose nights cannot be read, beyond three years, are refused', async () => {
    const last = { check_in_date: '2029-11-18', check_out_date: '2029-11-21' };
    const beyond = { check_in_date: '2029-11-18', check_out_date: '2029-11-22' };
    const whole = { property_id: barn, guest_name: 'A', rate_amount: 1, commission_amount: 0, received_amount: 0 };
    const refused = await core.request('POST', '/reservations', { body: { ...whole, ...beyond } });
    assert.deepEqual([refused.error_code, /check_out_date/.test(refused.error_msg)], [422, true], refused.error_msg);
    const { reservation_code } = await core.call('createReservation', { ...whole, ...last });
    const later = await core.request('PATCH', `/reservations/${reservation_code}`, { body: beyond });
    assert.equal(later.error_code, 422, later.error_msg);
  });

  it('approve always leads to accepted: the channel is told, the change has one event, and it cannot be repeated', async () => {
    const made = await deliver(core, [channelRoom(mill, dates())], { kind: 'request', channel_id: 'HMAPPROVE' });
    assert.equal(made.status, 'wait_accept');
    const events = await eventsOf(() => core.call('approveReservation', byCode(made)));
    assert.deepEqual(events, [
      {
        event: 'reservation_updated',
        reservation_code: made.reservation_code,
        stay_code: made.reservation_code,
        property_id: mill,
      },
    ]);
    assert.equal((await stayOf(made.reservation_code)).status, 'accepted');
    assert.deepEqual(told.at(-1), [
      'approve',
      { account_id: core.own.account.account_id, channel_type: 'marketplace_a', channel_id: 'HMAPPROVE' },
    ]);
    const before = await core.stored();
    for (const answer of ['approve', 'decline'])
      assert.equal((await post(`${made.reservation_code}/${answer}`)).error_code, 400);
    assert.equal(await core.stored(), before);
  });

  it('decline leads to denied and frees the nights', async () => {
    const on = dates();
    const made = await deliver(core, [channelRoom(mill, on)], { kind: 'request' });
    const events = await eventsOf(() => core.call('declineReservation', byCode(made)));
    assert.deepEqual(
      events.map((event) => [event['event'], event['availabilities']]),
      [
        [
          'property_availability_updated',
          [
            { date: on.check_in_date, available: true },
            { date: on.check_out_date.replace('07', '06'), available: true },
          ],
        ],
        ['reservation_updated', undefined],
      ],
    );
    const stay = await stayOf(made.reservation_code);
    assert.deepEqual([stay.status, stay.cancelled_at], ['denied', null]);
    assert.equal(told.at(-1)?.[0], 'decline');
    await book(on);
  });

  it('a direct booking and an ended one cannot be approved; an unknown one is gone', async () => {
    const { code } = await book();
    assert.equal((await post(`${code}/approve`)).error_code, 400);
    const unknown = await post('0-NOPE/approve');
    assert.deepEqual([unknown.error_code, unknown.error_msg], [404, GONE]);
  });

  it('what the channel does not take goes on waiting', async () => {
    const made = await deliver(core, [channelRoom(mill, dates())], { kind: 'request' });
    refusal = new ApiError(502, 'The channel failed.');
    const before = await core.stored();
    assert.equal((await post(`${made.reservation_code}/approve`)).error_code, 502);
    refusal = undefined;
    assert.equal(await core.stored(), before);
    await core.call('approveReservation', byCode(made));
  });

  it('allocate moves a stay; one that holds its nights there goes to the box; each is told of', async () => {
    const on = dates();
    const there = await book(on);
    const { reservation_code: code } = await core.call('createReservation', {
      property_id: barn,
      guest_name: 'B',
      rate_amount: 1,
      commission_amount: 0,
      received_amount: 0,
      ...on,
    });
    const events = await eventsOf(() => core.call('allocateReservation', { stay_code: code, property_id: mill }));
    assert.deepEqual(
      events.filter((event) => event['event'] === 'reservation_updated'),
      [
        { event: 'reservation_updated', reservation_code: there.code, stay_code: there.code, property_id: 0 },
        { event: 'reservation_updated', reservation_code: code, stay_code: code, property_id: mill },
      ],
    );
    const night = { date: on.check_in_date, available: true };
    const nights = events.filter((event) => event['event'] === 'property_availability_updated');
    assert.deepEqual(
      nights.map((event) => [event['property_id'], (event['availabilities'] as object[])[0]]),
      [
        [barn, night],
        [mill, { ...night, available: false }],
      ],
    );
    const boxed = await stayOf(there.code);
    assert.deepEqual([boxed.property_id, boxed.in_reservation_box, boxed.status], [0, true, 'accepted']);
    const inBox = await core.call('listReservations', { property_id: 0, end_check_out_date: '2040-01-01' });
    assert.ok(inBox.reservations.some((stay: { stay_code: string }) => stay.stay_code === there.code));
    assert.deepEqual(
      await eventsOf(() => core.call('allocateReservation', { stay_code: code, property_id: mill })),
      [],
    );
    await core.call('allocateReservation', { stay_code: there.code, property_id: barn });
    assert.equal((await stayOf(there.code)).property_id, barn);
  });

  it('move_to_box frees the nights, tells of both, and does nothing twice', async () => {
    const { code, ...on } = await book();
    const events = await eventsOf(() => core.call('moveReservationToBox', { stay_code: code }));
    assert.deepEqual(
      events.map((event) => [event['event'], event['property_id']]),
      [
        ['property_availability_updated', mill],
        ['reservation_updated', 0],
      ],
    );
    assert.deepEqual(await eventsOf(() => core.call('moveReservationToBox', { stay_code: code })), []);
    await book(on);
  });

  it('a property of another operator is 403, an unknown one 404, and nothing moves', async () => {
    const { code } = await book();
    const other = await core.addAccount('other');
    const { property_id } = await core.call('createProperty', { title: 'Theirs' }, other.token);
    const before = await core.stored();
    assert.equal((await post(`${code}/allocate`, { property_id })).error_code, 403);
    assert.equal((await post(`${code}/allocate`, { property_id: 99_999 })).error_code, 404);
    assert.equal((await post(`${code}/allocate`, {})).error_code, 422);
    assert.equal(await core.stored(), before);
  });

  it('stay_status: set, told once as a general change, other values refused', async () => {
    const { code } = await book();
    const set = (stay_status: string) =>
      core.request('PUT', `/reservations/${code}/stay_status`, { body: { stay_status } });
    const events = await eventsOf(() => set('in_house'));
    assert.deepEqual(
      events.map((event) => [event['event'], 'sub_event' in event]),
      [['reservation_updated', false]],
    );
    assert.equal((await stayOf(code)).stay_status, 'in_house');
    assert.deepEqual(await eventsOf(() => set('in_house')), []);
    assert.equal((await set('gone')).error_code, 422);
  });

  it('custom fields: a text sets or creates, null deletes, what is not named stays; told without sub_event', async () => {
    const { code } = await book();
    const read = async () => (await core.call('getCustomFields', { stay_code: code })).custom_fields;
    const save = (custom_fields: object) => core.call('updateCustomFields', { stay_code: code, custom_fields });
    assert.equal(await read(), null);
    const events = await eventsOf(() => save({ 'Wi-Fi': 'abc', key: 'box 3' }));
    assert.deepEqual(
      events.map((event) => [event['event'], 'sub_event' in event]),
      [['reservation_updated', false]],
    );
    assert.deepEqual(await save({ key: null, colour: 'red' }), { custom_fields: { 'Wi-Fi': 'abc', colour: 'red' } });
    assert.deepEqual(await read(), { 'Wi-Fi': 'abc', colour: 'red' });
    assert.deepEqual((await stayOf(code)).custom_fields, { 'Wi-Fi': 'abc', colour: 'red' });
    assert.deepEqual(await eventsOf(() => save({ colour: 'red', nothing: null })), []);
    assert.deepEqual(await save({ colour: null, 'Wi-Fi': null }), { custom_fields: null });
    const path = `/reservations/${code}/custom_fields`;
    for (const custom_fields of [{ a: 1 }, { '': 'x' }, 'x', { a: 'x'.repeat(2_001) }])
      assert.equal((await core.request('PATCH', path, { body: { custom_fields } })).error_code, 422);
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, 'x']));
    assert.equal((await core.request('PATCH', path, { body: { custom_fields: many } })).error_code, 422);
  });

  it('DELETE on a channel booking says that only manual ones are cancelled there', async () => {
    const made = await deliver(core, [channelRoom(mill, dates())]);
    const answer = await core.request('DELETE', `/reservations/${made.reservation_code}`);
    assert.deepEqual(
      [answer.error_code, answer.error_msg],
      [404, 'Only manually created reservations can be cancelled through this endpoint.'],
    );
  });

  it('a channel booking is found by its channel_id, channel_type and status', async () => {
    const on = dates();
    const made = await deliver(core, [channelRoom(mill, on)], { channel_id: 'uid@cal.example', channel_type: 'ical' });
    for (const filter of [
      { channel_id: 'uid@cal.example' },
      { channel_type: 'ical', end_check_out_date: '2040-01-01' },
      {
        status: 'accepted',
        channel_type: 'ical',
        start_check_in_date: on.check_in_date,
        end_check_in_date: on.check_in_date,
      },
    ]) {
      const { reservations } = await core.call('listReservations', filter);
      assert.deepEqual(
        reservations.map((stay: { reservation_code: string; channel_id: string }) => [
          stay.reservation_code,
          stay.channel_id,
        ]),
        [[made.reservation_code, 'uid@cal.example']],
      );
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { alterChannelReservation, cancelChannelReservation } from '../../src/core/channels/reservations/changes.ts';
import { addGuideImage, registerGuest } from '../../src/core/channels/reservations/guests.ts';
import { byChannel, channelRoom, deliver, type Delivered } from '../support/channel.ts';
import { startCore, type TestCore } from '../support/core.ts';

/** What happens to a stay: a request under its path, or the word of its channel. */
type Cause = [method: string, path: string, body?: object] | ((core: TestCore, booking: Delivered) => Promise<unknown>);

const onChannel =
  (work: (change: Parameters<typeof alterChannelReservation>[0], booking: Delivered) => Promise<unknown>) =>
  (core: TestCore, booking: Delivered) =>
    byChannel(core, (change) => work(change, booking));
const details = (body: object): Cause => ['PATCH', '/check_in_details', body];

/** Which cause has which sub_event; a dash: the field is absent, as for every general change. */
const CAUSES: readonly [what: string, cause: Cause, told: string][] = [
  ['an arrival time', details({ arrival_at: { hour: 15, minute: 0 } }), 'arrival_and_departure_time_updated'],
  ['a departure time', details({ departure_at: { hour: 10, minute: 0 } }), 'arrival_and_departure_time_updated'],
  ['both times taken away', details({ arrival_at: null, departure_at: null }), 'arrival_and_departure_time_updated'],
  ['a rate', ['PATCH', '', { rate_amount: 310 }], 'rates_updated'],
  ['a commission', ['PATCH', '', { commission_amount: 10 }], 'rates_updated'],
  ['a rate and a commission at once', ['PATCH', '', { rate_amount: 320, commission_amount: 11 }], 'rates_updated'],
  [
    'other lines on the channel',
    onChannel((change, booking) =>
      alterChannelReservation(change, booking, [
        { room: 0, lines: [{ type: 'ACCOMMODATION', description: '', amount: 333_00 }] },
      ]),
    ),
    'rates_updated',
  ],
  ['a lock code', details({ lock_code: '4711' }), 'lock_code_updated'],
  ['another lock code', details({ lock_code: '4712' }), 'lock_code_updated'],
  ['no lock code any more', details({ lock_code: null }), 'lock_code_deleted'],
  ['when the lock code shows', details({ lock_code_visible_after: '14:00' }), 'check_in_details_updated'],
  ['a deposit that is asked for', details({ deposit: 50 }), 'check_in_details_updated'],
  ['a document that is asked for', details({ id_required: 'required' }), 'check_in_details_updated'],
  [
    'a guest who registers',
    onChannel((change, booking) => registerGuest(change, booking, { reference: 'g', name: 'D. Guest', id_images: [] })),
    'check_in_details_updated',
  ],
  [
    'a picture of the check-in guide',
    onChannel((change, booking) => addGuideImage(change, booking, { reference: 'i', url: 'https://pics.example/2' })),
    'check_in_details_updated',
  ],
  ['a note', ['PATCH', '', { note: 'late' }], 'remarks_updated'],
  ['dates', ['PATCH', '', { check_out_date: '2027-03-09' }], '-'],
  ['a number of guests', ['PATCH', '', { number_of_guests: 3 }], '-'],
  ['dates and a number of guests at once', ['PATCH', '', { check_out_date: '2027-03-10', number_of_guests: 4 }], '-'],
  [
    'dates and guests on the channel',
    onChannel((change, booking) =>
      alterChannelReservation(change, booking, [{ room: 0, check_out_date: '2027-03-08', number_of_guests: 2 }]),
    ),
    '-',
  ],
  ['a tag', ['POST', '/tags', { tag_name: 'Band' }], '-'],
  ['a tag taken off', ['DELETE', '/tags', { tag_name: 'Band' }], '-'],
  ['a stay status', ['PUT', '/stay_status', { stay_status: 'in_house' }], '-'],
  ['custom fields', ['PATCH', '/custom_fields', { custom_fields: { car: 'A 1' } }], '-'],
  ['the reservation box', ['POST', '/move_to_box'], '-'],
  ['a guest’s name', ['PATCH', '', { guest_name: 'E. Guest' }], '-'],
  ['the source of the booking', ['PATCH', '', { custom_channel_id: 35 }], '-'],
  [
    'several kinds at once',
    ['PATCH', '', { note: 'later', rate_amount: 340, number_of_guests: 5 }],
    '- rates_updated remarks_updated',
  ],
  [
    'several kinds of details at once',
    details({ arrival_at: { hour: 16, minute: 0 }, lock_code: '1', deposit: 60 }),
    'arrival_and_departure_time_updated lock_code_updated check_in_details_updated',
  ],
  ['a status, by the channel', onChannel((change, booking) => cancelChannelReservation(change, booking)), '-'],
  ['what is so already', ['PATCH', '', { note: 'later', number_of_guests: 5, guest_name: 'E. Guest' }], ''],
];

describe('reservation_updated', () => {
  let core: TestCore;
  let booking: Delivered;
  let stay: { reservation_code: string; stay_code: string };
  let mill: number;
  before(async () => {
    core = await startCore();
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
    booking = await deliver(core, [channelRoom(mill)]);
    stay = { reservation_code: booking.reservation_code, stay_code: booking.reservation_code };
  });
  after(() => core.close());

  async function told(cause: Cause): Promise<Record<string, unknown>[]> {
    const before = (await core.events()).length;
    if (typeof cause === 'function') await cause(core, booking);
    else {
      const [method, path, body] = cause;
      const answer = await core.request(method, `/reservations/${stay.stay_code}${path}`, { ...(body && { body }) });
      assert.equal(answer.error_code, 200, answer.error_msg);
    }
    return (await core.events()).slice(before).filter((event) => event['event'] === 'reservation_updated');
  }

  for (const [what, cause, expected] of CAUSES) {
    it(`${what}: ${expected === '' ? 'nothing' : expected.replace('-', 'without a sub_event')}`, async () => {
      const events = await told(cause);
      const kinds = events.map((event) => ('sub_event' in event ? event['sub_event'] : '-'));
      assert.deepEqual(new Set(kinds), new Set(expected.split(' ').filter(Boolean)));
      assert.equal(new Set(kinds).size, kinds.length, 'one event for each kind');
      const { property_id } = (await core.call('listReservations', { reservation_code: stay.reservation_code }))
        .reservations[0];
      for (const { event: _, sub_event: _sub, ...fields } of events) assert.deepEqual(fields, { ...stay, property_id });
    });
  }

  it('another property: without a sub_event, and naming the new one', async () => {
    const barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
    const dates = { check_in_date: '2027-05-01', check_out_date: '2027-05-02' };
    const { reservation_code } = await deliver(core, [channelRoom(mill, dates)]);
    const before = (await core.events()).length;
    await core.call('allocateReservation', { stay_code: reservation_code, property_id: barn });
    const events = (await core.events()).slice(before).filter((event) => event['event'] === 'reservation_updated');
    const fields = { reservation_code, stay_code: reservation_code, property_id: barn };
    assert.deepEqual(events, [{ event: 'reservation_updated', ...fields }]);
  });
});

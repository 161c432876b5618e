import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  alterChannelReservation,
  cancelChannelReservation,
  discloseDetails,
} from '../../src/core/channels/reservations/changes.ts';
import { addGuideImage, registerGuest } from '../../src/core/channels/reservations/guests.ts';
import { receiveDepositEvent, receivePayment } from '../../src/core/channels/reservations/money.ts';
import type { Change } from '../../src/core/context.ts';
import { timeOut } from '../../src/core/reservations/times/timeouts.ts';
import type { StayCode } from '../../src/kernel/ids.ts';
import { byChannel, channelRoom, deliver } from '../support/channel.ts';
import { startCore, type TestCore } from '../support/core.ts';

describe('bookings that channels deliver', () => {
  let core: TestCore;
  let mill: number;
  let barn: number;
  let month = 0;
  before(async () => {
    core = await startCore();
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
    barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
  });
  after(() => core.close());

  const change = <T>(work: (change: Change) => Promise<T>) => byChannel(core, work);
  function dates(first = 5, last = 7, next = true) {
    if (next) month += 1;
    const at = (day: number) => new Date(Date.UTC(2027, month, day)).toISOString().slice(0, 10);
    return { check_in_date: at(first), check_out_date: at(last) };
  }
  const staysOf = async (code: string) =>
    (await core.call('listReservations', { reservation_code: code })).reservations;
  const eventsOf = async (work: () => Promise<unknown>) => {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  };
  const kinds = (events: Record<string, unknown>[]) => events.map((event) => [event['event'], event['sub_event']]);

  it('arrive once: a repeat, also of a cancelled one, changes nothing; the code never begins with 5-', async () => {
    const on = dates();
    const first = await deliver(core, [channelRoom(mill, on)], { channel_id: 'HM1' });
    assert.match(first.reservation_code, /^0-HM1-[A-Z2-9]{6}$/);
    assert.deepEqual([first.created, first.status, first.boxed], [true, 'accepted', []]);
    const before = await core.stored();
    const again = await deliver(core, [channelRoom(mill, on)], { channel_id: 'HM1' });
    assert.deepEqual([again.created, again.reservation_code], [false, first.reservation_code]);
    assert.equal(await core.stored(), before);
    const elsewhere = await deliver(core, [channelRoom(barn, on)], {
      channel_id: 'HM1',
      channel_type: 'marketplace_b',
    });
    assert.notEqual(elsewhere.reservation_code, first.reservation_code);
    await change((one) => cancelChannelReservation(one, first));
    const later = await deliver(core, [channelRoom(mill, on)], { channel_id: 'HM1' });
    assert.deepEqual([later.created, later.status], [false, 'cancelled']);
  });

  it('created_at is when the booking came in, never back-dated; booked_at and cancelled_at are the channel’s', async () => {
    const booked_at = '2026-09-01T08:00:00.000Z';
    const made = await deliver(core, [channelRoom(mill, dates())], { booked_at });
    await change((one) => cancelChannelReservation(one, made, '2026-10-02T09:30:00.000Z'));
    const [stay] = await staysOf(made.reservation_code);
    assert.deepEqual(
      [stay.booked_at, stay.cancelled_at, Date.parse(stay.created_at)],
      ['2026-09-01T10:00:00+02:00', '2026-10-02T11:30:00+02:00', core.clock.now()],
    );
  });

  it('rate and commission follow from the lines; what is shown is the channel’s', async () => {
    const { reservation_code } = await deliver(core, [channelRoom(mill, dates())], {
      channel_id: 'HM2',
      remarks: 'late',
      tax: 12_00,
      channel_details: { cancellation_policy_category: 'flexible' },
    });
    const [stay] = await staysOf(reservation_code);
    const eur = (amount: number) => ({ currency: 'EUR', amount });
    assert.deepEqual(
      [stay.rates.rate, stay.rates.commission, stay.rates.total_rate, stay.rates.tax, stay.rates.details.length],
      [eur(300), eur(9), eur(300), eur(12), 3],
    );
    assert.deepEqual(
      [stay.payment.total_amount, stay.channel_id, stay.channel_type, stay.listing_id, stay.channel_remarks],
      [291, 'HM2', 'marketplace_a', `L${mill}`, 'late'],
    );
    assert.deepEqual(stay.channel_details, { marketplace_a: { cancellation_policy_category: 'flexible' } });
    assert.deepEqual([stay.guest_name, stay.guests.length], ['C. Guest', 1]);
  });

  it('several rooms: one code, a stay code and an event for each', async () => {
    const on = dates();
    let code = '';
    const events = await eventsOf(async () => {
      code = (await deliver(core, [channelRoom(mill, on), channelRoom(barn, on)])).reservation_code;
    });
    const created = events.filter((event) => event['event'] === 'reservation_created');
    assert.deepEqual(
      created.map((event) => [event['reservation_code'], event['stay_code'], event['property_id']]),
      [
        [code, `${code}-1`, mill],
        [code, `${code}-2`, barn],
      ],
    );
    const stays = await staysOf(code);
    assert.ok(
      stays.every((stay: { rates: { total_rate: { amount: number } } }) => stay.rates.total_rate.amount === 600),
    );
  });

  it('a taken night: the stay goes to the box with an event; a direct booking is never displaced', async () => {
    const on = dates();
    await deliver(core, [channelRoom(mill, on)]);
    const overlapping = { ...on, check_out_date: on.check_out_date.replace('07', '09') };
    let boxed: string[] = [];
    const events = await eventsOf(async () => {
      boxed = (await deliver(core, [channelRoom(mill, overlapping)])).boxed;
    });
    assert.equal(boxed.length, 1);
    assert.deepEqual(
      events.map((event) => [event['event'], event['property_id']]),
      [['reservation_created', 0]],
    );
    const free = { ...on, check_in_date: on.check_out_date, check_out_date: overlapping.check_out_date };
    assert.deepEqual((await deliver(core, [channelRoom(mill, free)])).boxed, [], 'the box holds no night');
  });

  it('a property the account does not have: the booking is kept, in the box', async () => {
    assert.equal((await deliver(core, [channelRoom(99_999, dates())])).boxed.length, 1);
  });

  it('an alteration: dates and guests are one general change, rates another; repeats tell nothing', async () => {
    const made = await deliver(core, [channelRoom(mill, dates())]);
    const later = dates(10, 12, false);
    const lines = [{ type: 'ACCOMMODATION', description: '', amount: 400_00 }];
    const alter = () =>
      change((one) => alterChannelReservation(one, made, [{ room: 0, ...later, number_of_guests: 4, lines }]));
    assert.deepEqual(kinds(await eventsOf(alter)), [
      ['property_availability_updated', undefined],
      ['reservation_updated', undefined],
      ['reservation_updated', 'rates_updated'],
    ]);
    const [stay] = await staysOf(made.reservation_code);
    assert.deepEqual(
      [stay.check_in_date, stay.number_of_guests, stay.rates.total_rate.amount, stay.rates.total_commission.amount],
      [later.check_in_date, 4, 400, 0],
    );
    assert.deepEqual(await eventsOf(alter), []);
  });

  it('an alteration onto taken nights: to the box, and the old nights are free', async () => {
    const made = await deliver(core, [channelRoom(mill, dates())]);
    const later = dates(10, 12, false);
    await deliver(core, [channelRoom(mill, later)]);
    await change((one) => alterChannelReservation(one, made, [{ room: 0, ...later }]));
    const [stay] = await staysOf(made.reservation_code);
    assert.deepEqual([stay.property_id, stay.check_in_date], [0, later.check_in_date]);
    assert.deepEqual((await deliver(core, [channelRoom(mill, dates(5, 7, false))])).boxed, []);
  });

  it('a cancellation frees the nights, keeps the channel’s moment, and is told once', async () => {
    const made = await deliver(core, [channelRoom(mill, dates())]);
    const cancel = () => change((one) => cancelChannelReservation(one, made, '2026-11-19T08:00:00.000Z'));
    assert.deepEqual(kinds(await eventsOf(cancel)), [
      ['property_availability_updated', undefined],
      ['reservation_updated', undefined],
    ]);
    assert.deepEqual(await eventsOf(cancel), []);
    const [stay] = await staysOf(made.reservation_code);
    assert.deepEqual([stay.status, stay.cancelled_at], ['cancelled', '2026-11-19T09:00:00+01:00']);
    await assert.rejects(
      change((one) => alterChannelReservation(one, made, [{ room: 0, number_of_guests: 3 }])),
      /cancelled/,
    );
  });

  it('an unpaid booking waits, holds its nights, and is accepted when nothing is owed any more', async () => {
    const site = { kind: 'unpaid', channel_type: 'booking_site' } as const;
    const made = await deliver(core, [channelRoom(mill, dates())], site);
    assert.equal(made.status, 'wait_pay');
    const pay = (reference: string, amount: number) =>
      change((one) => receivePayment(one, made, { reference, amount }));
    assert.deepEqual(kinds(await eventsOf(() => pay('p1', 100_00))), [['transaction_created', undefined]]);
    assert.equal((await staysOf(made.reservation_code))[0].status, 'wait_pay');
    assert.deepEqual(kinds(await eventsOf(() => pay('p2', 191_00))), [
      ['transaction_created', undefined],
      ['reservation_updated', undefined],
    ]);
    const [stay] = await staysOf(made.reservation_code);
    assert.deepEqual([stay.status, stay.payment.status], ['accepted', 'received']);
    assert.deepEqual(await eventsOf(async () => assert.equal(await pay('p2', 191_00), false)), []);
  });

  it('what the booking site has received goes back when a stay is cancelled or lapses: one entry of a refund, told once', async () => {
    const site = { channel_type: 'booking_site' } as const;
    const paid = await deliver(core, [channelRoom(mill, dates())], site);
    await change((one) => receivePayment(one, paid, { reference: 'r1', amount: 291_00 }));
    const cancel = () => change((one) => cancelChannelReservation(one, paid));
    assert.deepEqual(kinds(await eventsOf(cancel)), [
      ['property_availability_updated', undefined],
      ['reservation_updated', undefined],
      ['transaction_created', undefined],
    ]);
    assert.deepEqual(await eventsOf(cancel), []);
    const entriesOf = async (reservation_code: string) =>
      (await core.call('listTransactions', { reservation_code, start_date: '2026-11-01', end_date: '2026-12-31' }))
        .transactions;
    const [refund] = await entriesOf(paid.reservation_code);
    assert.deepEqual(
      [refund.direction, refund.item_name, refund.amount, refund.currency, refund.operator_name],
      ['expense', 'Refund', 291, 'EUR', 'System'],
    );
    assert.equal((await staysOf(paid.reservation_code))[0].payment.received_amount, 0);

    const partly = await deliver(core, [channelRoom(mill, dates())], { ...site, kind: 'unpaid' });
    await change((one) => receivePayment(one, partly, { reference: 'r2', amount: 50_00 }));
    await core.clock.advance(31 * 60_000);
    await timeOut(core.core, core.own.account, partly.reservation_code);
    const [lapsed] = await staysOf(partly.reservation_code);
    assert.deepEqual([lapsed.status, lapsed.payment.received_amount], ['timeout', 0]);

    const unpaid = await deliver(core, [channelRoom(mill, dates())], site);
    await change((one) => cancelChannelReservation(one, unpaid));
    const elsewhere = await deliver(core, [channelRoom(mill, dates())]);
    await change((one) => receivePayment(one, elsewhere, { reference: 'r3', amount: 10_00 }));
    await change((one) => cancelChannelReservation(one, elsewhere));
    assert.deepEqual(await entriesOf(unpaid.reservation_code), [], 'nothing was received');
    assert.equal((await entriesOf(elsewhere.reservation_code)).length, 1, 'a marketplace gives back what it has');
  });

  it('nights beyond those that can be read are refused', async () => {
    const far = { check_in_date: '2029-11-19', check_out_date: '2029-11-22' };
    await assert.rejects(deliver(core, [channelRoom(mill, far)]), /check_out_date/);
    const made = await deliver(core, [channelRoom(mill, dates())]);
    await assert.rejects(
      change((one) => alterChannelReservation(one, made, [{ room: 0, ...far }])),
      /check_out_date/,
    );
  });

  it('wait_pay is entered only by the booking site; a guest who gives up cancels', async () => {
    await assert.rejects(deliver(core, [channelRoom(mill, dates())], { kind: 'unpaid' }), /booking site/);
    const made = await deliver(core, [channelRoom(mill, dates())], { kind: 'unpaid', channel_type: 'booking_site' });
    await change((one) => cancelChannelReservation(one, made));
    assert.equal((await staysOf(made.reservation_code))[0].status, 'cancelled');
    await assert.rejects(
      change((one) => receivePayment(one, made, { reference: 'late', amount: 5 })),
      /cancelled/,
    );
  });

  it('money of several rooms is one entry, spread by room rates with the largest remainder', async () => {
    const on = dates();
    const line = (amount: number) => [{ type: 'ACCOMMODATION', description: '', amount }];
    const rooms = [
      channelRoom(mill, { ...on, lines: line(200) }),
      channelRoom(barn, { ...on, lines: line(100) }),
    ] as const;
    const made = await deliver(core, rooms);
    await change((one) => receivePayment(one, made, { reference: 'all', amount: 100 }));
    const parts = await core.core.store.db
      .selectFrom('allocations')
      .where('stay_code', 'in', [`${made.reservation_code}-1`, `${made.reservation_code}-2`] as StayCode[])
      .select(['stay_code', 'amount'])
      .orderBy('stay_code')
      .execute();
    assert.deepEqual(
      parts.map((part) => part.amount),
      [67, 33],
    );
  });

  it('deposits and channel details change in silence', async () => {
    const made = await deliver(core, [channelRoom(mill, dates())]);
    const shown = async () => (await staysOf(made.reservation_code))[0].check_in_details.deposit_details;
    let step = 0;
    const happen = (event: Parameters<typeof receiveDepositEvent>[2]['event']) =>
      change((one) => receiveDepositEvent(one, made, { reference: `d${(step += 1)}`, event }));
    const events = await eventsOf(async () => {
      assert.equal(await shown(), null);
      await happen({ kind: 'required', amount: 200_00 });
      assert.equal((await shown()).status, 'unpaid');
      await happen({ kind: 'paid', amount: 200_00 });
      await happen({ kind: 'deducted', amount: 50_00 });
      assert.deepEqual(await shown(), {
        amount: 200,
        paid_amount: 200,
        deducted_amount: 50,
        pending_refund_amount: 150,
        refunded_amount: 0,
        currency: 'EUR',
        status: 'paid',
      });
      await happen({ kind: 'refunded', amount: 100_00 });
      await happen({ kind: 'returned' });
      const { refunded_amount, pending_refund_amount, status } = await shown();
      assert.deepEqual([refunded_amount, pending_refund_amount, status], [100, 0, 'refunded']);
      const repeat = { reference: 'd2', event: { kind: 'paid', amount: 200_00 } } as const;
      assert.equal(await change((one) => receiveDepositEvent(one, made, repeat)), false);
      const { channel_details: before } = (await staysOf(made.reservation_code))[0];
      assert.deepEqual(before, { marketplace_a: { cancellation_policy_category: null } }, 'not told yet');
      await change((one) => discloseDetails(one, made, { cancellation_policy_category: 'strict' }));
    });
    assert.deepEqual(events, []);
    const [stay] = await staysOf(made.reservation_code);
    assert.equal(stay.channel_details.marketplace_a.cancellation_policy_category, 'strict');
    const other = await deliver(core, [channelRoom(mill, dates())], { channel_type: 'marketplace_b' });
    await change((one) => discloseDetails(one, other, { cancellation_policy_category: 'strict' }));
    assert.equal((await staysOf(other.reservation_code))[0].channel_details, null);
  });

  it('guests and pictures of the check-in guide, each once, told as check-in details', async () => {
    const made = await deliver(core, [channelRoom(mill, dates())]);
    const guest = { reference: 'g1', name: 'D. Guest', country: 'DE', id_images: ['https://pics.example/1'] };
    const events = await eventsOf(() => change((one) => registerGuest(one, made, guest)));
    assert.deepEqual(kinds(events), [['reservation_updated', 'check_in_details_updated']]);
    assert.equal(await change((one) => registerGuest(one, made, guest)), null);
    const image = { reference: 'i1', url: 'https://pics.example/2' };
    const id = await change((one) => addGuideImage(one, made, image));
    assert.equal(await change((one) => addGuideImage(one, made, image)), null);
    const [stay] = await staysOf(made.reservation_code);
    assert.deepEqual(stay.checkin_guide_images, [{ id, client_id: null, url: 'https://pics.example/2' }]);
    assert.deepEqual(
      stay.guests.map((one: { name: string; is_booker: boolean; id_images: { url: string }[] }) => [
        one.name,
        one.is_booker,
        one.id_images.map(({ url }) => url),
      ]),
      [
        ['C. Guest', true, []],
        ['D. Guest', false, ['https://pics.example/1']],
      ],
    );
  });
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { alterChannelReservation } from '../../src/core/channels/reservations/changes.ts';
import { addGuideImage, registerGuest } from '../../src/core/channels/reservations/guests.ts';
import { receiveDepositEvent } from '../../src/core/channels/reservations/money.ts';
import { receiveChannelReservation } from '../../src/core/channels/reservations/receive.ts';
import { runChange } from '../../src/core/change.ts';
import type { Change, Core } from '../../src/core/context.ts';
import type { CoreDatabase } from '../../src/core/database.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { addDays, instantOf } from '../../src/kernel/dates.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { channelRoom } from '../support/channel.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { cheapHasher } from '../support/cheapHasher.ts';

describe('what channels tell reaches the mirror', () => {
  let service: TestService;
  let store: Store<CoreDatabase>;
  let property: number;
  const now = instantOf(Date.now());
  const dates = { check_in_date: addDays(now.slice(0, 10), 20), check_out_date: addDays(now.slice(0, 10), 22) };

  before(async () => {
    service = await startTestService();
    property = (await service.v3('POST', '/properties', { name: 'House' })).property_id;
    await service.settled();
    await service.portal('POST', '/portal/reconcile', {});
    store = await openStore<CoreDatabase>({ kind: 'sqlite', file: join(service.dataDir, 'core.db') });
  });
  after(async () => {
    await store.close();
    await service.remove();
  });

  /** As the service's own process would, over the same database. */
  async function byChannel<T>(work: (change: Change) => Promise<T>): Promise<T> {
    const core: Core = {
      store,
      clock: systemClock,
      random: systemRandom,
      ids: ulidMaker(systemClock, systemRandom),
      sealer: sealer(systemRandom.bytes(32), systemRandom),
      passwords: cheapHasher(systemRandom),
      onQueued: () => {},
      channels: new Map(),
      publicUrl: () => '',
    };
    const account = await store.db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
    return runChange(core, { account, operator: null }, work);
  }
  const identity = (channel_id: string) => ({ channel_type: 'marketplace_a', channel_id });
  const deliver = (channel_id: string, kind: 'request' | 'instant') =>
    byChannel((change) =>
      receiveChannelReservation(change, {
        ...identity(channel_id),
        kind,
        rooms: [channelRoom(property, dates)],
        guest: { name: 'C. Guest' },
        currency: 'EUR',
        booked_at: now,
        channel_details: { cancellation_policy_category: 'flexible' },
      }),
    );

  it('bookings, the box, answers, custom fields, guests, pictures; deposits by the next scan; verify is clean', async () => {
    const first = await deliver('HM1', 'request');
    const second = await deliver('HM2', 'instant');
    await service.settled();
    const code = first.reservation_code;
    await service.v3('POST', `/reservations/${code}/approve`);
    await service.v3('PATCH', `/reservations/${code}/custom_fields`, { custom_fields: { key: 'box 3' } });
    await service.v3('PUT', `/reservations/${code}/stay_status`, { stay_status: 'in_house' });
    await byChannel(async (change) => {
      const guest = { reference: 'g', name: 'D. Guest', id_images: ['https://pics.example/1'] };
      await registerGuest(change, identity('HM1'), guest);
      await addGuideImage(change, identity('HM1'), { reference: 'i', url: 'https://pics.example/2' });
      await alterChannelReservation(change, identity('HM1'), [{ room: 0, number_of_guests: 4 }]);
    });
    await service.settled();
    const stays = await service.rows(
      `select reservation_code, channel_id, status, stay_status, property_id, in_reservation_box, number_of_guests,
        cancellation_policy_category, raw from mirror.stays where channel_type = 'marketplace_a' order by channel_id`,
    );
    assert.deepEqual(
      stays.map(({ raw, ...stay }) => stay),
      [
        {
          reservation_code: code,
          channel_id: 'HM1',
          status: 'accepted',
          stay_status: 'in_house',
          property_id: property,
          in_reservation_box: 0,
          number_of_guests: 4,
          cancellation_policy_category: 'flexible',
        },
        {
          reservation_code: second.reservation_code,
          channel_id: 'HM2',
          status: 'accepted',
          stay_status: 'checkin_pending',
          property_id: 0,
          in_reservation_box: 1,
          number_of_guests: 2,
          cancellation_policy_category: 'flexible',
        },
      ],
    );
    const raw = String(stays[0]?.['raw']);
    assert.deepEqual(JSON.parse(raw).custom_fields, { key: 'box 3' });
    assert.ok(!raw.includes('pics.example') && !raw.includes('D. Guest'), 'persons stand in guests alone');
    const guests = await service.rows(
      `select name, id_images, more from mirror.guests where stay_code = '${code}' order by guest_key`,
    );
    const text = JSON.stringify(guests);
    for (const part of ['C. Guest', 'D. Guest', 'https://pics.example/1', 'https://pics.example/2'])
      assert.ok(text.includes(part), part);
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);

    await byChannel(async (change) => {
      const about = identity('HM1');
      await receiveDepositEvent(change, about, { reference: 'd1', event: { kind: 'required', amount: 200_00 } });
      await receiveDepositEvent(change, about, { reference: 'd2', event: { kind: 'paid', amount: 200_00 } });
      await receiveDepositEvent(change, about, { reference: 'd3', event: { kind: 'deducted', amount: 50_00 } });
    });
    await service.portal('POST', '/portal/reconcile', {});
    const deposits = await service.rows(
      `select deposit_minor, deposit_paid_minor, deposit_deducted_minor, deposit_pending_refund_minor, deposit_status
        from mirror.stays where reservation_code = '${code}'`,
    );
    assert.deepEqual(deposits, [
      {
        deposit_minor: 200_00,
        deposit_paid_minor: 200_00,
        deposit_deducted_minor: 50_00,
        deposit_pending_refund_minor: 150_00,
        deposit_status: 'paid',
      },
    ]);
    assert.equal((await service.portal('POST', '/portal/verify', {})).clean, true);
  });

  it('an answer to a request to book reaches the side of its channel', async () => {
    for (const [channel_id, answer, status] of [
      ['HMYES', 'approve', 'accepted'],
      ['HMNO', 'decline', 'denied'],
    ] as const) {
      const { reservation_code } = await deliver(channel_id, 'request');
      await service.v3('POST', `/reservations/${reservation_code}/${answer}`);
      const taken = `select answer from core.sandbox_requests where channel_id = '${channel_id}'`;
      assert.deepEqual(await service.rows(taken), [{ answer }]);
      const { reservations } = await service.v3('GET', `/reservations?reservation_code=${reservation_code}`);
      assert.equal(reservations[0].status, status);
    }
  });

  it('custom fields stand in the mirror just as they were given, and go when they are deleted', async () => {
    const { reservation_code: code } = await deliver('HMFIELDS', 'instant');
    const mirrored = async () => {
      await service.settled();
      const [stay] = await service.rows(`select raw from mirror.stays where stay_code = '${code}'`);
      return JSON.parse(String(stay?.['raw'])).custom_fields;
    };
    const save = (custom_fields: object) =>
      service.v3('PATCH', `/reservations/${code}/custom_fields`, { custom_fields });
    await save({ 'Listener code ✓': ' 007 ', size: '42' });
    assert.deepEqual(await mirrored(), { 'Listener code ✓': ' 007 ', size: '42' });
    await save({ size: null });
    assert.deepEqual(await mirrored(), { 'Listener code ✓': ' 007 ' });
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { steerNextAnswer } from '../../src/sandbox/channel/requests.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { channelRoom, deliver } from '../support/channel.ts';
import { startCore, type TestCore } from '../support/core.ts';

describe('requests to book on a sandbox marketplace', () => {
  let core: TestCore;
  let mill: number;
  before(async () => {
    core = await startCore();
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
  });
  after(() => core.close());

  let month = 0;
  function asked() {
    month += 1;
    const at = (day: number) => new Date(Date.UTC(2027, month, day)).toISOString().slice(0, 10);
    const room = channelRoom(mill, { check_in_date: at(5), check_out_date: at(7) });
    return deliver(core, [room], { kind: 'request' });
  }
  const answer = async (code: string, what: 'approve' | 'decline') =>
    (await core.request('POST', `/reservations/${code}/${what}`)).error_code;
  const statusOf = async (reservation_code: string) =>
    (await core.call('listReservations', { reservation_code })).reservations[0].status;
  const taken = (channel_id: string) =>
    core.core.store.db
      .selectFrom('sandbox_requests')
      .where('channel_id', '=', channel_id)
      .select(['account_id', 'channel_type', 'answer', 'answered_at'])
      .execute();

  it('are approved and declined there too', async () => {
    for (const what of ['approve', 'decline'] as const) {
      const { reservation_code, channel_id } = await asked();
      assert.equal(await answer(reservation_code, what), 200);
      const answered_at = instantOf(core.clock.now());
      const { account_id } = core.own.account;
      assert.deepEqual(await taken(channel_id), [
        { account_id, channel_type: 'marketplace_a', answer: what, answered_at },
      ]);
    }
  });

  it('go on waiting when the marketplace refuses the answer, and take it the next time', async () => {
    const { reservation_code, channel_id, channel_type } = await asked();
    await core.change(core.own.account, (change) => steerNextAnswer(change, { channel_type, channel_id }));
    assert.equal(await answer(reservation_code, 'approve'), 502);
    assert.deepEqual([await statusOf(reservation_code), (await taken(channel_id))[0]?.answer], ['wait_accept', null]);
    assert.equal(await answer(reservation_code, 'approve'), 200);
    assert.equal(await statusOf(reservation_code), 'accepted');
  });

  it('keep the first answer when a crash has left it unheard here: the same one is taken, another is refused', async () => {
    const { reservation_code, channel_id, channel_type } = await asked();
    const request = { account_id: core.own.account.account_id, channel_type, channel_id };
    await core.core.channels.get(channel_type)?.requests?.approve(request);
    assert.equal(await statusOf(reservation_code), 'wait_accept');
    assert.equal(await answer(reservation_code, 'decline'), 400);
    assert.equal(await statusOf(reservation_code), 'wait_accept');
    assert.equal(await answer(reservation_code, 'approve'), 200);
    assert.equal((await taken(channel_id))[0]?.answer, 'approve');
  });

  it('of two answers at once, here and there the same one has been given', async () => {
    for (let i = 0; i < 5; i += 1) {
      const { reservation_code, channel_id } = await asked();
      await Promise.all([answer(reservation_code, 'approve'), answer(reservation_code, 'decline')]);
      const [row] = await taken(channel_id);
      assert.equal(await statusOf(reservation_code), row?.answer === 'approve' ? 'accepted' : 'denied');
    }
  });
});

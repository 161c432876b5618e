import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { events } from '../../src/contract/events.ts';
import { type OperationId, operationIds, operations } from '../../src/contract/index.ts';
import { channelRoom, deliver } from '../support/channel.ts';
import { startCore, type TestCore } from '../support/core.ts';

describe('what operations tell', () => {
  let core: TestCore;
  const told = new Map<OperationId, Set<string>>(operationIds.map((id) => [id, new Set()]));
  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  /** Calls an operation and takes down the kinds of events it has queued, each with exactly the fields of its kind. */
  async function call(id: OperationId, input: Record<string, unknown> = {}) {
    const before = (await core.events()).length;
    const data = await core.call(id, input);
    for (const { event, ...fields } of (await core.events()).slice(before)) {
      const kind = events[event as keyof typeof events];
      assert.deepEqual(kind.fields.strict().parse(fields), fields);
      told.get(id)?.add(String(event));
    }
    return data;
  }

  it('is what they are declared to emit, all of it and nothing else', async () => {
    const { property_id } = await call('createProperty', { title: 'Mill' });
    const booking = {
      property_id,
      check_in_date: '2027-03-05',
      check_out_date: '2027-03-08',
      guest_name: 'A. Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 50,
    };
    const { reservation_code: stay_code } = await call('createReservation', booking);
    for (const change of [
      { check_out_date: '2027-03-09' },
      { note: 'x' },
      { received_amount: 60 },
      { received_amount: 0 },
      { received_amount: 5 },
    ]) {
      await call('updateReservation', { stay_code, ...change });
    }
    await call('updateCheckInDetails', { stay_code, lock_code: '1' });
    await call('updateCustomFields', { stay_code, custom_fields: { a: 'b' } });
    await call('updateStayStatus', { stay_code, stay_status: 'in_house' });
    await call('moveReservationToBox', { stay_code });
    await call('allocateReservation', { stay_code, property_id });
    const on = (day: number) => ({ check_in_date: `2027-04-0${day}`, check_out_date: `2027-04-0${day + 1}` });
    for (const [day, answer] of [
      [1, 'approveReservation'],
      [3, 'declineReservation'],
    ] as const)
      await call(answer, { ...(await deliver(core, [channelRoom(property_id, on(day))], { kind: 'request' })) });
    const { income_items } = await call('listIncomeItems');
    const { income_methods } = await call('listIncomeMethods');
    const entry = {
      direction: 'income',
      amount: 1,
      currency: 'EUR',
      item_id: income_items[0].id,
      payment_method_id: income_methods[0].id,
    };
    const { transaction_id: id } = await call('createTransaction', entry);
    await call('updateTransaction', { id, amount: 2 });
    await call('deleteTransaction', { id });
    await call('cancelReservation', { reservation_code: stay_code });
    const webhook = await call('createWebhook', { url: 'https://hooks.example' });
    await call('updateWebhook', { id: webhook.id, events: [] });
    await call('deleteWebhook', { id: webhook.id });
    for (const one of operationIds) {
      assert.deepEqual([...(told.get(one) ?? [])].toSorted(), [...operations[one].emits].toSorted(), one);
    }
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { events } from '../../src/contract/events.ts';
import { isOpen, type OperationId, operationIds, operations } from '../../src/contract/index.ts';
import { createRule } from '../../src/core/automation/manageRules.ts';
import { receiveReview } from '../../src/core/reviews/receive.ts';
import { changeAuthStatus } from '../../src/core/channels/accounts.ts';
import type { ReservationCode } from '../../src/kernel/ids.ts';
import { listOn } from '../support/listings.ts';
import { channelRoom, deliver } from '../support/channel.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { bookOnChannel, openConversation } from '../support/conversations.ts';

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
    await core.workCalendars();
    for (const { event, ...fields } of (await core.events()).slice(before)) {
      const kind = events[event as keyof typeof events];
      assert.deepEqual(kind.fields.strict().parse(fields), fields);
      told.get(id)?.add(String(event));
    }
    return data;
  }

  /** Messages and reviews carried out by hand: of a stay that nobody has reviewed, and of one that its guest has. */
  async function callAutomation(property_id: number): Promise<void> {
    const own = { account: core.own.account, operator: null };
    const rule = { name: 'x', hours: 2, property_ids: null, channel_types: null, is_enabled: true };
    await createRule(core.core, own, { ...rule, type: 'message', event: 'check_in', action: { content: 'Hello' } });
    const review = { type: 'review', event: 'check_out', action: { host_review_score: 5 } } as const;
    await createRule(core.core, own, { ...rule, ...review });
    const dates = { check_in_date: '2026-11-21', check_out_date: '2026-11-22' };
    const booked = await Promise.all([1, 2].map(() => deliver(core, [channelRoom(property_id, dates)])));
    const [first] = booked;
    await core.change(core.own.account, (change) =>
      receiveReview(change, first?.reservation_code as ReservationCode, { review: { score: 5, content: 'Good.' } }),
    );
    core.clock.jump(Date.parse('2026-11-21T23:30:00Z') - core.clock.now());
    for (const { reservation_code } of booked) {
      const { actions } = await call('listAutomationActions', { stay_code: reservation_code });
      for (const { plan_id } of actions) await call('executeAutomationAction', { plan_id });
    }
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
    await call('createRoomType', { name: 'Doubles', property_ids: [property_id] });
    const group = await call('createPropertyGroup', { name: 'North' });
    await call('updatePropertyGroup', { id: group.id, property_ids: [property_id] });
    await call('deletePropertyGroup', { id: group.id });
    const tag = await call('createPropertyTag', { name: 'Sea view' });
    await call('updatePropertyTag', { id: tag.id, property_ids: [property_id] });
    await call('deletePropertyTag', { id: tag.id });
    const reservationTag = await call('createReservationTag', { tag_name: 'Band' });
    await call('addReservationTag', { stay_code, tag_name: 'Band' });
    await call('addReservationTag', { stay_code, tag_name: 'VIP' });
    await call('removeReservationTag', { stay_code, tag_name: 'VIP' });
    await call('deleteReservationTag', { id: reservationTag.id });
    const link = await call('createCalendarShareLink', { scope: 'entire' });
    await call('deleteCalendarShareLink', { id: link.id });
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
    const listing = await listOn(core, 'marketplace_a', property_id);
    const name = { channel_type: listing.channel_type, listing_id: listing.listing_id };
    const range = { start_date: '2027-06-01', end_date: '2027-06-02' };
    await call('updatePrices', { ...name, prices: [{ ...range, price: 90 }] });
    await core.clock.advance(5_000);
    await call('updateInventories', { ...name, inventories: [{ ...range, inventory: 1 }] });
    await call('updateRestrictions', { ...name, restrictions: [{ ...range, closed_on_arrival: true }] });
    await core.clock.advance(5_000);
    await call('updateAvailabilities', { property_ids: [property_id], available: false, ...range });
    await call('updateMarketplaceARules', { listing_id: listing.listing_id, settings: { base_price: 80 } });
    await core.change(core.own.account, (change) => changeAuthStatus(change, listing.channel_account_id, 'fail'));
    await call('cancelReservation', { reservation_code: stay_code });
    const conversation_id = await openConversation(core, {
      inquiry: {
        listing_id: 'L1',
        property_id,
        check_in_date: '2027-01-10',
        check_out_date: '2027-01-12',
        number_of_guests: 2,
      },
    });
    await call('sendMessage', { conversation_id, message: 'Hello' });
    await call('updateConversationNote', { conversation_id, note: 'x' });
    const barn = (await call('createProperty', { title: 'Barn' })).property_id;
    const { listing_id } = await listOn(core, 'marketplace_a', barn);
    const terms = { listing_id, check_in_date: '2027-02-01', check_out_date: '2027-02-04', price: 9 };
    const offer = await call('createSpecialOffer', { conversation_id, ...terms, number_of_adults: 1 });
    await call('withdrawSpecialOffer', { conversation_id, special_offer_id: offer.id });
    await call('createPreapproval', { conversation_id });
    const reservation_code = await bookOnChannel(core, { property_id });
    await call('createReview', { reservation_code, host_review_score: 5 });
    await core.change(core.own.account, (change) =>
      receiveReview(change, reservation_code, { review: { score: 5, content: 'Good.' } }),
    );
    await call('createReview', { reservation_code, host_reply_content: 'Thanks.' });
    await callAutomation(property_id);
    const webhook = await call('createWebhook', { url: 'https://hooks.example' });
    await call('updateWebhook', { id: webhook.id, events: [] });
    await call('deleteWebhook', { id: webhook.id });
    // What they tell is seen where applications are disconnected.
    for (const one of operationIds.filter((id) => !isOpen(id))) {
      assert.deepEqual([...(told.get(one) ?? [])].toSorted(), [...operations[one].emits].toSorted(), one);
    }
  });
});

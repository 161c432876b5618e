import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { holdCore } from '../../src/compose/backup/settleRestored.ts';
import { createRule, type RuleFields } from '../../src/core/automation/manageRules.ts';
import { changeSubscription } from '../../src/core/accounts/subscription.ts';
import { holdAutomations, listAccounts } from '../../src/core/accounts/table.ts';
import { alterChannelReservation, cancelChannelReservation } from '../../src/core/channels/reservations/changes.ts';
import { automationWorker } from '../../src/core/automation/worker.ts';
import { automationPorts } from '../../src/core/effects.ts';
import type { RuleType } from '../../src/core/workTables.ts';
import type { StayCode } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { byChannel, channelRoom, deliver } from '../support/channel.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { guestWrites, openConversation } from '../support/conversations.ts';

const HOUR = 3_600_000;

describe('what automation does to guests', () => {
  let core: TestCore;
  let mill: number;
  let welcome: number;
  before(async () => {
    core = await startCore();
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
    welcome = await rule({
      event: 'check_in',
      hours: -24,
      action: { content: 'Hi {guest_name}, {property_name} waits.' },
    });
    await rule({
      type: 'review',
      name: 'Thanks',
      event: 'check_out',
      hours: 2,
      action: { host_review_content: 'Come again', category_ratings: { overall_rating: 4, cleanliness: 5 } },
    });
  });
  after(() => core.close());

  const rule = (fields: Partial<RuleFields> & { type?: RuleType }) =>
    createRule(
      core.core,
      { account: core.own.account, operator: null },
      {
        type: 'message',
        name: 'Welcome',
        event: 'check_in',
        hours: -24,
        property_ids: null,
        channel_types: null,
        action: {},
        is_enabled: true,
        ...fields,
      },
    );

  let day = 2;
  /** A booking of a channel, two nights of its own. */
  function book(more: Parameters<typeof deliver>[2] = {}) {
    const at = (days: number) => new Date(core.clock.now() + days * 24 * HOUR).toISOString().slice(0, 10);
    day += 2;
    const dates = { check_in_date: at(day), check_out_date: at(day + 2) };
    return deliver(core, [channelRoom(mill, dates)], more);
  }

  async function planOf(stay_code: string, type: string) {
    const { actions } = await core.call('listAutomationActions', { stay_code, type });
    assert.equal(actions.length, 1);
    return actions[0];
  }

  async function execute(stay_code: string, type = 'message') {
    const { plan_id } = await planOf(stay_code, type);
    return core.request('POST', `/automation/actions/${plan_id}/execute`);
  }

  /** A minute after an action is due, or so many hours from then. */
  async function untilDue(stay_code: string, type: string, hours = 0): Promise<void> {
    const { scheduled_at } = await planOf(stay_code, type);
    core.clock.jump(Date.parse(scheduled_at) + hours * HOUR - core.clock.now() + 60_000);
  }

  /** What is queued while something is done. */
  async function told(work: () => Promise<unknown>) {
    const before = (await core.events()).length;
    await work();
    return (await core.events()).slice(before);
  }

  async function conversationOf(reservation_code: string) {
    const { reservations } = await core.call('listReservations', { reservation_code });
    const { conversation_id } = reservations[0];
    return core.call('getConversation', { conversation_id });
  }

  /** Lets the worker look once. */
  async function work(): Promise<void> {
    const worker = automationWorker({ core: core.core, log: silentLogger, ports: automationPorts });
    await worker.start();
    await worker.settled();
    await worker.stop();
  }

  const posts = () => core.core.store.db.selectFrom('channel_posts').selectAll().orderBy('id').execute();

  it('a message appears in the conversation of its stay, from the host, with the rule as its source', async () => {
    const conversation_id = await openConversation(core);
    await guestWrites(core, conversation_id);
    const { reservation_code } = await book({ conversation_id });
    const events = await told(async () => assert.equal((await execute(reservation_code)).error_code, 200));
    const conversation = await core.call('getConversation', { conversation_id });
    const [message, ...others] = conversation.messages;
    const content = 'Hi C. Guest, Mill waits.';
    assert.deepEqual(
      [message.sender_role, message.sender_name, message.display_type, message.content, others.length],
      ['host', null, 'Text', content, 1],
    );
    const doc = { title: 'Welcome', fragment: [content], source_type: 'automation_reply', link_id: String(welcome) };
    assert.deepEqual(message.sources, [{ type: 'automation_reply', docs: [doc] }]);
    assert.deepEqual(
      events.map(({ event, message_id }) => [event, message_id]),
      [['message_created', message.message_id]],
      'told once',
    );
    const post = (await posts()).at(-1);
    assert.deepEqual([post?.lane, JSON.parse(post?.payload ?? '{}').content], [conversation_id, content]);
    const { conversations } = await core.call('listConversations');
    assert.equal(conversations[0].unread_count, 0, 'the guest has been answered');
  });

  it('a booking without a conversation gets one on its channel, once', async () => {
    const { total } = await core.call('listConversations');
    const { reservation_code, channel_id, channel_type } = await book();
    assert.equal((await execute(reservation_code)).error_code, 200);
    const conversation = await conversationOf(reservation_code);
    assert.deepEqual(
      [conversation.channel_type, conversation.guest.name, conversation.messages.length],
      [channel_type, 'C. Guest', 1],
    );
    assert.equal(conversation.activities[0].reservation_code, reservation_code);
    const payload = JSON.parse((await posts()).at(-1)?.payload ?? '{}');
    assert.deepEqual([payload.kind, payload.thread], ['message', `reservation ${channel_id}`]);
    await execute((await book()).reservation_code);
    assert.equal((await core.call('listConversations')).total, total + 2, 'one for each booking');
  });

  it('a guest whom no channel reaches is not written to: 400, and the action goes on waiting', async () => {
    const { reservation_code: fed } = await book({ channel_type: 'ical' });
    const { reservation_code: made } = await core.call('createReservation', {
      property_id: mill,
      check_in_date: '2026-12-18',
      check_out_date: '2026-12-19',
      guest_name: 'Ada Guest',
      rate_amount: 300,
      commission_amount: 0,
      received_amount: 0,
    });
    for (const [stay_code, channel] of [
      [fed, 'ical'],
      [made, 'direct'],
    ] as const) {
      const before = await core.stored();
      const answer = await execute(stay_code);
      assert.equal(answer.error_code, 400);
      assert.match(answer.error_msg, new RegExp(`booking of ${channel} .*cannot be written to`));
      assert.equal(await core.stored(), before);
      await planOf(stay_code, 'message');
    }
  });

  it('the worker writes into the conversation just so, once', async () => {
    const conversation_id = await openConversation(core);
    const { reservation_code } = await book({ conversation_id });
    await untilDue(reservation_code, 'message');
    await work();
    const events = (await core.events()).filter((event) => event.conversation_id === conversation_id);
    await Promise.all([work(), work()]);
    const { messages } = await core.call('getConversation', { conversation_id });
    assert.deepEqual(
      [messages.length, messages[0].sender_role, messages[0].sources[0].type],
      [1, 'host', 'automation_reply'],
    );
    const message = { event: 'message_created', conversation_id, message_id: messages[0].message_id };
    assert.deepEqual(
      events.map(({ account_id: _, ...event }) => event),
      [message],
    );
  });

  it('of an account that is held nothing is sent until somebody arms it', async () => {
    const conversation_id = await openConversation(core);
    const { reservation_code } = await book({ conversation_id });
    await untilDue(reservation_code, 'message');
    const messages = async () => (await core.call('getConversation', { conversation_id })).messages.length;
    await holdAutomations(core.core.store.db, 'restored');
    await work();
    assert.equal(await messages(), 0);
    await changeSubscription(core.core, core.own.account, { automations: 'armed' });
    await work();
    assert.equal(await messages(), 1);
  });

  it('a booking of several rooms is reviewed once, when the last of them has left, and no action is left over', async () => {
    const barn = (await core.call('createProperty', { title: 'Barn' })).property_id;
    const at = (days: number) => new Date(core.clock.now() + days * 24 * HOUR).toISOString().slice(0, 10);
    day += 4;
    const dates = [at(day), at(day + 2), at(day + 3)] as const;
    const { reservation_code } = await deliver(core, [
      channelRoom(mill, { check_in_date: dates[0], check_out_date: dates[1] }),
      channelRoom(barn, { check_in_date: dates[0], check_out_date: dates[2] }),
    ]);
    const { reservations } = await core.call('listReservations', { reservation_code });
    const codes = reservations.map((stay: { stay_code: string }) => stay.stay_code);
    assert.equal(codes.length, 2);
    const times = [];
    for (const code of codes) times.push((await planOf(code, 'review')).scheduled_at.slice(0, 10));
    assert.deepEqual(times, [dates[2], dates[2]]);
    await untilDue(codes[0], 'review');
    const events = await told(() => work());
    assert.deepEqual(
      events.filter(({ event }) => event === 'review_created').map((event) => event['reservation_code']),
      [reservation_code],
    );
    for (const stay_code of codes) {
      assert.deepEqual((await core.call('listAutomationActions', { stay_code, type: 'review' })).actions, []);
    }
    const plans = await core.core.store.db
      .selectFrom('automation_plans')
      .where('stay_code', 'in', codes)
      .where('type', '=', 'review')
      .select('state')
      .execute();
    assert.deepEqual(
      plans.map(({ state }) => state),
      ['executed', 'executed'],
    );
  });

  it('a review stands with the reservation and is told; one who reviewed by hand before: 400', async () => {
    const { reservation_code } = await book();
    await untilDue(reservation_code, 'review', -1);
    const events = await told(async () => assert.equal((await execute(reservation_code, 'review')).error_code, 200));
    assert.deepEqual(
      events.map(({ event, reservation_code }) => [event, reservation_code]),
      [['review_created', reservation_code]],
    );
    const { reviews } = await core.call('listReviews', { reservation_code });
    const { score, content, sub_score } = reviews[0].host_review;
    assert.deepEqual([score, content], [4, 'Come again']);
    assert.deepEqual(sub_score, [{ category: 'cleanliness', rating: 5, review_category_tags: [] }]);
    const payload = JSON.parse((await posts()).at(-1)?.payload ?? '{}');
    assert.deepEqual([payload.kind, payload.ratings], ['host_review', { cleanliness: 5 }]);

    const { reservation_code: other } = await book();
    await untilDue(other, 'review', -1);
    await core.call('createReview', { reservation_code: other, host_review_score: 3 });
    assert.equal((await execute(other, 'review')).error_code, 400);
    await untilDue(other, 'review');
    await work();
    assert.deepEqual((await core.call('listAutomationActions', { stay_code: other })).actions, []);
    assert.equal((await core.call('listReviews', { reservation_code: other })).reviews[0].host_review.score, 3);
  });

  describe('after a backup of an earlier time was restored', () => {
    // Their nights are over.
    before(() => {
      core.clock.jump(100 * 24 * HOUR);
      day = 2;
    });

    const arm = () => changeSubscription(core.core, core.own.account, { automations: 'armed' });
    const said = async (code: string) => {
      const { reservations } = await core.call('listReservations', { reservation_code: code });
      const { conversation_id } = reservations[0];
      if (conversation_id === null) return [];
      return (await core.call('getConversation', { conversation_id })).messages.map(
        (one: { content: string }) => one.content,
      );
    };
    const restore = async () => {
      await holdCore(core.core.store, { why: 'restored', now: core.clock.now() });
      // Another process, with what it finds.
      Object.assign(core.own.account, (await listAccounts(core.core.store.db))[0]);
    };
    const text = 'Hi C. Guest, Mill waits.';
    const plan = (stay_code: string) =>
      core.core.store.db
        .selectFrom('automation_plans')
        .selectAll()
        .where('stay_code', '=', stay_code as StayCode)
        .where('type', '=', 'message')
        .executeTakeFirstOrThrow();

    it('what was due is left to a person, what comes later goes out once, and so does what is booked later', async () => {
      const { reservation_code: due } = await book();
      const { reservation_code: byHand } = await book();
      await untilDue(byHand, 'message');
      const { reservation_code: later } = await book();
      // At noon a day before check-in is over for whoever comes today.
      core.clock.jump(36 * HOUR - (core.clock.now() % (24 * HOUR)));
      await restore();
      core.clock.jump(60_000);
      const at = (days: number) => new Date(core.clock.now() + days * 24 * HOUR).toISOString().slice(0, 10);
      const barn = (await core.call('createProperty', { title: 'New barn' })).property_id;
      const booked_at = new Date(core.clock.now()).toISOString();
      const soonRoom = channelRoom(barn, { check_in_date: at(0), check_out_date: at(1) });
      const { reservation_code: soon } = await deliver(core, [soonRoom], { booked_at });
      const loft = (await core.call('createProperty', { title: 'Loft' })).property_id;
      const againRoom = channelRoom(loft, { check_in_date: at(0), check_out_date: at(1) });
      const { reservation_code: again } = await deliver(core, [againRoom]);
      await work();
      for (const code of [due, byHand, later, soon, again]) assert.deepEqual(await said(code), [], 'held');
      await arm();
      await work();
      await work();
      assert.deepEqual(await said(due), []);
      assert.deepEqual(await said(byHand), []);
      assert.equal((await execute(byHand)).error_code, 200);
      assert.deepEqual(await said(byHand), [text]);
      core.clock.jump(24 * HOUR + 60_000);
      await work();
      assert.equal((await plan(due)).state, 'failed');
      assert.match((await plan(due)).problem ?? '', /a backup was restored after its time/);
      await untilDue(later, 'message');
      await work();
      await work();
      assert.deepEqual(await said(due), []);
      assert.deepEqual(await said(byHand), [text]);
      assert.deepEqual(await said(later), [text]);
      assert.deepEqual(await said(soon), ['Hi C. Guest, New barn waits.']);
      assert.deepEqual(await said(again), [], 'a booking from before, which the channel tells again');
    });

    it('moving its stay does not bring it again', async () => {
      const booked = await book();
      await untilDue(booked.reservation_code, 'message');
      await restore();
      await arm();
      const at = (days: number) => new Date(core.clock.now() + days * 24 * HOUR).toISOString().slice(0, 10);
      const stay = { room: 0, check_in_date: at(40), check_out_date: at(42) };
      await byChannel(core, (change) => alterChannelReservation(change, booked, [stay]));
      core.clock.jump(39 * 24 * HOUR + 12 * HOUR);
      await work();
      assert.deepEqual(await said(booked.reservation_code), [], 'it says the message of its new date neither');
    });

    it('a plan in doubt ends with its stay', async () => {
      const booked = await book();
      await untilDue(booked.reservation_code, 'message');
      await restore();
      await byChannel(core, (change) => cancelChannelReservation(change, booked));
      assert.equal((await plan(booked.reservation_code)).state, 'removed');
    });

    it('what a channel was to be told is not told by itself: nobody knows whether it was', async () => {
      const conversation_id = await openConversation(core);
      await guestWrites(core, conversation_id);
      await core.call('sendMessage', { conversation_id, message: 'Welcome' });
      const open = async () => (await posts()).filter((post) => post.state === 'waiting').length;
      assert.ok((await open()) > 0);
      await restore();
      await arm();
      assert.equal(await open(), 0);
      assert.match((await posts()).at(-1)?.problem ?? '', /restored/);
    });
  });
});

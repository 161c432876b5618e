import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { runChange } from '../../src/core/change.ts';
import { Delivery } from '../../src/core/outbox/delivery.ts';
import type { DeliveryFaults } from '../../src/core/outbox/faults.ts';
import { rotateSecret } from '../../src/core/webhooks/register.ts';
import { webhookById } from '../../src/core/webhooks/table.ts';
import { verifyWebhook, signingKey } from '../../src/kernel/signature.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { type Sender, webhookSender } from '../../src/outbound/deliver.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { startReceiver, type TestReceiver } from '../support/receiver.ts';

describe('delivery of thin events', () => {
  let core: TestCore;
  let receiver: TestReceiver;
  let sender: Sender;
  let property: number;

  beforeEach(async () => {
    core = await startCore();
    receiver = await startReceiver();
    sender = webhookSender({ clock: core.clock, userAgent: 'test', policy: { allow: [receiver.host] } });
    property = (await core.call('createProperty', { name: 'Mill' })).property_id;
  });
  afterEach(async () => {
    await sender.close();
    await receiver.close();
    await core.close();
  });

  const worker = (faults?: DeliveryFaults) =>
    new Delivery({ core: core.core, log: silentLogger, alone: true, ...(faults && { faults }) });

  const book = (night: number, more: object = {}) =>
    core.call('createReservation', {
      property_id: property,
      check_in_date: `2027-03-${String(night).padStart(2, '0')}`,
      check_out_date: `2027-03-${String(night + 1).padStart(2, '0')}`,
      guest_name: 'A. Guest',
      rate_amount: 100,
      commission_amount: 0,
      received_amount: 0,
      ...more,
    });

  const outcomes = async () =>
    (
      await core.core.store.db.selectFrom('deliveries').select(['event_id', 'outcome']).orderBy('event_id').execute()
    ).map((row) => row.outcome);

  async function delivered(delivery: Delivery): Promise<void> {
    await delivery.start(sender);
    while (delivery.busy) await new Promise((turn) => setImmediate(turn));
  }

  it('each event goes once to each webhook that wants it, with the described headers over the exact bytes', async () => {
    const all = await core.call('createWebhook', { url: `${receiver.url}/all` });
    await core.call('createWebhook', { url: `${receiver.url}/some`, events: ['reservation_created'] });
    await book(5, { received_amount: 10 });
    const delivery = worker();
    await delivered(delivery);
    await delivery.stop();
    const paths = receiver.received.map((one) => `${one.path} ${(JSON.parse(one.body) as { event: string }).event}`);
    assert.deepEqual(paths.toSorted(), [
      '/hook/all property_availability_updated',
      '/hook/all reservation_created',
      '/hook/all transaction_created',
      '/hook/some reservation_created',
    ]);
    for (const { headers, body, path } of receiver.received.filter((one) => one.path.endsWith('all'))) {
      const payload = JSON.parse(body) as Record<string, string>;
      assert.equal(headers['webhook-id'], payload['event_id'], path);
      assert.equal(headers['service-webhook-secret-token'], all.secret_token);
      assert.match(payload['event_id'] ?? '', /^[0-9A-HJKMNP-TV-Z]{26}$/);
      const signed = {
        id: String(headers['webhook-id']),
        timestamp: String(headers['webhook-timestamp']),
        signature: String(headers['webhook-signature']),
        body: Buffer.from(body),
      };
      assert.ok(verifyWebhook(signingKey(all.secret_token), signed, core.clock.now()));
    }
    const shared = receiver.received.filter((one) => one.body.includes('reservation_created'));
    assert.equal(new Set(shared.map((one) => one.headers['webhook-id'])).size, 1);
    assert.deepEqual(await outcomes(), ['delivered', 'delivered', 'delivered', 'delivered']);
  });

  it('a refused delivery is final: it is not sent again, not even after a restart', async () => {
    await core.call('createWebhook', { url: receiver.url });
    receiver.answer = () => 500;
    await book(5);
    for (let start = 0; start < 2; start += 1) {
      const delivery = worker();
      await delivered(delivery);
      await delivery.stop();
    }
    assert.equal(receiver.received.length, 2);
    assert.deepEqual(await outcomes(), ['refused', 'refused']);
  });

  it('a receiver that does not answer within 3 seconds: timeout', async () => {
    await core.call('createWebhook', { url: receiver.url, events: ['reservation_created'] });
    receiver.answer = () => 'hang';
    await book(5);
    const delivery = worker();
    await delivery.start(sender);
    while (receiver.received.length === 0) await new Promise((turn) => setImmediate(turn));
    await core.clock.advance(2_999);
    assert.deepEqual(await outcomes(), [null]);
    await core.clock.advance(2);
    while (delivery.busy) await new Promise((turn) => setImmediate(turn));
    await delivery.stop();
    assert.deepEqual(await outcomes(), ['timeout']);
  });

  it('a delivery cut off by our own crash has no outcome and is sent at the next start with the same event_id', async () => {
    const { id } = await core.call('createWebhook', { url: receiver.url, events: ['reservation_created'] });
    await book(5);
    const { db } = core.core.store;
    const event = await db
      .selectFrom('outbox')
      .where('event', '=', 'reservation_created')
      .selectAll()
      .executeTakeFirstOrThrow();
    // What the tables hold when the process dies between claim and outcome.
    const { account_id, event_id } = event;
    const claimed = { account_id, event_id, webhook_id: id, outcome: null, http_status: null, finished_at: null };
    await db
      .insertInto('deliveries')
      .values({ ...claimed, leased_until: core.clock.now() + 30_000 })
      .execute();
    await db.updateTable('outbox').set({ fanned_out: 1 }).execute();
    const delivery = worker();
    await delivered(delivery);
    await delivery.stop();
    assert.deepEqual(
      receiver.received.map((one) => one.headers['webhook-id']),
      [event_id],
    );
    assert.deepEqual(await outcomes(), ['delivered']);
  });

  it('what a failing database cuts off is made again a moment later, and its outcome is written when it can be', async () => {
    await core.call('createWebhook', { url: receiver.url, events: ['reservation_created'] });
    await book(5);
    let isGone = true;
    const { sealer, store } = core.core;
    const open: typeof sealer.open = (sealed, context) => {
      if (isGone) throw new Error('the database is gone');
      return sealer.open(sealed, context);
    };
    await sql`create trigger full before update of outcome on deliveries begin select raise(abort, 'full'); end`.execute(
      store.db,
    );
    const delivery = new Delivery({
      core: { ...core.core, sealer: { ...sealer, open } },
      log: silentLogger,
      alone: true,
    });
    await delivered(delivery);
    assert.deepEqual([receiver.received.length, await outcomes()], [0, [null]]);
    isGone = false;
    await core.clock.advance(1_000);
    while (receiver.received.length === 0) await new Promise((turn) => setImmediate(turn));
    await sql`drop trigger full`.execute(store.db);
    for (let n = 0; n < 3; n += 1) await core.clock.advance(1_000);
    assert.deepEqual([receiver.received.length, await outcomes()], [1, ['delivered']]);
    await delivery.stop();
  });

  it('during a rotation every delivery verifies with the old secret and with the new one, for a day', async () => {
    const { id, secret_token: old } = await core.call('createWebhook', {
      url: receiver.url,
      events: ['reservation_created'],
    });
    const row = await webhookById(core.core.store.db, id);
    assert.ok(row);
    const who = { account: core.own.account, operator: null };
    const fresh = await runChange(core.core, who, (change) => rotateSecret(change, row));
    const verifies = (secret: string) => {
      const last = receiver.received.at(-1);
      const signed = {
        id: String(last?.headers['webhook-id']),
        timestamp: String(last?.headers['webhook-timestamp']),
        signature: String(last?.headers['webhook-signature']),
        body: Buffer.from(last?.body ?? ''),
      };
      return verifyWebhook(signingKey(secret), signed, core.clock.now());
    };
    for (const [night, hours, oldVerifies] of [
      [5, 0, true],
      [7, 23, true],
      [9, 2, false],
    ] as const) {
      await core.clock.advance(hours * 3_600_000);
      await book(night);
      const delivery = worker();
      await delivered(delivery);
      await delivery.stop();
      assert.deepEqual([verifies(fresh), verifies(old)], [true, oldVerifies]);
    }
  });

  it('a private address is never dialled', async () => {
    await core.call('createWebhook', { url: 'https://10.0.0.7/hook', events: ['reservation_created'] });
    await book(5);
    const delivery = worker();
    await delivered(delivery);
    await delivery.stop();
    assert.deepEqual(await outcomes(), ['private_address']);
  });

  it('one receiver that hangs holds up no other', async () => {
    const slow = await startReceiver();
    slow.answer = () => 'hang';
    const both = webhookSender({ clock: core.clock, userAgent: 'test', policy: { allow: [receiver.host, slow.host] } });
    await core.call('createWebhook', { url: slow.url, events: ['reservation_created'] });
    await core.call('createWebhook', { url: receiver.url, events: ['reservation_created'] });
    const rooms = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => (await core.call('createProperty', { name: `R${i}` })).property_id),
    );
    for (const room of rooms) for (let night = 1; night < 28; night += 2) await book(night, { property_id: room });
    const delivery = new Delivery({ core: core.core, log: silentLogger, alone: true });
    await delivery.start(both);
    while (receiver.received.length < 30 * 14) await new Promise((turn) => setImmediate(turn));
    assert.ok(slow.received.length <= 32);
    await slow.close();
    const stopping = delivery.stop();
    await core.clock.advance(3_001);
    await stopping;
    await both.close();
  });

  it('faults: dropped ones are named, doubled ones come twice under one id', async () => {
    await core.call('createWebhook', { url: receiver.url, events: ['reservation_created'] });
    await book(5);
    const dropping = worker({ drop: 1, double: 0, reorder: 0, delay_ms: 0 });
    await delivered(dropping);
    await dropping.stop();
    assert.deepEqual(await outcomes(), ['dropped']);
    await book(7);
    const doubling = worker({ drop: 0, double: 1, reorder: 0, delay_ms: 0 });
    await delivered(doubling);
    await doubling.stop();
    assert.equal(receiver.received.length, 2);
    assert.equal(new Set(receiver.received.map((one) => one.headers['webhook-id'])).size, 1);
  });
  it('faults: many delayed at once wait quietly, and a stop lets them go', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error) => void warnings.push(warning);
    process.on('warning', listen);
    try {
      await core.call('createWebhook', { url: `${receiver.url}/one`, events: ['reservation_created'] });
      await core.call('createWebhook', { url: `${receiver.url}/two`, events: ['reservation_created'] });
      for (let night = 1; night < 26; night += 1) await book(night);
      const delivery = worker({ drop: 0, double: 0, reorder: 0, delay_ms: 3_600_000 });
      const idle = core.clock.waiting;
      await delivery.start(sender);
      while (core.clock.waiting < idle + 50) await new Promise((turn) => setImmediate(turn));
      assert.equal(receiver.received.length, 0);
      await delivery.stop();
      assert.equal(receiver.received.length, 50);
      assert.equal(core.clock.waiting, idle, 'no timer is left behind');
      // Node tells of warnings a tick after they arise.
      await new Promise((turn) => setImmediate(turn));
      assert.deepEqual(warnings, []);
    } finally {
      process.off('warning', listen);
    }
  });
});

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { beginPayment } from '../../../src/channels/direct/payments/begin.ts';
import { endDeposit } from '../../../src/channels/direct/payments/deposits.ts';
import { directTroubles } from '../../../src/channels/direct/health.ts';
import { closeRefund, refundByHand, settlePayment } from '../../../src/channels/direct/payments/refunds.ts';
import { receivePayment } from '../../../src/channels/direct/payments/receive.ts';
import { eraseGuest } from '../../../src/core/erasure/eraseGuest.ts';
import { resealing, sealer } from '../../../src/kernel/seal.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import { sha256Hex } from '../../../src/kernel/signature.ts';
import { openBookingToken, resealBookings } from '../../../src/channels/direct/bookings/secrets.ts';
import {
  changeSettings,
  openHookSecret,
  openKey,
  openPaymentUrl,
  readSettings,
  resealPayments,
} from '../../../src/channels/direct/payments/settings.ts';
import { readNotice } from '../../../src/channels/direct/payments/stripe.ts';
import { noteTransfer } from '../../../src/channels/direct/payments/transfer.ts';
import type { DirectBookingRow } from '../../../src/channels/direct/bookings/rows.ts';
import { DirectWorld } from './support/world.ts';

const MINUTES_OF_A_DAY = 24 * 60;

describe('a payment by card', () => {
  let world: DirectWorld;
  beforeEach(async () => void (world = await DirectWorld.start()));
  afterEach(() => world.close());

  /** Somebody books and is led to the page of the provider. */
  async function waiting(from = 100, to = 103): Promise<DirectBookingRow> {
    const booking = await world.book(from, to, { method: 'stripe' });
    await beginPayment(world.work, booking, 'due');
    return booking;
  }

  async function paid(from = 100, to = 103): Promise<DirectBookingRow> {
    const booking = await waiting(from, to);
    world.stripe.pay(await world.session(booking));
    await world.pass(3);
    return booking;
  }

  const cancel = (booking: DirectBookingRow) =>
    world.core.call('cancelReservation', { reservation_code: booking.reservation_code });

  it('confirms by what the provider says when it is asked, though it tells nothing by itself', async () => {
    const booking = await paid();
    const shown = await world.shown(booking);
    assert.equal(shown.status, 'accepted');
    assert.equal(shown.payments[0]?.state, 'paid');
    assert.deepEqual(await world.ledger(booking), [140]);
    const fields = [...world.stripe.sessions.values()][0]?.fields ?? {};
    assert.equal(fields['client_reference_id'], booking.reservation_code);
    assert.equal(fields['customer_email'], 'clara@example.com');
    assert.equal(fields['line_items[0][price_data][currency]'], 'eur');
    await world.pass(60);
    assert.deepEqual(await world.ledger(booking), [140]);
  });

  it('is asked for once, however often somebody clicks', async () => {
    const booking = await world.book(100, 103, { method: 'stripe' });
    const begun = await Promise.all(Array.from({ length: 10 }, () => beginPayment(world.work, booking, 'due')));
    assert.equal(new Set(begun.map(({ id }) => id)).size, 1);
    assert.equal(world.stripe.sessions.size, 1);
  });

  it('survives a cut connection on either side: the same request is sent again with the same key', async () => {
    const booking = await world.book(100, 103, { method: 'stripe' });
    world.stripe.troubles(/sessions$/, 'cut_after');
    const begun = await beginPayment(world.work, booking, 'due');
    assert.equal(begun.state, 'starting');
    assert.equal(world.stripe.sessions.size, 1, 'it was made, and nobody heard of it');
    world.stripe.troubles(/sessions$/, 'fault');
    await world.pass(3);
    await world.pass(6);
    assert.equal(world.stripe.sessions.size, 1);
    const [payment] = await world.payments(booking);
    assert.equal(payment?.state, 'open');
    assert.deepEqual([...world.stripe.sessions.keys()], [payment?.session_id]);
  });

  it('that came before a crash is noted after it, once', async () => {
    const booking = await waiting();
    const [row] = await world.payments(booking);
    world.stripe.pay(await world.session(booking));
    const arrival = { amount: 140_00, currency: 'EUR', intentId: 'pi_x' };
    assert.ok(row);
    await Promise.all([1, 2, 3].map(() => receivePayment(world.core.core, row, arrival)));
    await world.pass(3);
    assert.deepEqual(await world.ledger(booking), [140]);
  });

  it('ends with its page, and the reservation with its hold', async () => {
    const booking = await waiting();
    await world.pass(50);
    assert.equal((await world.payments(booking))[0]?.state, 'ended');
    await world.pass(15);
    assert.equal((await world.shown(booking)).status, 'timeout');
    assert.ok('row' in (await world.ask(100, 103)), 'the nights are free again');
  });

  it('that was made while the service was down revives the reservation', async () => {
    const booking = await waiting();
    await world.core.clock.advance(40 * 60_000);
    world.stripe.pay(await world.session(booking));
    await world.pass(60);
    assert.equal((await world.shown(booking)).status, 'accepted');
    assert.deepEqual(await world.ledger(booking), [140]);
  });

  it('of another amount or in another currency waits for a person', async () => {
    const booking = await waiting();
    world.stripe.pay(await world.session(booking), { amount: 99_00 });
    await world.pass(3);
    const shown = await world.shown(booking);
    assert.equal(shown.status, 'wait_pay');
    assert.equal(shown.payments[0]?.state, 'mismatch');
    assert.match(String(shown.payments[0]?.problem), /99\.00 EUR came instead of 140\.00 EUR/);
    assert.deepEqual(await world.ledger(booking), [99]);
    const other = await waiting(110, 113);
    world.stripe.pay(await world.session(other), { currency: 'usd' });
    await world.pass(3);
    assert.equal((await world.payments(other))[0]?.state, 'mismatch');
    assert.deepEqual(await world.ledger(other), [], 'the ledger of a reservation has one currency');
    const troubles = await directTroubles(world.core.core.store.db);
    assert.equal(troubles.length, 2);
    await settlePayment(world.work, world.who, (await world.payments(other))[0]?.id ?? 0);
    assert.equal((await directTroubles(world.core.core.store.db)).length, 1);
  });

  it('made twice, by card and by transfer, is shown as more than was agreed', async () => {
    const booking = await waiting();
    const session = await world.session(booking);
    world.stripe.pay(session);
    await noteTransfer(world.work, world.who, booking, { amount: 350_00 });
    await world.pass(3);
    const shown = await world.shown(booking);
    assert.equal(shown.received, 490);
    assert.equal(shown.surplus, 140);
  });

  it('whose page is no longer needed is ended at the provider', async () => {
    const booking = await waiting();
    await cancel(booking);
    await world.pass(1);
    const [session] = world.stripe.sessions.values();
    assert.equal(session?.status, 'expired');
    assert.equal((await world.payments(booking))[0]?.state, 'ended');
  });

  it('that comes for a cancelled reservation waits for a person, who gives it back', async () => {
    const booking = await waiting();
    world.stripe.pay(await world.session(booking));
    await cancel(booking);
    await world.pass(1);
    assert.equal((await world.payments(booking))[0]?.state, 'late');
    await refundByHand(world.work, world.who, booking.reservation_code, { amount: 140_00, known: 0 });
    await world.pass(1);
    assert.deepEqual(await world.ledger(booking), [140, -140]);
    assert.equal((await world.payments(booking))[0]?.state, 'settled');
    assert.deepEqual(await directTroubles(world.core.core.store.db), []);
  });

  it('goes back by the policy that held at the booking, once', async () => {
    const booking = await paid(40, 43);
    await cancel(booking);
    await Promise.all([world.followed(), world.followed()]);
    await world.pass(1);
    assert.deepEqual(await world.ledger(booking), [140, -70], 'half of it, 40 days before');
    assert.equal(world.stripe.refunds.length, 1);
    const [reservation] = (await world.core.call('listReservations', { reservation_code: booking.reservation_code }))
      .reservations;
    assert.equal(reservation.payment.received_amount, 70);
    const events = await world.core.events();
    assert.equal(events.filter((one) => one['event'] === 'transaction_created').length, 2);
  });

  it('goes back whole long before, and not at all on the eve', async () => {
    const early = await paid(100, 103);
    await cancel(early);
    await world.pass(1);
    assert.deepEqual(await world.ledger(early), [140, -140]);
    const late = await paid(5, 7);
    await cancel(late);
    await world.pass(1);
    assert.deepEqual(await world.ledger(late), [250]);
    assert.deepEqual(await world.refunds(late), []);
  });

  it('goes back once though the answer was lost; after a day without one a person looks', async () => {
    const booking = await paid();
    world.stripe.troubles(/refunds/, 'cut_after', 3);
    await cancel(booking);
    await world.pass(1);
    assert.equal((await world.refunds(booking))[0]?.state, 'sending');
    for (let round = 0; round < 8; round += 1) await world.pass(10);
    assert.equal((await world.refunds(booking))[0]?.state, 'done');
    assert.equal(world.stripe.refunds.length, 1);
    assert.deepEqual(await world.ledger(booking), [140, -140]);
    const other = await paid(110, 113);
    world.stripe.troubles(/refunds/, 'cut_before', 1_000);
    await cancel(other);
    for (let round = 0; round < 30; round += 1) await world.pass(61);
    const [refund] = await world.refunds(other);
    assert.equal(refund?.state, 'unknown');
    assert.match(String((await directTroubles(world.core.core.store.db))[0]?.says), /nobody knows if it was made/);
    await closeRefund(world.work, world.who, refund?.id ?? 0, 'finish');
    assert.deepEqual(await world.ledger(other), [140, -140]);
    await assert.rejects(closeRefund(world.work, world.who, refund?.id ?? 0, 'finish'), /The refund is done/);
  });

  it('is not given back a second time after a stop of two days, when the key is forgotten', async () => {
    const booking = await paid();
    world.stripe.troubles(/refunds/, 'cut_after', 1);
    await cancel(booking);
    await world.followed();
    assert.equal(world.stripe.refunds.length, 1);
    world.stripe.forgetKeys();
    await world.pass(2 * MINUTES_OF_A_DAY);
    assert.equal(world.stripe.refunds.length, 1);
    assert.equal((await world.refunds(booking))[0]?.state, 'unknown');
  });

  it('that the provider will not give back waits for a person', async () => {
    const booking = await paid();
    world.stripe.refundStatus = 'failed';
    await cancel(booking);
    await world.pass(1);
    assert.equal((await world.refunds(booking))[0]?.state, 'refused');
    assert.deepEqual(await world.ledger(booking), [140]);
    await closeRefund(world.work, world.who, (await world.refunds(booking))[0]?.id ?? 0, 'drop');
    assert.deepEqual(await directTroubles(world.core.core.store.db), []);
  });

  it('can be given back in part by a person, who is told if somebody was faster', async () => {
    const booking = await paid();
    await refundByHand(world.work, world.who, booking.reservation_code, { amount: 20_00, known: 0 });
    await assert.rejects(
      refundByHand(world.work, world.who, booking.reservation_code, { amount: 20_00, known: 0 }),
      /given back meanwhile/,
    );
    await assert.rejects(refundByHand(world.work, world.who, booking.reservation_code, { amount: 130_00 }), /amount/);
    await world.pass(1);
    assert.deepEqual(await world.ledger(booking), [140, -20]);
  });

  it('reserves the security deposit, keeps a part of it and lets the rest go', async () => {
    const booking = await paid();
    await beginPayment(world.work, booking, 'deposit');
    world.stripe.pay(await world.session(booking));
    await world.pass(3);
    const deposit = async () =>
      (await world.core.call('listReservations', { reservation_code: booking.reservation_code })).reservations[0]
        .check_in_details.deposit_details;
    assert.equal((await deposit()).status, 'paid');
    assert.equal((await deposit()).pending_refund_amount, 200);
    assert.deepEqual(await world.ledger(booking), [140], 'nothing was taken');
    await endDeposit(world.work, world.who, booking, 60_00);
    const after = await deposit();
    assert.deepEqual([after.deducted_amount, after.pending_refund_amount, after.status], [60, 0, 'refunded']);
    assert.equal((await world.payments(booking)).at(-1)?.state, 'captured');
    assert.deepEqual(await world.ledger(booking), [140], 'what is kept is no part of the price');
    await assert.rejects(endDeposit(world.work, world.who, booking, 0), /No security deposit is reserved/);
    const other = await paid(110, 113);
    await beginPayment(world.work, other, 'deposit');
    world.stripe.pay(await world.session(other));
    await world.pass(3);
    world.stripe.troubles(/cancel/, 'cut_after');
    await endDeposit(world.work, world.who, other, 0);
    assert.equal((await world.payments(other)).at(-1)?.state, 'released');
  });

  it('asks for the balance on a page of its own', async () => {
    const booking = await paid();
    const balance = await beginPayment(world.work, booking, 'due');
    assert.deepEqual([balance.purpose, balance.amount], ['balance', 210_00]);
    world.stripe.pay(await world.session(booking));
    await world.pass(3);
    assert.equal((await world.shown(booking)).due, null);
    await assert.rejects(beginPayment(world.work, booking, 'due'), /Nothing is due/);
  });

  it('is tried again when a wrong key is put right', async () => {
    await changeSettings(world.core.core, world.who, { stripe_key: 'sk_test_WrongWrongWrong' });
    const booking = await waiting();
    assert.equal((await world.payments(booking))[0]?.state, 'starting');
    await changeSettings(world.core.core, world.who, { stripe_key: world.stripe.key });
    await world.pass(3);
    assert.equal((await world.payments(booking))[0]?.state, 'open');
  });

  it('keeps its secrets sealed', async () => {
    await waiting();
    const stored = await world.core.stored();
    for (const secret of [world.stripe.key, world.stripe.webhookSecret, 'checkout.stripe.example'])
      assert.ok(!stored.includes(secret), secret);
    await assert.rejects(
      changeSettings(world.core.core, world.who, { stripe_key: 'pk_test_public' }),
      /stripe_key: must be a secret key/,
    );
    await assert.rejects(changeSettings(world.core.core, world.who, { stripe_webhook_secret: 'x' }), /whsec_/);
  });

  it('opens with a new key after the keys were turned, and with the old one no more', async () => {
    const booking = await waiting();
    const { core } = world.core;
    const after = sealer(systemRandom.bytes(32), systemRandom);
    const reseal = resealing(core.sealer, after);
    await core.store.transaction(async (trx) => {
      assert.equal(await resealBookings(trx, reseal), 2, 'a page and a booking');
      assert.equal(await resealPayments(trx, reseal), 2, 'the settings and a payment');
    });
    const row = await core.store.db.selectFrom('direct_bookings').selectAll().executeTakeFirstOrThrow();
    assert.equal(sha256Hex(openBookingToken({ sealer: after }, row)), booking.token_hash);
    assert.throws(() => openBookingToken(core, row));
    const settings = await readSettings(core.store.db, booking.account_id);
    assert.equal(openKey({ sealer: after }, settings), world.stripe.key);
    assert.equal(openHookSecret({ sealer: after }, settings), world.stripe.webhookSecret);
    const [payment] = await world.payments(booking);
    assert.match(openPaymentUrl({ sealer: after }, payment?.id ?? 0, payment?.url ?? ''), /^https:\/\/checkout/);
  });

  it('is forgotten with the guest: no name is kept beside the reservation', async () => {
    const booking = await world.book(100, 103, { method: 'stripe', message: 'We are the Hofmanns.' });
    await beginPayment(world.work, booking, 'due');
    await eraseGuest(world.core.core, world.who, {
      by: 'reservation_code',
      reservation_code: booking.reservation_code,
    });
    const stored = await world.core.stored('audit', 'outbox');
    for (const text of ['Hofmann', 'clara@example', '170 1234567']) assert.ok(!stored.includes(text), text);
    assert.equal((await world.shown(booking)).status, 'wait_pay');
  });

  it('cannot be told by somebody else, or by an old notice', () => {
    const now = world.core.clock.now();
    const read = (sent: ReturnType<typeof world.stripe.notice>, at = now) =>
      readNotice(
        world.stripe.webhookSecret,
        { signature: sent.headers['stripe-signature'], body: Buffer.from(sent.body) },
        at,
      );
    const sent = world.stripe.notice('cs_1');
    assert.deepEqual(read(sent), { type: 'checkout.session.completed', objectId: 'cs_1' });
    assert.deepEqual(read(sent, now + 299_000)?.objectId, 'cs_1');
    assert.equal(read(sent, now + 301_000 + 1_000), undefined);
    assert.equal(read(world.stripe.notice('cs_1', { secret: 'whsec_other' })), undefined);
    assert.equal(read({ ...sent, body: sent.body.replace('cs_1', 'cs_2') }), undefined);
    for (const signature of [
      '',
      't=,v1=',
      'v1=00',
      `t=${Math.floor(now / 1_000)}`,
      sent.headers['stripe-signature'].replace('v1', 'v0'),
    ])
      assert.equal(read({ ...sent, headers: { ...sent.headers, 'stripe-signature': signature } }), undefined);
    const two = { ...sent.headers, 'stripe-signature': `${sent.headers['stripe-signature']},v1=abc` };
    assert.equal(read({ ...sent, headers: two })?.objectId, 'cs_1');
  });

  it('by transfer is given back by hand, and stays on the list until it is noted', async () => {
    const booking = await world.book(100, 103);
    await noteTransfer(world.work, world.who, booking, {});
    await cancel(booking);
    await world.pass(MINUTES_OF_A_DAY);
    const [refund] = await world.refunds(booking);
    assert.deepEqual([refund?.state, refund?.amount], ['by_hand', 140_00]);
    assert.deepEqual(await world.ledger(booking), [140]);
    await closeRefund(world.work, world.who, refund?.id ?? 0, 'finish');
    assert.deepEqual(await world.ledger(booking), [140, -140]);
  });
});

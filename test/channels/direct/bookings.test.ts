import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { freshenFeeds } from '../../../src/channels/direct/bookings/freshFeeds.ts';
import { keptQuote } from '../../../src/channels/direct/bookings/quotes.ts';
import { setPlan } from '../../../src/channels/direct/plans/manage.ts';
import { ratePlan } from '../../../src/channels/direct/plans/plan.ts';
import { noteTransfer } from '../../../src/channels/direct/payments/transfer.ts';
import { addFeedOf, requireFeed, settleClashOf } from '../../../src/channels/feeds/manage.ts';
import { openToken } from '../../../src/channels/feeds/secrets.ts';
import { calendarBehind } from '../../../src/channels/feeds/serveCalendar.ts';
import { ics, type Marketplace, startMarketplace } from '../feeds/support/feedWorld.ts';
import { DirectWorld } from './support/world.ts';

describe('a kept quote', () => {
  let world: DirectWorld;
  before(async () => void (world = await DirectWorld.start()));
  after(() => world.close());

  it('shows the same whatever becomes of the rates, and ends after half an hour', async () => {
    const kept = await world.quote(100, 103);
    assert.equal(kept.quote.total, 350_00);
    assert.equal(kept.quote.first_payment, 140_00);
    assert.equal(kept.quote.deposit, 200_00);
    const plan = ratePlan.parse({
      name: 'Dear',
      currency: 'EUR',
      base_price: 900,
      guests: { most: 4 },
      cancellation: 'strict',
    });
    await setPlan(world.core.core, world.who, { properties: [world.property], written: plan, seen: undefined });
    const again = await keptQuote(world.work, world.open, kept.row.id);
    assert.deepEqual(again?.quote, kept.quote);
    const booked = await world.hold(kept);
    assert.ok('booking' in booked);
    assert.equal((await world.shown(booked.booking)).quote.total, 350);
    const late = await world.quote(120, 121);
    assert.equal(late.quote.total, 900_00);
    await world.core.clock.advance(31 * 60_000);
    assert.deepEqual(await world.hold(late), { refused: 'expired' });
  });

  it('is refused with the reasons of the plan, and for nights that are taken with dates nearby', async () => {
    const long = await world.ask(3_000, 3_001);
    assert.ok('refused' in long && long.refused === 'rules');
    const taken = await world.ask(101, 103);
    assert.ok('refused' in taken && taken.refused === 'taken');
    assert.equal(taken.nearby.length, 4);
    assert.ok(
      taken.nearby.every((span) => span.check_out_date <= world.day(100) || span.check_in_date >= world.day(103)),
    );
  });
});

describe('a booking paid by transfer', () => {
  let world: DirectWorld;
  before(async () => void (world = await DirectWorld.start()));
  after(() => world.close());

  it('holds the nights, is noted as paid by a person, and owes the balance', async () => {
    const booking = await world.book(100, 103);
    const shown = await world.shown(booking);
    assert.equal(shown.status, 'wait_pay');
    assert.deepEqual(shown.due, { purpose: 'first_payment', amount: 140 });
    const [reservation] = (await world.core.call('listReservations', { reservation_code: booking.reservation_code }))
      .reservations;
    assert.equal(reservation.status, 'wait_pay');
    assert.equal(reservation.channel_type, 'direct');
    assert.equal(reservation.payment.total_amount, 350);
    assert.equal(reservation.check_in_details.deposit, 200);
    const [payment] = await world.payments(booking);
    await noteTransfer(world.work, world.who, booking, { payment: payment?.id });
    await noteTransfer(world.work, world.who, booking, { payment: payment?.id });
    assert.deepEqual(await world.ledger(booking), [140], 'a second click notes nothing');
    const paid = await world.shown(booking);
    assert.equal(paid.status, 'accepted');
    assert.deepEqual(paid.due, { purpose: 'balance', amount: 210 });
    await noteTransfer(world.work, world.who, booking, {});
    assert.equal((await world.shown(booking)).due, null);
    assert.deepEqual(await world.ledger(booking), [140, 210]);
    await assert.rejects(noteTransfer(world.work, world.who, booking, {}), /Nothing is due/);
    const events = (await world.core.events()).filter((one) => one['reservation_code'] === booking.reservation_code);
    assert.equal(events[0]?.['event'], 'reservation_created');
    assert.ok(events.some((one) => one['event'] === 'reservation_updated'));
  });

  it('is accepted only when the first payment is complete', async () => {
    const booking = await world.book(110, 113);
    await noteTransfer(world.work, world.who, booking, { amount: 100_00 });
    assert.equal((await world.shown(booking)).status, 'wait_pay');
    assert.deepEqual((await world.shown(booking)).due, { purpose: 'first_payment', amount: 40 });
    await noteTransfer(world.work, world.who, booking, {});
    assert.equal((await world.shown(booking)).status, 'accepted');
  });

  it('is accepted as well when somebody enters the payment into the ledger', async () => {
    const booking = await world.book(160, 163);
    const { income_items: items } = await world.core.call('listIncomeItems');
    const { income_methods: methods } = await world.core.call('listIncomeMethods');
    const entry = { direction: 'income', item_id: items[0].id, payment_method_id: methods[0].id };
    await world.core.call('createTransaction', { ...entry, amount: 140, reservation_code: booking.reservation_code });
    await world.pass(1);
    assert.equal((await world.shown(booking)).status, 'accepted');
  });

  it('frees its nights when nothing comes, and revives by a late payment while they are free', async () => {
    const booking = await world.book(120, 123);
    await world.pass(49 * 60);
    assert.equal((await world.shown(booking)).status, 'timeout');
    await noteTransfer(world.work, world.who, booking, {});
    assert.equal((await world.shown(booking)).status, 'accepted');
    assert.ok('refused' in (await world.ask(120, 123)));
  });

  it('that is paid after its nights were sold waits for a person, who gives it back', async () => {
    const booking = await world.book(130, 133);
    await world.pass(49 * 60);
    await world.book(129, 131);
    await noteTransfer(world.work, world.who, booking, {});
    const shown = await world.shown(booking);
    assert.equal(shown.status, 'timeout');
    assert.equal(shown.payments[0]?.state, 'late');
    assert.deepEqual(await world.ledger(booking), [140]);
  });

  it('made twice by the same quote is one booking', async () => {
    const kept = await world.quote(140, 143);
    const held = await Promise.all(Array.from({ length: 10 }, () => world.hold(kept)));
    const codes = new Set(held.map((one) => ('booking' in one ? one.booking.reservation_code : JSON.stringify(one))));
    assert.equal(codes.size, 1);
    assert.equal(held.filter((one) => 'isNew' in one && one.isNew).length, 1);
  });

  it('goes to one of twenty guests who want the last nights at once; the others read why', async () => {
    const quotes = await Promise.all(Array.from({ length: 20 }, () => world.quote(150, 153)));
    const held = await Promise.all(quotes.map((kept) => world.hold(kept)));
    assert.equal(held.filter((one) => 'booking' in one).length, 1);
    const refused = held.filter((one) => 'refused' in one && one.refused === 'taken' && one.nearby.length > 0);
    assert.equal(refused.length, 19);
  });
});

describe('calendars of other places', () => {
  let market: Marketplace;
  let world: DirectWorld;
  before(async () => {
    market = await startMarketplace();
    world = await DirectWorld.start({ allow: [market.address] });
    market.says(ics([]));
    await addFeedOf(world.core.core, world.work.reader, world.who, {
      property_id: world.property,
      name: 'Market',
      audience: 'channel',
      url: market.url,
    });
  });
  after(async () => {
    await world.close();
    await market.close();
  });

  it('are read before a booking, and what they close is refused', async () => {
    const kept = await world.quote(100, 103);
    await world.core.clock.advance(10 * 60_000);
    market.says(ics([{ uid: 'x@m', start: world.day(101), end: world.day(102) }]));
    const held = await world.hold(kept);
    assert.ok('refused' in held && held.refused === 'taken');
    assert.deepEqual(await world.core.core.store.db.selectFrom('direct_payments').selectAll().execute(), []);
  });

  it('that cannot be read lately refuse the booking, and nothing is charged', async () => {
    market.says({ status: 500 });
    await world.core.clock.advance(3 * 3_600_000);
    const kept = await world.quote(110, 113);
    assert.deepEqual(await world.hold(kept), { refused: 'calendars' });
    const of = { accountId: world.core.own.account.account_id, propertyId: world.property, minutes: 10_000 };
    assert.deepEqual(await freshenFeeds(world.core.core, world.work.reader, of), []);
    market.says(ics([]));
    assert.ok('booking' in (await world.hold(kept)));
  });

  it('are read before a transfer is noted, which a person may do anyway', async () => {
    const booking = await world.book(120, 123);
    market.says({ status: 500 });
    await world.core.clock.advance(3 * 3_600_000);
    await assert.rejects(noteTransfer(world.work, world.who, booking, {}), /"Market" could not be read lately/);
    assert.equal((await world.shown(booking)).status, 'wait_pay');
    await noteTransfer(world.work, world.who, booking, { anyway: true });
    assert.equal((await world.shown(booking)).status, 'accepted');
  });

  it('that close its nights refuse the transfer until a person has looked, those that repeat them do not', async () => {
    market.says(ics([]));
    const { core } = world.core;
    const feed = await requireFeed(core, world.who, 1);
    const repeated = await world.book(130, 132);
    await calendarBehind(core, openToken(core, feed), 'market/1');
    // Its own nights before ours, as one event.
    market.says(ics([{ uid: 'one@m', start: world.day(128), end: world.day(132) }]));
    await world.core.clock.advance(10 * 60_000);
    await noteTransfer(world.work, world.who, repeated, {});
    assert.equal((await world.shown(repeated)).status, 'accepted');
    const doubled = await world.book(140, 142);
    market.says(ics([{ uid: 'sold@m', start: world.day(141), end: world.day(145) }]));
    await world.core.clock.advance(10 * 60_000);
    await assert.rejects(noteTransfer(world.work, world.who, doubled, {}), /closes these nights as well/);
    const { entry } = await core.store.db
      .selectFrom('feed_entries')
      .where('clash', '=', 1)
      .select('entry')
      .executeTakeFirstOrThrow();
    await settleClashOf(core, world.who, 1, entry);
    await noteTransfer(world.work, world.who, doubled, {});
    assert.equal((await world.shown(doubled)).status, 'accepted');
  });
});

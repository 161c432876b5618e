import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { changeShelfStatus } from '../../src/core/channels/listings.ts';
import { addDays, addYears } from '../../src/kernel/dates.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { listOn, type Listed } from '../support/listings.ts';

const TODAY = '2026-11-20';
const LAST = addYears(TODAY, 3);
const NOTHING = { rate_amount: 0, commission_amount: 0, received_amount: 0 };

describe('listing deactivation', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  let made = 0;
  const property = async () => (await core.call('createProperty', { title: `House ${(made += 1)}` })).property_id;
  const shelf = (listed: Listed, trigger: Parameters<typeof changeShelfStatus>[2]) =>
    core.change(core.own.account, (change) => changeShelfStatus(change, listed.id, trigger));
  const book = (property_id: number, check_in_date: string, check_out_date: string) =>
    core.request('POST', '/reservations', {
      body: { property_id, check_in_date, check_out_date, guest_name: 'A', currency: 'EUR', ...NOTHING },
    });
  const nights = async (property_id: number, from = TODAY, to = LAST) =>
    (await core.call('listAvailabilities', { property_ids: String(property_id), start_date: from, end_date: to }))
      .properties[0].availabilities;
  const openNights = async (property_id: number) =>
    (await nights(property_id)).filter((night: { available: boolean }) => night.available).length;
  /** Nights that were told of while something was done, with what was said of them. */
  async function told(property_id: number, work: () => Promise<unknown>) {
    const before = (await core.events()).length;
    await work();
    const events = (await core.events()).slice(before);
    return events.flatMap((event) =>
      event['event'] === 'property_availability_updated' && event['property_id'] === property_id
        ? (event['availabilities'] as { date: string; available: boolean }[])
        : [],
    );
  }

  it('closes the property whose last listing it is, and tells each night that was free; publishing opens them', async () => {
    const id = await property();
    const listed = await listOn(core, 'marketplace_a', id);
    await book(id, addDays(TODAY, 3), addDays(TODAY, 5));
    const free = await openNights(id);
    const closed = await told(id, () => shelf(listed, 'take_off'));
    assert.equal(closed.length, free);
    assert.ok(closed.every((night) => !night.available));
    assert.ok(!closed.some(({ date }) => date === addDays(TODAY, 3)), 'a night that a stay holds changes nothing');
    assert.deepEqual([closed[0]?.date, closed.at(-1)?.date], [TODAY, LAST]);
    assert.equal(await openNights(id), 0);
    assert.equal((await book(id, addDays(TODAY, 10), addDays(TODAY, 12))).error_code, 409);
    const opened = await told(id, () => shelf(listed, 'publish'));
    assert.deepEqual(
      opened,
      closed.map(({ date }) => ({ date, available: true })),
    );
    assert.equal(await openNights(id), free);
  });

  it('changes no night while guests find the property elsewhere', async () => {
    const id = await property();
    const [first, second] = [await listOn(core, 'marketplace_a', id), await listOn(core, 'marketplace_b', id)];
    assert.deepEqual(await told(id, () => shelf(first, 'take_off')), []);
    assert.equal((await told(id, () => shelf(second, 'delete'))).length, await nights(id).then((all) => all.length));
    assert.ok((await told(id, () => listOn(core, 'marketplace_c', id, { listing_id: '1-2' }))).length > 0);
    assert.ok((await openNights(id)) > 0);
  });

  it('of a listing that was lost sight of nobody knows more than before', async () => {
    const id = await property();
    const listed = await listOn(core, 'marketplace_a', id);
    assert.deepEqual(await told(id, () => shelf(listed, 'lose_sight')), []);
    assert.ok((await told(id, () => shelf(listed, 'take_off'))).length > 0);
  });

  it('is told apart from blocks by hand: they stay when the listing comes back, and open it early', async () => {
    const id = await property();
    const listed = await listOn(core, 'marketplace_a', id);
    const block = (available: boolean, date: string) =>
      core.call('updateAvailabilities', { property_ids: [id], available, dates: [date] });
    const [byHand, later, early] = [addDays(TODAY, 7), addDays(TODAY, 8), addDays(TODAY, 9)];
    await block(false, byHand);
    await core.workCalendars();
    await shelf(listed, 'take_off');
    await block(false, later);
    assert.deepEqual(await told(id, () => core.workCalendars()), [], 'it was closed already');
    await block(true, early);
    assert.deepEqual(await told(id, () => core.workCalendars()), [{ date: early, available: true }]);
    const opened = await told(id, () => shelf(listed, 'publish'));
    const dates = opened.map(({ date }) => date);
    assert.deepEqual(
      [byHand, later, early].map((date) => dates.includes(date)),
      [false, false, false],
    );
    const seen = await nights(id, byHand, early);
    assert.deepEqual(
      seen.map((night: { available: boolean }) => night.available),
      [false, false, true],
    );
  });

  it('leaves its channel alone, and a stay that ends meanwhile opens its nights there', async () => {
    const id = await property();
    const listed = await listOn(core, 'marketplace_a', id);
    const { data } = await book(id, addDays(TODAY, 20), addDays(TODAY, 22));
    await core.workCalendars();
    await shelf(listed, 'take_off');
    const cancelled = await told(id, () => core.call('cancelReservation', { reservation_code: data.reservation_code }));
    assert.deepEqual(cancelled, [], 'the nights stay closed');
    await core.workCalendars();
    const { channel_type, listing_id } = listed;
    const range = { start_date: addDays(TODAY, 19), end_date: addDays(TODAY, 22) };
    const read = await core.call('listCalendars', { ...range, listings: [{ channel_type, listing_id }] });
    assert.deepEqual(
      read.listings[0].calendar.map((day: { inventory: number }) => day.inventory),
      [1, 1, 1, 1],
    );
    assert.equal((await told(id, () => shelf(listed, 'publish'))).length, await nights(id).then((all) => all.length));
  });
});

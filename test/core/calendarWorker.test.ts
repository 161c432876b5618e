import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { calendarWorker } from '../../src/core/channels/tasks/worker.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { listOn, type Listed } from '../support/listings.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };

describe('the calendar worker', () => {
  let core: TestCore;
  let listing: Listed;
  before(async () => {
    core = await startCore();
    const property = (await core.call('createProperty', { title: 'Mill' })).property_id;
    listing = await listOn(core, 'marketplace_a', property);
  });
  after(() => core.close());

  const price = (value: number) =>
    core.call('updatePrices', {
      channel_type: listing.channel_type,
      listing_id: listing.listing_id,
      prices: [{ start_date: '2027-01-01', end_date: '2027-01-01', price: value }],
    });
  const waiting = async () =>
    (await core.core.store.db.selectFrom('calendar_tasks').select('id').where('outcome', 'is', null).execute()).length;
  const done = () => core.clock.until(async () => (await waiting()) === 0, 'the tasks');

  it('finds work by its poll, and at once when it is woken', async () => {
    const worker = calendarWorker({ core: core.core, log, alone: true });
    await worker.start();
    await price(1);
    const begun = core.clock.now();
    await done();
    assert.ok(core.clock.now() - begun <= 1_100);
    await price(2);
    worker.wake();
    const woken = core.clock.now();
    await done();
    assert.ok(core.clock.now() - woken < 500);
    await worker.stop();
  });

  it('takes nothing once it is stopped, and leaves no timer behind', async () => {
    const timers = core.clock.waiting;
    const worker = calendarWorker({ core: core.core, log, alone: true });
    await worker.start();
    await worker.stop();
    assert.equal(core.clock.waiting, timers);
    await price(3);
    worker.wake();
    await core.clock.run(2_000);
    assert.equal(await waiting(), 1);
  });

  it('goes on after a crash with what another process was at', async () => {
    const until = core.clock.now() + 60_000;
    await core.core.store.db
      .updateTable('calendar_tasks')
      .set({ leased_until: until })
      .where('outcome', 'is', null)
      .execute();
    const worker = calendarWorker({ core: core.core, log, alone: true });
    const begun = core.clock.now();
    await worker.start();
    await done();
    assert.ok(core.clock.now() - begun < 2_000, 'it does not wait for the lease of a process that is no more');
    await worker.stop();
  });

  it('wakes by the commit of the change that leaves the work, not by one that is rolled back', async () => {
    let woken = 0;
    const property = (await core.call('listProperties')).properties[0].id;
    Object.assign(core.core, { onCalendarTask: () => (woken += 1) });
    await price(4);
    assert.equal(woken, 1);
    const body = { property_ids: [property, 99_999], available: false, dates: ['2027-01-01'] };
    assert.equal((await core.request('POST', '/availabilities', { body })).error_code, 404);
    assert.equal(woken, 1);
  });
});

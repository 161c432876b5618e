import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startCore, type TestAccount, type TestCore } from '../support/core.ts';
import { listOn, type Listed } from '../support/listings.ts';

describe('the master calendar', () => {
  let core: TestCore;
  let other: TestAccount;
  let property: number;
  let listing: Listed;
  before(async () => {
    core = await startCore();
    other = await core.addAccount('other');
    property = (await core.call('createProperty', { title: 'Mill' })).property_id;
    listing = await listOn(core, 'marketplace_a', property);
  });
  after(() => core.close());

  async function nights(start_date: string, end_date = start_date) {
    const answer = await core.call('listAvailabilities', { property_ids: String(property), start_date, end_date });
    return answer.properties[0].availabilities;
  }
  async function inventories(start_date: string, end_date = start_date): Promise<number[]> {
    const { channel_type, listing_id } = listing;
    const body = { start_date, end_date, listings: [{ channel_type, listing_id }] };
    const [one] = (await core.call('listCalendars', body)).listings;
    return one.calendar.map((day: { inventory: number }) => day.inventory);
  }
  const set = (available: boolean, given: object) =>
    core.call('updateAvailabilities', { property_ids: [property], available, ...given });
  const book = (check_in_date: string, check_out_date: string) =>
    core.request('POST', '/reservations', {
      body: {
        property_id: property,
        check_in_date,
        check_out_date,
        guest_name: 'A. Guest',
        rate_amount: 300,
        commission_amount: 0,
        received_amount: 0,
      },
    });
  async function told(work: () => Promise<unknown>) {
    const before = (await core.events()).length;
    await work();
    await core.workCalendars();
    return (await core.events()).slice(before);
  }
  const day = (date: string, available: boolean) => ({ date, available });

  it('takes a block as a task: told night by night once done, and passed on to the listings', async () => {
    const events = await told(async () => {
      await set(false, { start_date: '2027-03-01', end_date: '2027-03-02' });
      assert.equal((await nights('2027-03-01'))[0].available, true, 'the request leaves a task');
    });
    assert.deepEqual(events, [
      {
        event: 'property_availability_updated',
        property_id: property,
        availabilities: [day('2027-03-01', false), day('2027-03-02', false)],
      },
      {
        event: 'listing_calendar_updated',
        channel_type: 'marketplace_a',
        listing_id: listing.listing_id,
        start_date: '2027-03-01',
        end_date: '2027-03-02',
      },
    ]);
    assert.deepEqual(await inventories('2027-03-01', '2027-03-03'), [0, 0, 1]);
  });

  it('tells blocks from nights that stays hold', async () => {
    assert.equal((await book('2027-03-10', '2027-03-11')).error_code, 200);
    await set(false, { dates: ['2027-03-11'] });
    await core.workCalendars();
    assert.deepEqual(await nights('2027-03-10', '2027-03-12'), [
      { date: '2027-03-10', available: false, remarks: 'Reserved' },
      { date: '2027-03-11', available: false, remarks: 'Blocked' },
      { date: '2027-03-12', available: true, remarks: null },
    ]);
  });

  it('tells only of nights that changed', async () => {
    const dates = { dates: ['2027-03-11', '2027-03-12', '2027-03-10'] };
    const [event, ...rest] = await told(() => set(false, dates));
    assert.deepEqual(event?.['availabilities'], [day('2027-03-12', false)]);
    assert.equal(rest.length, 1);
    assert.deepEqual(await told(() => set(false, dates)), []);
  });

  it('opens blocks, but never the nights of a stay', async () => {
    const [event] = await told(() => set(true, { start_date: '2027-03-10', end_date: '2027-03-12' }));
    assert.deepEqual(event?.['availabilities'], [day('2027-03-11', true), day('2027-03-12', true)]);
    assert.equal((await nights('2027-03-10'))[0].remarks, 'Reserved');
  });

  it('keeps a block beneath a stay, which counts once the stay is gone', async () => {
    const { reservation_code } = (await book('2027-04-01', '2027-04-03')).data;
    await set(false, { dates: ['2027-04-02'] });
    await core.workCalendars();
    const events = await told(() => core.call('cancelReservation', { reservation_code }));
    const [nightsTold] = events.filter((one) => one['event'] === 'property_availability_updated');
    assert.deepEqual(nightsTold?.['availabilities'], [day('2027-04-01', true)]);
    assert.equal((await nights('2027-04-02'))[0].remarks, 'Blocked');
    assert.deepEqual(await inventories('2027-04-01', '2027-04-02'), [1, 0]);
  });

  it('refuses a direct booking on a blocked night, but lets a stay move that has one beneath it', async () => {
    await set(false, { dates: ['2027-05-02'] });
    await core.workCalendars();
    assert.equal((await book('2027-05-01', '2027-05-03')).error_code, 409);
    const { reservation_code: stay_code } = (await book('2027-05-05', '2027-05-07')).data;
    await set(false, { dates: ['2027-05-05', '2027-05-06', '2027-05-08'] });
    await core.workCalendars();
    await core.call('updateReservation', { stay_code, check_out_date: '2027-05-08' });
    const further = await core.request('PATCH', `/reservations/${stay_code}`, {
      body: { check_out_date: '2027-05-09' },
    });
    assert.equal(further.error_code, 409);
  });

  it('passes bookings, moves and cancellations on to the listings', async () => {
    const { reservation_code } = (await book('2027-06-01', '2027-06-03')).data;
    await core.workCalendars();
    assert.deepEqual(await inventories('2027-06-01', '2027-06-03'), [0, 0, 1]);
    await core.call('updateReservation', {
      stay_code: reservation_code,
      check_in_date: '2027-06-02',
      check_out_date: '2027-06-04',
    });
    await core.workCalendars();
    assert.deepEqual(await inventories('2027-06-01', '2027-06-03'), [1, 0, 0]);
    await core.clock.advance(5_000);
    const events = await told(() => core.call('cancelReservation', { reservation_code }));
    assert.ok(events.some((one) => one['event'] === 'listing_calendar_updated'));
    assert.deepEqual(await inventories('2027-06-01', '2027-06-03'), [1, 1, 1]);
  });

  it('a new listing shows the nights that are closed already', async () => {
    const late = await listOn(core, 'marketplace_b', property);
    const { channel_type, listing_id } = late;
    const body = { start_date: '2027-03-01', end_date: '2027-03-03', listings: [{ channel_type, listing_id }] };
    const [one] = (await core.call('listCalendars', body)).listings;
    assert.deepEqual(
      one.calendar.map((row: { inventory: number }) => row.inventory),
      [0, 0, 1],
    );
  });

  it('is changed from today to three years ahead, by a range or by dates', async () => {
    const code = async (given: object) =>
      (await core.request('POST', '/availabilities', { body: { property_ids: [property], available: true, ...given } }))
        .error_code;
    assert.equal(await code({ dates: ['2026-11-20'] }), 200);
    assert.equal(await code({ dates: ['2026-11-19'] }), 422);
    assert.equal(await code({ start_date: '2026-11-20', end_date: '2029-11-20' }), 200);
    assert.equal(await code({ start_date: '2026-11-20', end_date: '2029-11-21' }), 422);
    assert.equal(await code({ start_date: '2027-01-02', end_date: '2027-01-01' }), 422);
    assert.equal(await code({ start_date: '2027-01-02' }), 422);
    assert.equal(await code({}), 422);
    assert.equal(await code({ dates: ['2027-01-01'], start_date: '2027-01-01', end_date: '2027-01-01' }), 400);
    assert.equal(await code({ dates: ['2027-01-01'], property_ids: [String(property)] }), 200);
    assert.equal(await code({ dates: ['2027-01-01'], property_ids: [] }), 422);
    assert.equal(await code({ dates: ['2027-01-01'], property_ids: [property, 99_999] }), 404);
    const theirs = (await core.call('createProperty', { title: 'Theirs' }, other.token)).property_id;
    assert.equal(await code({ dates: ['2027-01-01'], property_ids: [property, theirs] }), 403);
  });
});

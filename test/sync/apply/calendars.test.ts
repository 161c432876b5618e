import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeDay, makeListing } from '../../support/rows.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { eventId } from '../../support/events.ts';

const KEY = 'marketplace_a/L/1';

describe('calendars of listings', () => {
  let world: World;
  before(async () => {
    world = await openWorld({ impatient: true });
    const { truth } = world;
    truth.channelAccounts.set(3, {
      id: 3,
      channel_type: 'marketplace_a',
      username: 'host',
      origin_account_id: 'o3',
      auth_status: 'active',
      created_at: '2026-01-01T00:00:00Z',
    });
    truth.listings.set(1, makeListing(1, { listing_id: 'L/1' }));
    await world.restart();
    let done = false;
    void world.daemon.caughtUp(CONNECTION).then(() => (done = true));
    await world.clock.until(() => done, 'the first scan');
  });
  after(() => world.close());

  const tell = (start_date: string, end_date: string, listing_id = 'L/1') =>
    world.send({
      event: 'listing_calendar_updated',
      event_id: eventId(),
      channel_type: 'marketplace_a',
      listing_id,
      start_date,
      end_date,
    });
  const stored = async (date: string, listing = KEY) => {
    const row = await world.store.db
      .selectFrom('calendar_days')
      .selectAll()
      .where('listing', '=', listing)
      .where('date', '=', date)
      .executeTakeFirst();
    return row && { price: row.price, inventory: row.inventory, closed: row.closed_on_arrival };
  };
  const changes = async () =>
    (await world.daemon.feed(CONNECTION).read(0, 1_000)).filter((change) => change.resource === 'calendar');

  it('are scanned with accounts and listings, three years ahead', async () => {
    const [account] = await world.store.db.selectFrom('channel_accounts').selectAll().execute();
    assert.deepEqual([account?.id, account?.auth_status], [3, 'active']);
    const [listing] = await world.store.db.selectFrom('listings').selectAll().execute();
    assert.deepEqual([listing?.listing, listing?.shelf_status, listing?.inventory], [KEY, 'on', 1]);
    assert.deepEqual(await stored('2029-11-20'), { price: '100.5', inventory: 1, closed: null });
    assert.deepEqual(
      (await changes()).map((change) => [change.op, change.key]),
      [['created', KEY]],
    );
  });

  it('an event leads to a read of the range it names, and history keeps it as ranges', async () => {
    for (const date of ['2027-03-01', '2027-03-02'])
      world.truth.days.set(`${KEY} ${date}`, makeDay(date, { price: 90 }));
    world.truth.days.set(`${KEY} 2027-03-03`, makeDay('2027-03-03', { price: 90, inventory: 0 }));
    world.truth.days.set(`${KEY} 2027-09-09`, makeDay('2027-09-09', { price: 1 }));
    const before = world.truth.count('/listings/calendar');
    await tell('2027-03-01', '2027-03-05');
    await world.quiet();
    assert.equal(world.truth.count('/listings/calendar'), before + 2, 'once at once, and once when repeats are over');
    assert.deepEqual(await stored('2027-03-02'), { price: '90', inventory: 1, closed: null });
    assert.deepEqual(await stored('2027-09-09'), { price: '100.5', inventory: 1, closed: null }, 'not asked for');
    const change = (await changes()).at(-1);
    assert.equal(change?.seen_by, 'event');
    assert.deepEqual(JSON.parse(change?.diff ?? ''), [
      { path: '2027-03-01/2027-03-02', before: { price: '100.5' }, after: { price: '90' } },
      { path: '2027-03-03', before: { price: '100.5', inventory: 1 }, after: { price: '90', inventory: 0 } },
    ]);
    const past = await world.store.db
      .selectFrom('calendar_history')
      .select(['from_date', 'to_date', 'price', 'inventory'])
      .execute();
    assert.deepEqual(past, [{ from_date: '2027-03-01', to_date: '2027-03-03', price: '100.5', inventory: 1 }]);
    const open = await world.store.db.selectFrom('inbox').selectAll().where('state', '=', 'pending').execute();
    assert.deepEqual(open, []);
  });

  it('an event of days that are as they were leads to three reads, and to no more', async () => {
    const before = world.truth.count('/listings/calendar');
    await tell('2027-03-10', '2027-03-12');
    await world.quiet();
    await world.clock.advance(60_000);
    await world.quiet();
    assert.equal(
      world.truth.count('/listings/calendar'),
      before + 3,
      'at once, after a moment since nothing had changed, and when repeats are over',
    );
    assert.deepEqual(await world.store.db.selectFrom('dirty_keys').selectAll().execute(), []);
    const open = await world.store.db.selectFrom('inbox').selectAll().where('state', '=', 'pending').execute();
    assert.deepEqual(open, []);
  });

  it('what no event tells is found by a scan, and verify sees it before', async () => {
    world.truth.days.set(`${KEY} 2027-04-01`, makeDay('2027-04-01', { closed_on_arrival: true }));
    const verify = async () => {
      let report: { clean: boolean; resources: readonly { resource: string; clean: boolean }[] } | undefined;
      void world.daemon.verify(CONNECTION, () => {}).then((one) => (report = one));
      await world.clock.until(() => report !== undefined, 'a report');
      return report;
    };
    assert.deepEqual(
      (await verify())?.resources.filter((one) => !one.clean).map((one) => one.resource),
      ['calendar'],
    );
    let scanned = false;
    void world.daemon.reconcile(CONNECTION, 'calendar', () => {}).then(() => (scanned = true));
    await world.clock.until(() => scanned, 'a scan');
    assert.equal((await stored('2027-04-01'))?.closed, 1);
    assert.equal((await changes()).at(-1)?.seen_by, 'command');
    assert.equal((await verify())?.clean, true);
  });

  it('of a listing that nobody knew lead to the listing and all its days', async () => {
    world.truth.listings.set(2, makeListing(2, { listing_id: 'new' }));
    await tell('2027-05-01', '2027-05-01', 'new');
    await world.quiet();
    assert.deepEqual(await stored('2028-01-01', 'marketplace_a/new'), { price: '100.5', inventory: 1, closed: null });
    assert.equal((await world.store.db.selectFrom('listings').selectAll().execute()).length, 2);
  });

  it('of a listing that is gone are closed, and the others of the request are read', async () => {
    world.truth.listings.delete(2);
    world.truth.days.set(`${KEY} 2027-06-01`, makeDay('2027-06-01', { price: 61 }));
    await tell('2027-06-01', '2027-06-02', 'new');
    await tell('2027-06-01', '2027-06-02');
    await world.quiet();
    assert.equal((await stored('2027-06-01'))?.price, '61');
    const open = await world.store.db.selectFrom('inbox').selectAll().where('state', '=', 'pending').execute();
    assert.deepEqual(open, []);
  });
});

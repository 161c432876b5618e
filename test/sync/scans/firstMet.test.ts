import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { sleep } from '../../../src/kernel/clock.ts';
import type { VerifyReport } from '../../../src/sync/scans/verify/verify.ts';
import { availabilityEvent, calendarEvent, reservationEvent } from '../../support/events.ts';
import { CONNECTION, openWorld, type World } from '../../support/mirror.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { makeListing, makeProperty, makeStay } from '../../support/rows.ts';
import { Truth, type ThinEvent } from '../../support/truth.ts';

/** More new properties than are looked up one by one in a burst, when each look-up takes so long. */
const MANY = 205;
const SLOW_MS = 300;
const NOTHING_UNREAD = { availability: 0, calendar: 0 };

function announce(w: World, event: ThinEvent): void {
  const body = Buffer.from(JSON.stringify({ timestamp: '2026-11-20T12:00:00.000Z', ...event }));
  void w.daemon.accept(CONNECTION, body, { 'service-webhook-secret-token': w.truth.secret() });
}

/** What an import of old reservations announces: the nights that its events name can no longer be read. */
async function importPast(w: World, properties: number, each: number): Promise<void> {
  for (let place = 0; place < properties; place += 1) {
    const property_id = 100 + place;
    w.truth.properties.set(property_id, makeProperty(property_id));
    for (let one = 1; one <= each; one += 1) {
      const stay = makeStay(place * each + one, {
        property_id,
        check_in_date: '2016-05-01',
        check_out_date: '2016-05-02',
      });
      w.truth.put(stay);
      announce(w, reservationEvent(stay));
      announce(w, availabilityEvent(property_id, ['2016-05-01']));
    }
    if (place % 50 === 0) await w.clock.run(20);
  }
  await w.quiet();
}

async function verify(w: World): Promise<VerifyReport> {
  let report: VerifyReport | undefined;
  void w.daemon.verify(CONNECTION).then((one) => (report = one));
  await w.clock.until(() => report !== undefined, 'a report');
  return report ?? assert.fail();
}

async function reconcile(w: World, resource: string): Promise<void> {
  let isDone = false;
  void w.daemon.reconcile(CONNECTION, resource).then(() => (isDone = true));
  await w.clock.until(() => isDone, 'a scan');
  await w.quiet();
}

async function isComplete(w: World): Promise<void> {
  const { unread } = await w.daemon.status(CONNECTION);
  assert.deepEqual(unread, NOTHING_UNREAD);
  const { resources } = await verify(w);
  assert.deepEqual(
    resources.filter(({ clean }) => !clean),
    [],
  );
}

async function meetByOneScan(w: World): Promise<void> {
  w.truth.properties.set(8, makeProperty(8));
  w.truth.listings.set(1, makeListing(1, { listing_id: 'L1' }));
  await reconcile(w, 'property');
  await reconcile(w, 'listing');
  await isComplete(w);
}

const purposes = async (w: World) =>
  (await w.store.db.selectFrom('scans').select('purpose').distinct().where('resource', '=', 'property').execute()).map(
    ({ purpose }) => purpose,
  );

describe('what is met for the first time is read completely, without reconciliation', () => {
  async function world(t: TestContext, truth = new Truth()): Promise<World> {
    const opened = await openWorld({ truth });
    t.after(() => opened.close());
    return opened;
  }

  it('60 new properties of one burst', async (t) => {
    const w = await world(t);
    await importPast(w, 60, 10);
    await isComplete(w);
  });

  it('so many that a scan meets them in the burst', async (t) => {
    const w = await world(t);
    w.truth.fault = ({ path, query }) =>
      path === '/properties' && query.has('id') ? { kind: 'late', until: sleep(w.clock, SLOW_MS) } : undefined;
    await importPast(w, MANY, 1);
    assert.ok((await purposes(w)).includes('burst'), 'the scan of the burst');
    await isComplete(w);
  });

  it('new listings of one burst', async (t) => {
    const w = await world(t);
    for (let id = 1; id <= 40; id += 1) {
      const listing = makeListing(id, { listing_id: `L${id}` });
      w.truth.listings.set(id, listing);
      announce(w, calendarEvent(listing, '2016-05-01', '2016-05-01'));
    }
    await w.quiet();
    await isComplete(w);
  });

  it('properties and listings that a single scan meets', async (t) => {
    await meetByOneScan(await world(t));
  });

  it('what an answer has left out, once all else is read', async (t) => {
    const truth = new Truth();
    let leavesOut = true;
    truth.fault = ({ path }) =>
      path === '/availabilities' && leavesOut ? { kind: 'data', data: { properties: [] } } : undefined;
    truth.before = ({ path }) => void (leavesOut &&= path !== '/knowledge_bases');
    const w = await world(t, truth);
    await w.quiet();
    await isComplete(w);
  });

  it('what a mirror of before has never read, at its next start', async (t) => {
    const w = await world(t);
    w.truth.properties.set(8, makeProperty(8));
    await reconcile(w, 'property');
    await w.store.db.deleteFrom('availability_days').where('property_id', '=', 8).execute();
    await w.store.db.deleteFrom('availability_reads').where('property_id', '=', 8).execute();
    assert.deepEqual((await w.daemon.status(CONNECTION)).unread, { availability: 1, calendar: 0 });
    await w.restart();
    await w.quiet();
    await isComplete(w);
  });
});

describe('what is known and not read yet', () => {
  it('is counted by the status until it is read', async (t) => {
    const w = await openWorld();
    t.after(() => w.close());
    w.truth.fault = ({ path }) => (path === '/availabilities' ? { kind: 'code', code: 500 } : undefined);
    w.truth.properties.set(8, makeProperty(8));
    const stay = makeStay(1, { property_id: 8 });
    w.truth.put(stay);
    await w.send(reservationEvent(stay));
    const unread = async () => (await w.daemon.status(CONNECTION)).unread;
    await w.clock.until(async () => (await unread()).availability === 1, 'a property without nights');
    w.truth.fault = () => undefined;
    await w.quiet();
    assert.deepEqual(await unread(), NOTHING_UNREAD);
  });

  it('is no calendar that the source does not have', async (t) => {
    const w = await openWorld();
    t.after(() => w.close());
    w.truth.fault = ({ path }) => (path === '/listings/calendar' ? { kind: 'code', code: 404 } : undefined);
    w.truth.listings.set(1, makeListing(1, { listing_id: 'L1' }));
    await reconcile(w, 'listing');
    assert.deepEqual((await w.daemon.status(CONNECTION)).unread, NOTHING_UNREAD);
  });
});

describe('verify counts nights and days of calendars, as it compares them', () => {
  it('each that is missing, different or left over', async (t) => {
    const truth = new Truth();
    truth.listings.set(1, makeListing(1, { listing_id: 'L1' }));
    const w = await openWorld({ truth });
    t.after(() => w.close());
    const { db } = w.store;
    const compared = (await verify(w)).resources.find(({ resource }) => resource === 'availability')?.compared ?? 0;
    await db.deleteFrom('availability_days').where('date', '>=', '2027-01-01').execute();
    await db.updateTable('availability_days').set({ available: 0 }).where('date', '<', '2026-12-01').execute();
    await db.deleteFrom('calendar_days').where('date', '<', '2026-12-01').execute();
    const left = await db.selectFrom('availability_days').select('date').execute();
    const { resources } = await verify(w);
    const of = (name: string) => resources.find(({ resource }) => resource === name) ?? assert.fail(name);
    const nights = of('availability');
    // Nights at either end are kept for longer than they are compared.
    assert.ok(Math.abs(nights.missing - (compared - left.length)) <= 2, `${nights.missing} of ${compared}`);
    assert.ok(nights.missing <= nights.compared, 'the same unit');
    const { count } = await db
      .selectFrom('availability_days')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('available', '=', 0)
      .executeTakeFirstOrThrow();
    assert.ok(Math.abs(nights.different - count) <= 2, `${nights.different} of ${count}`);
    assert.equal(of('calendar').missing, 12, '19 to 30 November');
  });
});

describeOnPostgres('what is met for the first time, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  it('is read completely after a single scan', async (t) => {
    const w = await openWorld({ database: await server.freshDatabase() });
    t.after(() => w.close());
    await meetByOneScan(w);
  });
});

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { ComparisonsContext } from '../../src/comparisons/context.ts';
import { comparisonTroubles } from '../../src/comparisons/health.ts';
import { type ComparisonDraft, ComparisonService } from '../../src/comparisons/manage.ts';
import { dueComparison } from '../../src/comparisons/table.ts';
import { comparisonWorker } from '../../src/comparisons/start.ts';
import { calendarSense } from '../../src/compose/mirror/comparisons.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { addDays, dateIn, instantOf, type PlainDate } from '../../src/kernel/dates.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { type CalendarReader, calendarReader } from '../../src/outbound/fetchCalendar.ts';
import { ics, type Marketplace, startMarketplace, type Written } from '../channels/feeds/support/feedWorld.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { CONNECTION, evenRandom, openWorld, plainSealer, type World } from '../support/mirror.ts';
import { makeStay } from '../support/rows.ts';
import { until } from '../support/service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOUSE = 7;

interface Told {
  finding_id: string;
  known_to: string;
  stay_code: string | null;
  start_date: string;
  needs_person: boolean;
  settled_at: string | null;
}

describe('calendars compared with a mirror', () => {
  let marketplace: Marketplace;
  let reader: CalendarReader;
  let world: World;
  /** The clock of the comparisons alone: the daemon need not live through all these days. */
  let clock: ManualClock;
  let context: ComparisonsContext;
  let service: ComparisonService;
  before(async () => {
    marketplace = await startMarketplace();
    // Requests go to a real server, which knows nothing of a driven clock.
    reader = calendarReader({ clock: systemClock, userAgent: 'stayd/test', policy: { allow: [marketplace.address] } });
  });
  after(async () => {
    await reader.close();
    await marketplace.close();
  });
  beforeEach(async () => {
    world = await openWorld();
    const { store } = world;
    clock = manualClock(world.clock.now());
    context = {
      store,
      connection: CONNECTION,
      clock,
      random: evenRandom,
      ids: ulidMaker(clock, evenRandom),
      log: silentLogger,
      sealer: plainSealer,
      reader,
      sense: calendarSense,
      zone: () => 'Europe/Berlin',
    };
    service = new ComparisonService(context);
    shows();
  });
  afterEach(() => world.close());

  const day = (offset: number): PlainDate => addDays(dateIn('Europe/Berlin', clock.now()), offset);
  const reservation = (start: PlainDate, end: PlainDate, code = 'HMABC1'): Written => ({
    uid: `${code}@marketplace.example`,
    start,
    end,
    summary: 'Reserved',
    description: `https://www.airbnb.com/hosting/reservations/details/${code}XYZ`,
  });
  const shows = (...events: Written[]) => marketplace.says(ics(events));
  const add = (more: Partial<ComparisonDraft> = {}) =>
    service.add({ property_id: HOUSE, name: 'Airbnb', url: marketplace.url, ...more });
  const findings = async () => (await service.findings()) as Told[];
  const alarms = async () =>
    (await comparisonTroubles(world.store.db, CONNECTION, clock.now())).map(({ says }) => says);
  async function book(id: number, from: PlainDate, to: PlainDate): Promise<void> {
    const stay = makeStay(id, { check_in_date: from, check_out_date: to });
    world.truth.put(stay);
    const { reservation_code, stay_code } = stay;
    await world.send({
      event: 'reservation_created',
      event_id: `01TESTBOOKING${id}`,
      reservation_code,
      stay_code,
      property_id: HOUSE,
    });
    await world.quiet();
  }
  /** Reads the calendar again and again, as the service does. */
  async function poll(times: number, minutes = 40): Promise<void> {
    const [{ comparison_id: id } = { comparison_id: '' }] = (await service.list()) as { comparison_id: string }[];
    for (let read = 0; read < times; read += 1) {
      clock.jump(minutes * MINUTE);
      await service.read(id);
    }
  }

  it('find a booking that is missing in the mirrored system, and let go of it when it is there', async () => {
    const [from, to] = [day(20), day(23)];
    shows(reservation(from, to));
    await add();
    assert.equal((await findings()).length, 1);
    await poll(4);
    assert.deepEqual(await alarms(), [], 'the other side may be late');
    await poll(1);
    assert.deepEqual(await alarms(), [
      `the calendar "Airbnb" of House 7 has guests from ${from} to ${to}, and no stay in ${CONNECTION} holds these nights: a booking is missing there`,
    ]);
    await book(1, from, to);
    await poll(1);
    assert.deepEqual(await findings(), []);
    assert.deepEqual(await alarms(), []);
  });

  it('find a stay whose nights the marketplace can sell again', async () => {
    await book(1, day(20), day(23));
    await add();
    await poll(6);
    const [finding] = await findings();
    assert.equal(finding?.known_to, 'mirror');
    assert.equal(finding?.needs_person, true);
    assert.match((await alarms()).join(), /shows .* as free, where the stay 5-R000001 is booked/);
    shows({ uid: 'block', start: day(20), end: day(23), summary: 'Airbnb (Not available)' });
    await poll(1);
    assert.deepEqual(await alarms(), [], 'closed for whatever reason is closed');
  });

  it('stay silent over forty days of reads while both sides agree, with starts that move and reads that fail', async () => {
    const bookings = [5, 12, 19, 26, 33].map((offset, index) => ({
      id: index + 1,
      from: day(offset),
      to: day(offset + 4),
    }));
    for (const { id, from, to } of bookings) await book(id, from, to);
    const events = () =>
      bookings
        .filter(({ to }) => to > day(0))
        .map(({ from, to }) => reservation(from < day(0) ? day(0) : from, to, `HM${to.replaceAll('-', '')}`));
    shows(...events());
    await add();
    for (let read = 0; read < 40; read += 1) {
      clock.jump(24 * HOUR);
      if (read % 7 === 3) marketplace.says({ status: 503, body: 'later' });
      else if (read % 7 === 5) marketplace.says('<html>Sign in</html>');
      else shows(...events());
      await service.read(((await service.list()) as { comparison_id: string }[])[0]?.comparison_id ?? '');
      assert.deepEqual(await findings(), [], `after ${read + 1} days`);
    }
  });

  it('find nothing new and lose nothing by an answer that is no calendar, and say when that lasts', async () => {
    shows(reservation(day(20), day(23)));
    await add();
    await poll(6);
    const before = await findings();
    for (const body of ['', '<html>Sign in</html>', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n']) {
      marketplace.says(body);
      await poll(1);
      assert.deepEqual(await findings(), before);
    }
    assert.equal((await alarms()).length, 1);
    await poll(17);
    assert.match((await alarms())[0] ?? '', /was not compared since .*: cut off/);
  });

  it('are silent about what a person has settled, until it is over and comes back', async () => {
    const [from, to] = [day(20), day(23)];
    shows(reservation(from, to));
    await add();
    await poll(6);
    const [finding] = await findings();
    await service.settle(finding?.finding_id ?? '');
    await poll(6);
    assert.deepEqual(await alarms(), []);
    assert.equal((await findings())[0]?.finding_id, finding?.finding_id);
    shows();
    await poll(1);
    shows(reservation(from, to));
    await poll(6);
    assert.equal((await alarms()).length, 1);
  });

  it('keep one finding while its start moves along with today', async () => {
    const to = day(30);
    shows(reservation(day(0), to));
    await add();
    const [first] = await findings();
    for (let days = 0; days < 5; days += 1) {
      clock.jump(24 * HOUR);
      shows(reservation(day(0), to));
      await poll(1, 1);
    }
    const now = await findings();
    assert.deepEqual([now.length, now[0]?.finding_id, now[0]?.start_date], [1, first?.finding_id, day(0)]);
  });

  it('are read by themselves, again after a restart, and not while the mirror is behind', async () => {
    await add();
    const asked = () => marketplace.asked.length;
    /** Lets the worker look once a minute, each time to its end. */
    const pass = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        await clock.advance(MINUTE);
        await until(() => !worker.busy, 'the end of a round');
      }
    };
    const before = asked();
    let worker = comparisonWorker(context);
    await worker.start();
    await pass(50);
    assert.equal(asked(), before + 1);
    await worker.stop();
    await pass(60);
    assert.equal(asked(), before + 1);
    await world.store.db.updateTable('connections').set({ caught_up_at: null }).execute();
    worker = comparisonWorker(context);
    await worker.start();
    await pass(10);
    assert.equal(asked(), before + 1, 'nothing is compared with a mirror that is behind');
    await world.store.db.updateTable('connections').set({ caught_up_at: '2026-11-20T12:00:00.000Z' }).execute();
    await pass(2);
    assert.equal(asked(), before + 2);
    await worker.stop();
  });

  it('end with a property that is gone from the mirrored system, and say so once', async () => {
    shows(reservation(day(20), day(23)));
    await add();
    await poll(6);
    assert.equal((await alarms()).length, 1);
    const gone = { deleted_at: instantOf(clock.now()) };
    await world.store.db.updateTable('properties').set(gone).where('id', '=', HOUSE).execute();
    const [said, ...others] = await alarms();
    assert.match(String(said), /the calendar "Airbnb" of House 7 is compared no more: .* has no such property since/);
    assert.deepEqual(others, []);
    clock.jump(2 * HOUR);
    assert.equal(await dueComparison(world.store.db, CONNECTION, instantOf(clock.now())), undefined);
    await world.store.db.updateTable('properties').set({ deleted_at: null }).where('id', '=', HOUSE).execute();
    assert.notEqual(await dueComparison(world.store.db, CONNECTION, instantOf(clock.now())), undefined);
  });

  it('refuse what cannot work, in words, and store nothing of it', async () => {
    const refused = (draft: Partial<ComparisonDraft>) =>
      add(draft).then(
        () => assert.fail('it was taken'),
        (error: Error & { status?: number; field?: string }) => error.message,
      );
    assert.match(await refused({ property_id: 99 }), /property_id: local has no property 99/);
    assert.match(await refused({ name: ' ' }), /name/);
    assert.match(await refused({ url: 'nothing' }), /url/);
    assert.match(await refused({ url: 'https://127.0.0.2/x.ics' }), /url.*cannot be read/);
    assert.match(await refused({ source: 'nobody' }), /source.*airbnb/);
    marketplace.says('<html>Sign in</html>');
    assert.match(await refused({}), /url.*cannot be read: not a calendar/);
    assert.deepEqual(await service.list(), []);
    shows();
    await add();
    assert.match(await refused({ url: `${marketplace.url}2` }), /name.*Airbnb already/);
    assert.match(await refused({ name: 'Again' }), /url.*compared already/);
    await assert.rejects(service.read('comparison_x'), /there is no comparison_x/);
    await assert.rejects(service.settle('finding_x'), /there is no finding_x/);
    const text = JSON.stringify(await service.list());
    assert.ok(!text.includes('secret'), 'its address is a secret');
    const [{ url } = { url: '' }] = await world.store.db.selectFrom('comparisons').select('url').execute();
    assert.ok(!url.includes('secret'));
  });

  it('that are many and all wrong are told as one', async () => {
    shows(
      ...Array.from({ length: 30 }, (_, index) =>
        reservation(day(10 + 3 * index), day(12 + 3 * index), `HM${100 + index}`),
      ),
    );
    await add();
    await poll(6);
    const all = await alarms();
    assert.equal(all.length, 11);
    assert.match(all.at(-1) ?? '', /differs in 20 further places; perhaps it is the calendar of another property/);
  });
});

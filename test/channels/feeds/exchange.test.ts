import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { FeedRow } from '../../../src/channels/feeds/rows.ts';
import { cancelEntryOf, settleClashOf } from '../../../src/channels/feeds/manage.ts';
import { readFeed } from '../../../src/channels/feeds/readFeed.ts';
import type { StoreLocation } from '../../../src/store/store.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { FeedWorld, ics, type Marketplace, nights, startMarketplace } from './support/feedWorld.ts';

/** The events of a calendar, read line by line: a reader that shares nothing with the program. */
function eventsIn(text: string): Record<string, string>[] {
  const lines = text.replaceAll(/\r\n[ \t]/g, '').split('\r\n');
  const events: Record<string, string>[] = [];
  for (const line of lines) {
    const [, name = '', value = ''] = /^([A-Z-]+)[^:]*:(.*)$/.exec(line) ?? [];
    if (line === 'BEGIN:VEVENT') events.push({});
    else if (name !== 'END' && name !== 'BEGIN') Object.assign(events.at(-1) ?? {}, { [name]: value });
  }
  return events;
}
const spans = (text: string) => eventsIn(text).map(({ DTSTART, DTEND }) => `${DTSTART}..${DTEND}`);
const compact = (date: string) => date.replaceAll('-', '');

describe('our own calendar', () => {
  let market: Marketplace;
  let world: FeedWorld;
  before(async () => {
    market = await startMarketplace();
  });
  after(() => market.close());
  beforeEach(async () => {
    world = await FeedWorld.start([market]);
  });
  afterEach(() => world.close());

  const book = (from: number, to: number, more: Record<string, unknown> = {}) =>
    world.book(from, to, { guest_name: 'Ann O’Hara, Jr.', mobile: '+353 1 555 0199', ...more });

  it('shows nights that are taken, to channels without a word about guests; its UIDs are stable', async () => {
    const stay = await book(3, 6);
    const feed = await world.add({ name: 'Airbnb' });
    const text = await world.fetched(feed);
    assert.deepEqual(spans(text), [`${compact(world.day(3))}..${compact(world.day(6))}`]);
    assert.doesNotMatch(text, /Ann|Hara|555|0199/);
    const [before] = eventsIn(text);
    await world.core.clock.advance(3_600_000);
    assert.equal(await world.fetched(feed), text, 'the same bytes while nothing changes');
    await world.core.call('updateReservation', { ...codeOf(stay), check_out_date: world.day(7) });
    const [moved] = eventsIn(await world.fetched(feed));
    assert.equal(moved?.['UID'], before?.['UID']);
    assert.deepEqual([before?.['SEQUENCE'], moved?.['SEQUENCE']], ['0', '1']);
    assert.notEqual(before?.['LAST-MODIFIED'], moved?.['LAST-MODIFIED']);
    assert.equal(moved?.['DTSTAMP'], moved?.['LAST-MODIFIED']);
  });

  it('leaves out what came from the same channel, and tells the others of it', async () => {
    market.says(
      ics([
        { uid: 'x@a', start: world.day(10), end: world.day(12), summary: 'Reserved' },
        { uid: 'y@a', start: world.day(20), end: world.day(22) },
      ]),
    );
    const airbnb = await world.add({ name: 'Airbnb', url: market.url });
    const booking = await world.add({ name: 'Booking.com' });
    assert.deepEqual(spans(await world.fetched(airbnb)), []);
    assert.deepEqual(spans(await world.fetched(booking)).toSorted(), [
      `${compact(world.day(10))}..${compact(world.day(12))}`,
      `${compact(world.day(20))}..${compact(world.day(22))}`,
    ]);
    assert.equal(eventsIn(await world.fetched(booking)).at(-1)?.['UID'], 'y@a', 'under the UID of whoever sent it');
  });

  it('folds long lines, and no name can begin an event of its own', async () => {
    await book(3, 6, { guest_name: 'Eve\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:evil;,\\ ' + 'ü'.repeat(40) });
    const feed = await world.add({ name: 'Phone', audience: 'private', shows: ['name', 'phone', 'guests'] });
    const text = await world.fetched(feed);
    assert.equal(eventsIn(text).length, 1);
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line);
    const read = readFeed(text, { source: 'generic', zone: 'Europe/Berlin', until: world.day(900) });
    assert.ok('events' in read && read.events.length === 1 && read.unreadable.length === 0);
    assert.match(eventsIn(text)[0]?.['DESCRIPTION'] ?? '', /Guests: \d+\\nPhone \(last 4 digits\): 0199/);
  });

  it('shows to a person what they chose, and to a channel never', async () => {
    await book(3, 6);
    const bare = eventsIn(await world.fetched(await world.add({ name: 'Cleaner', audience: 'private' })))[0];
    assert.deepEqual([bare?.['SUMMARY'], bare?.['DESCRIPTION']], ['Reserved', undefined]);
    const full = await world.add({ name: 'Home', audience: 'private', shows: ['name', 'times'] });
    const [event] = eventsIn(await world.fetched(full));
    assert.equal(event?.['SUMMARY'], 'Ann O’Hara\\, Jr.');
    assert.match(event?.['DTSTART'] ?? '', /^\d{8}T140000Z$/, '15:00 in Berlin in winter');
    await assert.rejects(world.add({ name: 'Airbnb', shows: ['name'] }), /shows/);
    await assert.rejects(world.add({ name: 'Phone', audience: 'private', url: market.url }), /private/);
  });
});

const codeOf = ({ reservation_code }: { reservation_code: string }) => ({
  stay_code: reservation_code,
  reservation_code,
});

describe('a channel that repeats what we told it', () => {
  let market: Marketplace;
  let other: Marketplace;
  let world: FeedWorld;
  let feed: FeedRow;
  before(async () => {
    market = await startMarketplace();
    other = await startMarketplace();
  });
  after(async () => {
    await market.close();
    await other.close();
  });
  beforeEach(async () => {
    world = await FeedWorld.start([market, other]);
    market.says(ics([]));
    feed = await world.add({ name: 'Airbnb', url: market.url });
  });
  afterEach(() => world.close());

  const book = (from: number, to: number) => world.book(from, to);
  /** The UIDs of entries that may mean that nights are sold twice. */
  const clashes = async () => {
    const { db } = world.core.core.store;
    return (await db.selectFrom('feed_entries').where('clash', '=', 1).select('uid').execute()).map(({ uid }) => uid);
  };
  const cancel = (stay: { reservation_code: string }) => world.core.call('cancelReservation', codeOf(stay));

  it('closes nothing by it: the nights are free as soon as our stay is cancelled', async () => {
    const stay = await book(10, 14);
    await world.fetched(feed);
    // Blocked there under a UID of its own, and cut as it likes.
    market.says(
      ics([
        { uid: 'copy@airbnb', start: world.day(10), end: world.day(12) },
        { uid: 'copy2@airbnb', start: world.day(12), end: world.day(14) },
      ]),
    );
    for (let poll = 0; poll < 10; poll += 1) await world.read(feed);
    await cancel(stay);
    assert.deepEqual(await world.closed(), []);
    await world.read(feed);
    assert.deepEqual(await world.closed(), [], 'the channel has not heard of it yet, so it still repeats us');
    assert.deepEqual(await world.booked(), []);
  });

  it('but what still stands there after it has heard that we are free is its own', async () => {
    const stay = await book(10, 14);
    await world.fetched(feed);
    market.says(ics([{ uid: 'copy@airbnb', start: world.day(10), end: world.day(14) }]));
    await world.read(feed);
    await cancel(stay);
    await world.fetched(feed);
    await world.read(feed);
    assert.deepEqual(await world.closed(), nights([world.day(10), world.day(14)]), 'perhaps it has sold them since');
    market.says(ics([]));
    for (const minutes of [10, 60, 80]) await world.read(feed, minutes);
    assert.deepEqual(await world.closed(), []);
  });

  it('what was there before we told of these nights stays the channel’s own', async () => {
    market.says(ics([{ uid: 'own@airbnb', start: world.day(10), end: world.day(14) }]));
    await world.read(feed);
    await world.core.call('updateAvailabilities', {
      property_ids: [world.property],
      start_date: world.day(10),
      end_date: world.day(13),
      available: false,
    });
    await world.core.workCalendars();
    await world.fetched(feed);
    await world.read(feed);
    await world.core.call('updateAvailabilities', {
      property_ids: [world.property],
      start_date: world.day(10),
      end_date: world.day(13),
      available: true,
    });
    await world.core.workCalendars();
    assert.deepEqual(await world.closed(), nights([world.day(10), world.day(14)]));
  });

  it('a code or a name of a guest is never an echo, and a stay in its way goes to the box', async () => {
    await book(10, 14);
    await world.fetched(feed);
    const events = (await world.core.events()).length;
    market.says(
      ics([
        {
          uid: 'r@airbnb',
          start: world.day(12),
          end: world.day(15),
          summary: 'Reserved',
          description:
            'Reservation URL: https://www.airbnb.com/hosting/reservations/details/HMABCDEFG1\\nPhone Number (Last 4 Digits): 1234',
        },
      ]),
    );
    const airbnb = await world.add({ name: 'Airbnb again', url: `${market.url}&2`, source: 'airbnb' });
    assert.deepEqual(await world.booked(), [`${world.day(12)}..${world.day(15)} accepted boxed`]);
    const created = (await world.core.events()).slice(events).map((event) => event['event']);
    assert.ok(created.includes('reservation_created'), String(created));
    assert.ok(airbnb.id > feed.id);
  });

  it('keeps nights closed whose reservation a person has cancelled here, as long as the channel sells them', async () => {
    const sold = [{ uid: 'r@m', start: world.day(5), end: world.day(8), summary: 'Reserved' }];
    market.says(ics(sold));
    await world.read(feed);
    await cancelEntryOf(world.core.core, world.who, feed.id, 1);
    assert.deepEqual(await world.closed(), []);
    await world.read(feed);
    assert.deepEqual(await world.closed(), nights([world.day(5), world.day(8)]));
    market.says(ics([{ ...sold[0], start: world.day(6), end: world.day(9) }]));
    await world.read(feed);
    assert.deepEqual(await world.closed(), nights([world.day(6), world.day(9)]), 'also when it moves there');
    market.says(ics([{ uid: 'x@m', start: world.day(50), end: world.day(51) }]));
    for (const minutes of [10, 40]) await world.read(feed, minutes);
    assert.deepEqual(await world.closed(), nights([world.day(50), world.day(51)]));
    assert.equal((await world.booked()).length, 1);
  });

  it('says when it closes nights on which a stay of ours was booked just now, until a person has looked', async () => {
    await world.read(feed);
    await book(10, 14);
    market.says(
      ics([{ uid: 'b@booking', start: world.day(12), end: world.day(16), summary: 'CLOSED - Not available' }]),
    );
    await world.read(feed);
    assert.deepEqual(await clashes(), ['b@booking']);
    assert.deepEqual(await world.closed(), nights([world.day(10), world.day(16)]));
    await world.fetched(feed);
    await world.read(feed);
    assert.deepEqual(await clashes(), ['b@booking']);
    await settleClashOf(world.core.core, world.who, feed.id, 1);
    for (let poll = 0; poll < 3; poll += 1) await world.read(feed);
    assert.deepEqual(await clashes(), [], 'once somebody has looked it is not said again');
  });

  it('says so, too, when it sold the very nights of a stay of ours that it had not heard of', async () => {
    await world.fetched(feed);
    await world.read(feed);
    await book(10, 14);
    market.says(ics([{ uid: 'b@booking', start: world.day(10), end: world.day(14) }]));
    await world.read(feed);
    assert.deepEqual(await clashes(), ['b@booking'], 'it cannot repeat what it was never told');
  });

  it('takes for the same stay what a person calls so, and closes nothing by it from then on', async () => {
    const stay = await book(10, 14);
    market.says(ics([{ uid: 'b@booking', start: world.day(10), end: world.day(14) }]));
    await world.read(feed);
    assert.deepEqual(await clashes(), ['b@booking']);
    await world.fetched(feed);
    await settleClashOf(world.core.core, world.who, feed.id, 1);
    await world.read(feed);
    await cancel(stay);
    for (let poll = 0; poll < 3; poll += 1) await world.read(feed);
    assert.deepEqual(await world.closed(), []);
    await world.fetched(feed);
    await world.read(feed);
    assert.deepEqual(await world.closed(), nights([world.day(10), world.day(14)]), 'unless it stands there after all');
  });

  it('says so, too, when a stay comes onto nights that it had closed before', async () => {
    market.says(ics([{ uid: 'b@booking', start: world.day(10), end: world.day(14) }]));
    await world.read(feed);
    other.says(ics([]));
    const second = await world.add({ name: 'Vrbo', url: other.url });
    other.says(ics([{ uid: 'v@vrbo', start: world.day(12), end: world.day(15), summary: 'Reserved - Ann' }]));
    await world.read(second);
    assert.deepEqual(await clashes(), []);
    await world.read(feed);
    assert.deepEqual(await clashes(), ['b@booking']);
  });

  it('tells its own nights from ours where it writes both as one event', async () => {
    const stay = await book(12, 14);
    await world.fetched(feed);
    // Its own are the two nights before.
    market.says(ics([{ uid: 'one@booking', start: world.day(10), end: world.day(14) }]));
    for (let poll = 0; poll < 3; poll += 1) await world.read(feed);
    assert.deepEqual(await clashes(), []);
    assert.deepEqual(await world.closed(), nights([world.day(10), world.day(14)]));
    await cancel(stay);
    assert.deepEqual(await world.closed(), nights([world.day(10), world.day(12)]), 'ours are free at once');
    for (let poll = 0; poll < 3; poll += 1) await world.read(feed);
    assert.deepEqual(await world.closed(), nights([world.day(10), world.day(12)]), 'and stay so while it repeats them');
    await world.fetched(feed);
    await world.read(feed);
    assert.deepEqual(
      await world.closed(),
      nights([world.day(10), world.day(14)]),
      'what still stands after it has heard that they are free is its own',
    );
  });

  it('keeps all its nights where it hears of ours later, and writes both as one event', async () => {
    await world.read(feed);
    const stay = await book(14, 18);
    market.says(ics([{ uid: 'own@booking', start: world.day(12), end: world.day(16) }]));
    await world.read(feed);
    assert.deepEqual(await clashes(), ['own@booking']);
    await world.fetched(feed);
    market.says(ics([{ uid: 'own@booking', start: world.day(12), end: world.day(18) }]));
    for (let poll = 0; poll < 3; poll += 1) await world.read(feed);
    await cancel(stay);
    assert.deepEqual(await world.closed(), nights([world.day(12), world.day(16)]), 'its guests still come');
  });
});

describe('two installations that feed each other', () => feedEachOther(async () => undefined));

describeOnPostgres('two installations that feed each other, on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  feedEachOther(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});

function feedEachOther(locate: () => Promise<StoreLocation | undefined>): void {
  let toA: Marketplace;
  let toB: Marketplace;
  let a: FeedWorld;
  let b: FeedWorld;
  before(async () => {
    toA = await startMarketplace();
    toB = await startMarketplace();
    a = await FeedWorld.start([toA], await locate());
    b = await FeedWorld.start([toB], await locate());
  });
  after(async () => {
    await Promise.all([a.close(), b.close()]);
    await Promise.all([toA.close(), toB.close()]);
  });

  it('an echo dies at once, in thirty rounds of bookings and cancellations nothing stays closed', async () => {
    toA.says(ics([]));
    toB.says(ics([]));
    const atA = await a.add({ name: 'B', url: toA.url });
    const atB = await b.add({ name: 'A', url: toB.url });
    const exchange = async () => {
      toA.says(await b.fetched(atB, 'stayd/a'));
      await a.read(atA, 0);
      toB.says(await a.fetched(atA, 'stayd/b'));
      await b.read(atB, 0);
      for (const world of [a, b]) await world.core.clock.advance(16 * 60_000);
    };
    const table: string[] = [];
    for (let round = 0; round < 30; round += 1) {
      const [here, there] = round % 2 === 0 ? [a, b] : [b, a];
      const stay = await here.book(5 + round, 8 + round);
      for (let poll = 0; poll < 2; poll += 1) await exchange();
      const taken = nights([here.day(5 + round), here.day(8 + round)]);
      assert.deepEqual(await here.closed(), taken, `round ${round}: here`);
      assert.deepEqual(await there.closed(), taken, `round ${round}: there`);
      await here.core.call('cancelReservation', codeOf(stay));
      assert.deepEqual(await here.closed(), [], `round ${round}: free at once where it was booked`);
      for (let poll = 0; poll < 12; poll += 1) await exchange();
      table.push(`${(await a.closed()).length} ${(await b.closed()).length}`);
    }
    assert.deepEqual(new Set(table), new Set(['0 0']));
    assert.deepEqual(
      [await a.booked(), await b.booked()].flat().filter((one) => one.includes('boxed')),
      [],
    );
  });
}

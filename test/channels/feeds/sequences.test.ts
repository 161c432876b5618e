import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, afterEach, before, beforeEach, describe, it, test } from 'node:test';
import { addDays } from '../../../src/kernel/dates.ts';
import type { FeedRow } from '../../../src/channels/feeds/rows.ts';
import { FeedWorld, ics, type Marketplace, nights, startMarketplace, type Written } from './support/feedWorld.ts';
import { NOTHING_NEW, renderTraps, type Span, TrapLog } from './support/trapLog.ts';

/** An Airbnb reservation as it really stands in feeds. */
const airbnb = (code: string, start: string, end: string, uid = `1418fb94e984-${code}@airbnb.com`): Written => ({
  uid,
  start,
  end,
  summary: 'Reserved',
  description: `Reservation URL: https://www.airbnb.com/hosting/reservations/details/${code}\\nPhone Number (Last 4 Digits): 5083`,
});
const block = (uid: string, start: string, end: string): Written => ({
  uid,
  start,
  end,
  summary: 'Airbnb (Not available)',
});
const closed = (uid: string, start: string, end: string): Written => ({
  uid,
  start,
  end,
  summary: 'CLOSED - Not available',
});

/** What a calendar shows under no name and no code. */
const nameless = (uid: string, start: string, end: string, summary = 'Reserved'): Written => ({
  uid,
  start,
  end,
  summary,
});

const POLLS = 30;
const DAY_MINUTES = 24 * 60;
const traps: TrapLog[] = [];

describe('a feed that is read again and again', () => {
  let market: Marketplace;
  let world: FeedWorld;
  let feed: FeedRow;
  before(async () => {
    market = await startMarketplace();
  });
  after(() => market.close());
  beforeEach(async () => {
    world = await FeedWorld.start([market]);
    market.says(ics([]));
    feed = await world.add({ name: 'Airbnb', url: market.url, source: 'airbnb' });
  });
  afterEach(() => world.close());

  /** Begins the page of a trap. */
  function begin(title: string, about: string): TrapLog {
    const trap = new TrapLog(title, about, { world, market });
    traps.push(trap);
    return trap;
  }
  const clipped = (start: string) => (start < world.today ? world.today : start);
  const accepted = (...spans: Span[]) => spans.map(([start, end]) => `${start}..${end} accepted`);

  it('keeps a stay whose start is clipped to today each day, with another UID each time', async () => {
    const trap = begin(
      'A start that moves along with today',
      'A stay that has begun is shown from today on, each day under another UID and without its code. It is still the same stay.',
    );
    const [start, end] = [world.day(1), world.day(20)];
    await trap.poll(feed, { events: [airbnb('HMAAAAAAA1', start, end)] });
    for (let poll = 0; poll < POLLS; poll += 1) {
      const from = clipped(start);
      await trap.poll(feed, { minutes: 12 * 60, events: [nameless(`clipped-${from}`, from, end)] });
      assert.deepEqual(await world.booked(), accepted([start, end]));
      assert.deepEqual(await world.closed(), nights([clipped(start), end]));
    }
  });

  it('follows a closed block on the horizon that grows by a day each day', async () => {
    const trap = begin(
      'A horizon that moves each day',
      'A marketplace closes everything beyond some months ahead; both ends of that block move by a day each day, under another UID.',
    );
    for (let poll = 0; poll < POLLS; poll += 1) {
      const tomorrow = (days: number) => addDays(world.today, days + 1);
      await trap.poll(feed, {
        minutes: DAY_MINUTES,
        events: [closed(`horizon-${poll}`, tomorrow(200), tomorrow(300))],
      });
      assert.ok((await world.closed()).length <= 102, 'what has left is opened again');
    }
    assert.deepEqual(await world.booked(), []);
  });

  it('is not misled by UIDs that change at every read', async () => {
    const trap = begin(
      'Another UID at every read',
      'A reservation with a code, closed nights and a reservation without a code get other UIDs each time they are read.',
    );
    const spans: Span[] = [
      [world.day(5), world.day(9)],
      [world.day(30), world.day(33)],
      [world.day(50), world.day(53)],
    ];
    const [[a, b], [c, d], [e, f]] = spans as [Span, Span, Span];
    for (let poll = 0; poll < POLLS; poll += 1) {
      await trap.poll(feed, {
        minutes: 1,
        events: [
          airbnb('HMAAAAAAA1', a, b, `r-${poll}`),
          block(`b-${poll}`, c, d),
          nameless(`g-${poll}`, e, f, 'Booked'),
        ],
      });
      assert.deepEqual(await world.booked(), accepted([a, b], [e, f]), `read ${poll}`);
    }
    assert.deepEqual(await world.closed(), nights(...spans));
  });

  it('moves a stay whose UID or code comes with other dates, and frees the nights that it left', async () => {
    const trap = begin(
      'One UID or one code with other dates',
      'Guests move their stay: the same code, and every second time the same UID, comes with other dates. Nights that the stay has left are free at once.',
    );
    for (let poll = 0; poll < POLLS; poll += 1) {
      const [start, end] = [world.day(5 + (poll % 3)), world.day(9 + (poll % 4))];
      const uid = poll % 2 === 0 ? undefined : `u-${poll}`;
      await trap.poll(feed, { events: [airbnb('HMAAAAAAA1', start, end, uid)] });
      assert.deepEqual(await world.booked(), accepted([start, end]));
      assert.deepEqual(await world.closed(), nights([start, end]));
    }
  });

  it('keeps what lingers after its end, and never books what is past', async () => {
    const trap = begin(
      'Events that linger after their end',
      'A stay is shown for days after its guests have left, and another one that was over before the calendar was connected.',
    );
    const [start, end] = [world.day(1), world.day(3)];
    const old = airbnb('HMOLDOLD01', world.day(-9), world.day(-4));
    for (let poll = 0; poll < POLLS; poll += 1) {
      await trap.poll(feed, { minutes: 8 * 60, events: [airbnb('HMAAAAAAA1', start, end), old] });
      assert.deepEqual(await world.booked(), accepted([start, end]));
    }
    assert.deepEqual(await world.closed(), []);
  });

  it('keeps stays whose neighbours are merged into one event and cut apart again', async () => {
    const trap = begin(
      'Neighbours merged and cut apart',
      'Two stays that follow each other are shown as one event, as two again, and as two that are cut at another night.',
    );
    const [a, b, c] = [world.day(10), world.day(14), world.day(17)];
    const apart = [nameless('m-1', a, b), nameless('m-2', b, c)];
    const merged = [nameless('m-3', a, c)];
    const other = [nameless('m-4', a, world.day(12)), nameless('m-5', world.day(12), c)];
    await trap.poll(feed, { events: apart });
    for (let poll = 0; poll < POLLS; poll += 1) {
      await trap.poll(feed, { minutes: 17, events: [merged, apart, other][poll % 3] ?? [] });
      assert.deepEqual(await world.booked(), accepted([a, b], [b, c]), `read ${poll}`);
      assert.deepEqual(await world.closed(), nights([a, c]));
    }
  });

  it('frees only what is missing in two good reads and for half an hour', async () => {
    const trap = begin(
      'Events that are missing for a moment',
      'Two of three events are missing in two reads within 20 minutes and come back, seven times; then they are missing for good, and an hour later both are sold again.',
    );
    const gone: Span[] = [
      [world.day(5), world.day(9)],
      [world.day(30), world.day(33)],
    ];
    const [[a, b], [c, d]] = gone as [Span, Span];
    const last: Span = [world.day(60), world.day(62)];
    const events = [airbnb('HMAAAAAAA1', a, b), block('b', c, d)];
    const stays = airbnb('HMBBBBBBB2', ...last);
    const all = nights(...gone, last);
    const sold = [...gone, last];
    for (let round = 0; round < 7; round += 1) {
      await trap.poll(feed, { events: [...events, stays] });
      for (const minutes of [10, 10]) await trap.poll(feed, { minutes, events: [stays], sold });
      assert.deepEqual(await world.closed(), all, 'for 10 minutes: too short');
      await trap.poll(feed, { events: [...events, stays] });
    }
    for (let read = 0; read < 3; read += 1) await trap.poll(feed, { events: [stays], sold: [last] });
    assert.deepEqual(await world.closed(), all, 'for 20 minutes: too short');
    await trap.poll(feed, { events: [stays] });
    assert.deepEqual(await world.closed(), nights(last));
    assert.match((await world.booked()).join(), /cancelled/);
    await trap.poll(feed, { minutes: 60, events: [...events, stays] });
    assert.deepEqual(await world.closed(), all, 'it is back, as a reservation of its own');
  });

  const good = () => [airbnb('HMAAAAAAA1', world.day(5), world.day(9)), block('b', world.day(30), world.day(33))];
  async function nothingFreed(trap: TrapLog, bad: readonly (readonly [string, Parameters<Marketplace['says']>[0]])[]) {
    const events = good();
    await trap.poll(feed, { events });
    const all = await world.closed();
    for (let poll = 0; poll < POLLS; poll += 1) {
      const [called, answer] = bad[poll % bad.length] ?? ['', ''];
      const { failures } = await world.row(feed);
      await trap.poll(feed, { minutes: 60, answer, called, sold: soldOf(events), comes: 'failed' });
      assert.deepEqual(
        await world.closed(),
        all.filter((night) => night >= world.today),
      );
      const now = await world.row(feed);
      assert.ok(now.problem !== null && now.problem !== '', 'says why');
      assert.equal(now.failures, failures + 1);
    }
    await trap.poll(feed, { events });
    const { problem, failures } = await world.row(feed);
    assert.deepEqual([problem, failures], [null, 0]);
  }
  const soldOf = (events: readonly Written[]): Span[] => events.map(({ start, end }) => [start, end]);

  it('frees nothing by answers that are cut off', async () => {
    const text = ics(good());
    await nothingFreed(
      begin('Answers that are cut off', 'The connection ends in the middle of the calendar, for more than a day.'),
      [
        ['half of the calendar', { body: text.slice(0, text.length / 2) }],
        ['a calendar without its last line', { body: text.replace('END:VCALENDAR', '') }],
        [
          'an event without its end',
          { body: ics([]).replace('END:VCALENDAR\r\n', 'BEGIN:VEVENT\r\nEND:VCALENDAR\r\n') },
        ],
        ['nothing but its first line', { body: 'BEGIN:VCALENDAR\r\n' }],
      ],
    );
  });

  it('frees nothing by answers that are no calendar, or refuse', async () => {
    const html = { 'content-type': 'text/html' };
    await nothingFreed(
      begin(
        'Answers that are no calendar',
        'In the place of the calendar comes a page to sign in, a page that says that there is none, an error, or nothing, for more than a day.',
      ),
      [
        ['a page to sign in', { body: '<html><body>Sign in</body></html>', headers: html }],
        ['a page to sign in, called a calendar', { body: '<html><body>Sign in</body></html>' }],
        ['nothing', { body: '' }],
        ['404 with an empty calendar', { status: 404, body: ics([]) }],
        ['500', { status: 500 }],
        ['429', { status: 429, body: 'Slow down', headers: { 'retry-after': '60' } }],
      ],
    );
  });

  it('frees the nights of a valid but empty calendar only after three good reads over two hours', async () => {
    const trap = begin(
      'A calendar that is valid and empty',
      'A calendar that had events is empty for 100 minutes, several times; then for more than two hours.',
    );
    const span: Span = [world.day(30), world.day(33)];
    await trap.poll(feed, { events: [block('b', ...span)] });
    for (let poll = 0; poll < POLLS; poll += 1) {
      await trap.poll(feed, { events: poll % 11 === 10 ? [block('b', ...span)] : [], sold: [span] });
      assert.deepEqual(await world.closed(), nights(span), `read ${poll}`);
    }
    for (const minutes of [10, 50, 70]) await trap.poll(feed, { minutes });
    assert.deepEqual(await world.closed(), []);
  });

  it('finds a guest by name again after "nothing new", when the UID is another and the start is clipped', async () => {
    const trap = begin(
      'Nothing new, then another UID and a later start',
      'Every second answer says that nothing is new (304); between them the guest of a stay is shown under another UID, from today on.',
    );
    const vrbo = await world.add({ name: 'Vrbo', url: `${market.url}&2`, source: 'vrbo' });
    const [start, end] = [world.day(1), world.day(30)];
    const named = (uid: string, from: string) => nameless(uid, from, end, 'Reserved - Ann Other');
    await trap.poll(vrbo, { events: [named('n-0', start)] });
    for (let poll = 0; poll < POLLS; poll += 1) {
      const events = [named('n', clipped(start))];
      await trap.poll(vrbo, { minutes: 600, events, answer: { status: 304 }, called: NOTHING_NEW });
      await trap.poll(vrbo, { minutes: 600, events: [named(`n-${poll}`, clipped(start))] });
      const held = (await world.booked()).filter((one) => !one.includes('cancelled'));
      assert.deepEqual(held, accepted([start, end]), `read ${poll}`);
    }
    const rows = await world.core.core.store.db.selectFrom('feed_entries').select('guest').execute();
    assert.ok(!JSON.stringify(rows).includes('Ann'), 'and remembers nobody');
  });

  it('takes "nothing new" for the same calendar again', async () => {
    const trap = begin('Nothing new, again and again', 'Thirty answers in a row say that nothing is new (304).');
    const events = [block('b', world.day(30), world.day(33))];
    await trap.poll(feed, { events, answer: { body: ics(events), headers: { etag: '"1"' } } });
    for (let poll = 0; poll < POLLS; poll += 1) {
      await trap.poll(feed, { minutes: 60, events, answer: { status: 304 }, called: NOTHING_NEW });
      assert.deepEqual(await world.closed(), nights(...soldOf(events)));
    }
    assert.equal(market.asked.at(-1)?.headers['if-none-match'], '"1"');
  });

  it('lets the echo of two stays of ours die with them, however it is cut', async () => {
    const trap = begin(
      'The echo of two stays',
      'Two stays that were booked here follow each other. The marketplace reads our calendar and shows their nights as its own closed ones, as two events or as one. Then one stay is cancelled here, and later the other one; the marketplace hears of each some polls later.',
    );
    const [a, b, c] = [world.day(10), world.day(13), world.day(16)];
    const first = await world.book(10, 13);
    const second = await world.book(13, 16);
    await world.fetched(feed);
    const shown = (...spans: Span[]) => spans.map(([start, end], index) => closed(`copy-${index}`, start, end));
    const cuts: readonly (readonly Span[])[] = [
      [[a, c]],
      [
        [a, b],
        [b, c],
      ],
      [
        [a, world.day(11)],
        [world.day(11), c],
      ],
    ];
    for (let poll = 0; poll < 12; poll += 1) {
      const cut = cuts[poll % cuts.length] ?? [];
      await trap.poll(feed, { events: shown(...cut), sold: [[a, c]] });
    }
    await cancel(first);
    assert.deepEqual(await world.closed(), nights([b, c]), 'free at once');
    for (let poll = 0; poll < 6; poll += 1) await trap.poll(feed, { events: shown([a, c]), sold: [[b, c]] });
    assert.deepEqual(await world.closed(), nights([b, c]), 'and stays so while the marketplace repeats it');
    await trap.poll(feed, { events: shown([b, c]) });
    await world.fetched(feed);
    for (let poll = 0; poll < 5; poll += 1) await trap.poll(feed, { events: shown([b, c]) });
    await cancel(second);
    for (let poll = 0; poll < 6; poll += 1) await trap.poll(feed, { events: shown([b, c]), sold: [] });
    assert.deepEqual(await world.closed(), []);
    for (let poll = 0; poll < 3; poll += 1) await trap.poll(feed, {});
    assert.deepEqual(await world.booked(), []);
  });
  const cancel = ({ reservation_code }: { reservation_code: string }) =>
    world.core.call('cancelReservation', { stay_code: reservation_code, reservation_code });

  it('reads the same nights from days, from hours in a zone and in another language', async () => {
    const trap = begin(
      'Days, hours and other languages',
      'The same stay is written in days, in hours of Berlin, in UTC, and in five languages. Its day of departure is no night.',
    );
    const [start, end] = [world.day(5), world.day(9)];
    const words = ['Reserved', 'Réservée', 'Reservado', 'Gebucht', 'Prenotato'];
    for (let poll = 0; poll < POLLS; poll += 1) {
      const events = [nameless('same', start, end, words[poll % words.length])];
      const body = ics(events)
        .replace(
          /DTSTART;VALUE=DATE:(\d+)/,
          ['DTSTART;VALUE=DATE:$1', 'DTSTART;TZID=Europe/Berlin:$1T150000', 'DTSTART:$1T140000Z'][poll % 3] ?? '',
        )
        .replace(
          /DTEND;VALUE=DATE:(\d+)/,
          ['DTEND;VALUE=DATE:$1', 'DTEND;TZID=Europe/Berlin:$1T100000', 'DTEND:$1T090000Z'][poll % 3] ?? '',
        );
      await trap.poll(feed, { events, answer: { body } });
      assert.deepEqual(await world.booked(), accepted([start, end]));
      assert.deepEqual(await world.closed(), nights([start, end]));
    }
  });

  it('keeps what is known of an event whose dates cannot be read, and books nothing twice', async () => {
    const trap = begin(
      'Dates that cannot be read, and events written twice',
      'Every third answer has the event with an end before its start, and every third one has it twice.',
    );
    const [start, end] = [world.day(5), world.day(9)];
    const event = airbnb('HMAAAAAAA1', start, end);
    for (let poll = 0; poll < POLLS; poll += 1) {
      const broken = { body: ics([{ ...event, end: world.day(2) }]) };
      const [answer, called] = [
        [undefined, undefined],
        [broken, 'its end before its start'],
        [{ body: ics([event, event]) }, undefined],
      ][poll % 3] as [typeof broken | undefined, string | undefined];
      await trap.poll(feed, { minutes: 40, events: [event], ...(answer && { answer }), ...(called && { called }) });
      assert.deepEqual(await world.booked(), accepted([start, end]));
      assert.deepEqual(await world.closed(), nights([start, end]));
    }
  });
});

test('docs/feed-traps.md is up to date: each trap of at least 30 polls, nothing freed falsely and nothing lost', () => {
  for (const { title, counts } of traps) {
    assert.ok(counts.polls >= POLLS, `${title}: ${counts.polls} polls`);
    assert.deepEqual([counts.freedFalsely, counts.lost], [0, 0], title);
  }
  const file = new URL('../../../docs/feed-traps.md', import.meta.url);
  const text = renderTraps(traps);
  if (process.env['UPDATE_DOCS']) writeFileSync(file, text);
  assert.equal(readFileSync(file, 'utf8'), text, 'run this test with UPDATE_DOCS=1 and commit the file');
});

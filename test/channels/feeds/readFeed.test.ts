import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FeedContent, MOST_EVENTS, readFeed } from '../../../src/channels/feeds/readFeed.ts';
import type { FeedSource } from '../../../src/channels/feeds/sources.ts';

const UNTIL = '2029-11-26';
const wrap = (body: string) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n${body}END:VCALENDAR\r\n`;
const event = (...lines: string[]) => `BEGIN:VEVENT\r\n${lines.join('\r\n')}\r\nEND:VEVENT\r\n`;
const read = (text: string, source: FeedSource = 'generic', zone = 'Europe/Paris') =>
  readFeed(text, { source, zone, until: UNTIL });
const spansOf = (content: FeedContent) =>
  'events' in content ? content.events.map(({ start, end }) => `${start}..${end}`) : content.problem;
const problemOf = (content: FeedContent) =>
  'problem' in content ? content.problem : content.unreadable.map(({ problem }) => problem).join('; ');

describe('the dates of an event', () => {
  const rows: readonly (readonly [what: string, lines: readonly string[], spans: readonly string[]])[] = [
    [
      'days, the last one excluded',
      ['DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20260108'],
      ['2026-01-05..2026-01-08'],
    ],
    ['a day without an end', ['DTSTART;VALUE=DATE:20260105'], ['2026-01-05..2026-01-06']],
    ['a duration', ['DTSTART;VALUE=DATE:20260105', 'DURATION:P2D'], ['2026-01-05..2026-01-07']],
    [
      'hours of check-in and check-out',
      ['DTSTART:20260105T160000', 'DTEND:20260108T110000'],
      ['2026-01-05..2026-01-08'],
    ],
    [
      'a zone that is known',
      ['DTSTART;TZID=America/New_York:20260105T230000', 'DTEND;TZID=America/New_York:20260108T100000'],
      ['2026-01-06..2026-01-08'],
    ],
    [
      'a zone that nobody knows',
      ['DTSTART;TZID=Nowhere:20260105T230000', 'DTEND;TZID=Nowhere:20260108T100000'],
      ['2026-01-05..2026-01-08'],
    ],
    ['UTC', ['DTSTART:20260105T233000Z', 'DTEND:20260108T100000Z'], ['2026-01-06..2026-01-08']],
    ['something within a day', ['DTSTART:20260105T100000', 'DTEND:20260105T120000'], []],
    ['nothing at all', ['DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20260105'], []],
    ['beyond every calendar', ['DTSTART;VALUE=DATE:20500105', 'DTEND;VALUE=DATE:20500108'], []],
    ['called off', ['DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20260108', 'STATUS:CANCELLED'], []],
    ['free time', ['DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20260108', 'TRANSP:TRANSPARENT'], []],
    [
      'each Saturday',
      ['DTSTART;VALUE=DATE:20260103', 'RRULE:FREQ=WEEKLY;BYDAY=SA;COUNT=3', 'EXDATE;VALUE=DATE:20260110'],
      ['2026-01-03..2026-01-04', '2026-01-17..2026-01-18'],
    ],
  ];
  for (const [what, lines, spans] of rows) {
    it(what, () => assert.deepEqual(spansOf(read(wrap(event('UID:1', ...lines)))), spans));
  }

  it('that make no sense are told, and the others are read', () => {
    const good = event('UID:1', 'DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20260108');
    const bad = [
      ['DTSTART;VALUE=DATE:20260605', 'DTEND;VALUE=DATE:20260508'],
      ['DTSTART;VALUE=DATE:20261301'],
      ['DTEND;VALUE=DATE:20260101'],
      ['DTSTART:soon'],
      ['DTSTART;VALUE=DATE:99991231', 'DURATION:P9D'],
    ];
    for (const lines of bad) {
      const content = read(wrap(good + event('UID:2', ...lines)));
      assert.deepEqual(spansOf(content), ['2026-01-05..2026-01-08']);
      assert.ok('unreadable' in content && content.unreadable[0]?.uid === '2', lines.join());
    }
  });
});

describe('what an event is, by the words of its source', () => {
  const dates = ['DTSTART;VALUE=DATE:20260105', 'DTEND;VALUE=DATE:20260108'];
  const rows: readonly (readonly [FeedSource, readonly string[], string, string?])[] = [
    [
      'airbnb',
      [
        'SUMMARY:Reserved',
        'DESCRIPTION:Reservation URL: https://www.airbnb.com/hosting/reservations/de\r\n tails/HMABCDEFG1\\nPhone Number (Last 4 Digits): 5083',
      ],
      'reservation',
      'HMABCDEFG1/5083',
    ],
    [
      'airbnb',
      [
        'SUMMARY:Réservé',
        'DESCRIPTION:URL : https://www.airbnb.fr/hosting/reservations/details/HMABCDEFG1\\nNuméro (4 derniers chiffres) : 5083',
      ],
      'reservation',
      'HMABCDEFG1/5083',
    ],
    ['airbnb', ['SUMMARY:Airbnb (Not available)'], 'block'],
    ['booking_com', ['SUMMARY:CLOSED - Not available'], 'unknown'],
    ['vrbo', ['SUMMARY:Réservée - M & Mme'], 'reservation', 'M & Mme'],
    ['vrbo', ['SUMMARY:Blocked'], 'block'],
    ['vrbo', ['SUMMARY:Indisponible'], 'block'],
    ['vrbo', ['SUMMARY:Provisoire - X'], 'unknown'],
    ['generic', ['SUMMARY:Booked'], 'reservation'],
    ['generic', ['SUMMARY:Gesperrt'], 'block'],
    ['generic', ['SUMMARY:Family'], 'unknown'],
    ['generic', [], 'unknown'],
  ];
  for (const [source, lines, kind, more] of rows) {
    it(`${source}: ${lines.join(' ').slice(0, 50)} is ${kind}`, () => {
      const content = read(wrap(event('UID:1', ...dates, ...lines)), source);
      const [found] = 'events' in content ? content.events : [];
      assert.equal(found?.kind, kind);
      const told = [found?.reference, found?.phoneLast4, found?.guest].filter((one) => one !== null).join('/');
      assert.equal(told, more ?? '');
    });
  }

  it('a UID of dates is a block of Vrbo', () => {
    const content = read(wrap(event('UID:02292020-0229-2020-0305-202003052020', ...dates, 'SUMMARY:x')), 'vrbo');
    assert.equal('events' in content && content.events[0]?.kind, 'block');
  });
});

describe('a text that is no calendar, or one that does harm', () => {
  it('is a problem as a whole, so that nothing is opened by it', () => {
    const one = event('UID:1', 'DTSTART;VALUE=DATE:20260105');
    for (const text of [
      '',
      '<html></html>',
      wrap(one).slice(0, -20),
      wrap(one).replace('END:VEVENT', ''),
      `${wrap(one)}<html>error</html>`,
      wrap(one).replace('UID:1', 'no colon here'),
      'BEGIN:VCALENDAR\r\n',
    ]) {
      assert.match(problemOf(read(text)), /not a calendar|cut off/, text.slice(0, 40));
    }
    assert.deepEqual(spansOf(read(`\uFEFF${wrap('')}`)), []);
  });

  it('repeats without end, or in ways that a reader would search for ever, are refused in words', () => {
    const rules = [
      'FREQ=SECONDLY',
      'FREQ=DAILY;INTERVAL=999999999',
      'FREQ=YEARLY;BYYEARDAY=366;BYMONTH=3',
      'FREQ=YEARLY;BYWEEKNO=53;BYMONTH=3',
      'FREQ=DAILY;BYSETPOS=3',
      'FREQ=MONTHLY;BYHOUR=1;BYMINUTE=1',
      'rubbish',
    ];
    for (const rule of rules) {
      const content = read(wrap(event('UID:1', 'DTSTART;VALUE=DATE:20260105', `RRULE:${rule}`)));
      assert.match(problemOf(content), /repeats|not a calendar/, rule);
    }
    const long = read(wrap(event('UID:1', 'DTSTART;VALUE=DATE:19000105', 'RRULE:FREQ=DAILY')));
    assert.match(problemOf(long), /more than 2000 times/);
    const dates = Array.from({ length: 5_000 }, () => 'RDATE;VALUE=DATE:20260105').join('\r\n');
    assert.match(problemOf(read(wrap(event('UID:1', 'DTSTART;VALUE=DATE:20260105', dates)))), /more than 2000 times/);
  });

  it('with more events than a unit can have is refused', () => {
    const many = event('UID:1', 'DTSTART;VALUE=DATE:20260105').repeat(MOST_EVENTS + 1);
    assert.match(problemOf(read(wrap(many))), /more than the 2000 events/);
  });

  it('signs that no reader sees, and texts that are too long, are taken out of names', () => {
    const content = read(
      wrap(
        event(
          `UID:${'u'.repeat(3_000)}`,
          'DTSTART;VALUE=DATE:20260105',
          `SUMMARY:Reserved - E\u202Eve${'x'.repeat(900)}`,
        ),
      ),
      'vrbo',
    );
    const [found] = 'events' in content ? content.events : [];
    assert.ok((found?.guest ?? '').length < 200 && (found?.uid ?? '').length <= 200);
    assert.doesNotMatch(found?.guest ?? '', /\u202E/);
  });
});

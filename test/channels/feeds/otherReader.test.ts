import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { after, before, describe, it, test } from 'node:test';
import { promisify } from 'node:util';
import { FeedWorld } from './support/feedWorld.ts';

const PYTHON = '/usr/bin/python3';
/** Prints what a parser of others finds in the calendar of its standard input. */
const READS = `
import json, sys
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps({
  "version": str(calendar["VERSION"]),
  "events": [{
    "uid": str(event["UID"]),
    "start": event.decoded("DTSTART").isoformat(),
    "end": event.decoded("DTEND").isoformat(),
    "sequence": int(event["SEQUENCE"]),
    "summary": str(event["SUMMARY"]),
    "description": str(event.get("DESCRIPTION", "")),
    "errors": [list(error) for error in event.errors],
  } for event in calendar.walk("VEVENT")],
}))
`;

interface Found {
  version: string;
  events: {
    uid: string;
    start: string;
    end: string;
    sequence: number;
    summary: string;
    description: string;
    errors: string[][];
  }[];
}

async function readByOthers(text: string): Promise<Found> {
  const running = promisify(execFile)(PYTHON, ['-c', READS]);
  running.child.stdin?.end(text);
  return JSON.parse((await running).stdout) as Found;
}

const name = 'our calendar, read by a parser of others';
if (spawnSync(PYTHON, ['-c', 'import icalendar']).status === 0) describe(name, tests);
else
  test(`${name}: may be left out on this machine`, () => {
    console.log('no icalendar for Python (Debian: python3-icalendar)');
    assert.equal(process.env['CI'], undefined, 'CI needs python3-icalendar');
  });

function tests(): void {
  let world: FeedWorld;
  before(async () => {
    world = await FeedWorld.start([]);
  });
  after(() => world.close());
  const HOSTILE = 'Eve\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nUID:evil;,\\ "x" ' + 'ü'.repeat(30);

  it('has the nights of stays for a channel, without a word about guests', async () => {
    await world.book(3, 6, { guest_name: HOSTILE, mobile: '+353 1 555 0199' });
    await world.book(10, 12, { guest_name: 'Ann' });
    const { version, events } = await readByOthers(await world.fetched(await world.add({ name: 'Airbnb' })));
    assert.equal(version, '2.0');
    assert.deepEqual(
      events.map(({ start, end, summary, description, errors }) => [start, end, summary, description, errors]),
      [
        [world.day(3), world.day(6), 'Reserved', '', []],
        [world.day(10), world.day(12), 'Reserved', '', []],
      ],
    );
    assert.equal(new Set(events.map(({ uid }) => uid)).size, 2);
  });

  it('has for a person what they chose, and one event for each stay whatever a name holds', async () => {
    const shows = ['name', 'phone', 'guests', 'times'] as const;
    const feed = await world.add({ name: 'Phone', audience: 'private', shows: [...shows] });
    const [hostile, plain, ...more] = (await readByOthers(await world.fetched(feed))).events;
    assert.deepEqual(more, []);
    assert.equal(hostile?.summary, HOSTILE.replaceAll('\r\n', '\n'), 'a name stays one text');
    assert.equal(plain?.summary, 'Ann');
    assert.equal(plain?.start, `${world.day(10)}T14:00:00+00:00`, '15:00 in Berlin in winter');
    assert.match(hostile?.description ?? '', /Phone \(last 4 digits\): 0199/);
  });
}

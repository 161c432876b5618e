import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instantOf, msOf } from '../../../src/kernel/dates.ts';
import { type Cron, nextRun, readCron } from '../../../src/sync/scans/reconcile/cron.ts';
import { tierNamed } from '../../../src/sync/scans/reconcile/freshness.ts';
import { tiers } from '../../../src/sync/scans/reconcile/tiers.ts';
import { CONNECTION, openWorld } from '../../support/mirror.ts';

const MINUTE = 60_000;

function cronOf(pattern: string): Cron {
  const cron = readCron(pattern);
  assert.ok(!('problem' in cron), JSON.stringify(cron));
  return cron;
}

const next = (pattern: string, zone: string, after: string) => {
  const at = nextRun(cronOf(pattern), zone, msOf(after));
  return at === undefined ? undefined : instantOf(at);
};

const rows: readonly [pattern: string, zone: string, after: string, next: string | undefined][] = [
  ['30 5 * * *', 'UTC', '2026-11-20T05:29:59.999Z', '2026-11-20T05:30:00.000Z'],
  ['30 5 * * *', 'UTC', '2026-11-20T05:30:00.000Z', '2026-11-21T05:30:00.000Z'],
  ['30 5 * * *', 'Europe/Berlin', '2026-11-20T05:00:00.000Z', '2026-11-21T04:30:00.000Z'],
  ['0 0 29 2 *', 'UTC', '2026-11-20T00:00:00.000Z', '2028-02-29T00:00:00.000Z'],
  // Friday the 20th: the next weekday is Monday.
  ['0 9 * * 1-5', 'UTC', '2026-11-20T09:00:00.000Z', '2026-11-23T09:00:00.000Z'],
  ['0 9 * * 7', 'UTC', '2026-11-20T09:00:00.000Z', '2026-11-22T09:00:00.000Z'],
  // Narrowed both ways, either will do.
  ['0 9 1 * 0', 'UTC', '2026-11-23T00:00:00.000Z', '2026-11-29T09:00:00.000Z'],
  ['0 9 1 * 0', 'UTC', '2026-11-30T00:00:00.000Z', '2026-12-01T09:00:00.000Z'],
  ['*/20 8-9 * * *', 'UTC', '2026-11-20T08:41:00.000Z', '2026-11-20T09:00:00.000Z'],
  // Clocks go forward: half past two is skipped, and is half past three.
  ['30 2 * * *', 'Europe/Berlin', '2027-03-28T00:00:00.000Z', '2027-03-28T01:30:00.000Z'],
  // Clocks go back: half past two comes twice, and counts once.
  ['30 2 * * *', 'Europe/Berlin', '2027-10-31T00:00:00.000Z', '2027-10-31T00:30:00.000Z'],
  ['30 2 * * *', 'Europe/Berlin', '2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z'],
];

test('the next time of a pattern, by the clocks of its zone', () => {
  for (const [pattern, zone, after, expected] of rows) assert.equal(next(pattern, zone, after), expected, pattern);
});

test('between a moment and the next time there is no other', () => {
  const numbers = (least: number, most: number) =>
    fc.uniqueArray(fc.integer({ min: least, max: most }), { minLength: 1, maxLength: 3 }).map((list) => list.join(','));
  const start = Date.parse('2027-01-01T00:00:00Z');
  fc.assert(
    fc.property(
      numbers(0, 59),
      numbers(0, 23),
      fc.integer({ min: 0, max: 400 * 24 * 60 }),
      (minutes, hours, offset) => {
        const after = start + offset * MINUTE;
        const at = nextRun(cronOf(`${minutes} ${hours} * * *`), 'UTC', after) ?? 0;
        const named = (ms: number) => {
          const [hour, minute] = [Number(instantOf(ms).slice(11, 13)), Number(instantOf(ms).slice(14, 16))];
          return hours.split(',').includes(String(hour)) && minutes.split(',').includes(String(minute));
        };
        assert.ok(named(at) && at > after);
        for (let between = after + MINUTE; between < at; between += MINUTE) assert.ok(!named(between));
      },
    ),
  );
});

test('what is no pattern is told from one, with what is wrong', () => {
  const wrong: readonly [string, RegExp][] = [
    ['5 * * *', /has 4 of the 5 fields/],
    ['* * * * * *', /has 6 of the 5 fields/],
    ['0 25 * * *', /^hour: .*25/],
    ['0 0 L * *', /L: only numbers/],
    ['0 0 * * 1#2', /1#2: only numbers/],
    ['0 0 31 2 *', /^day: .*impossible/],
    ['hourly', /has 1 of the 5 fields/],
  ];
  for (const [pattern, expected] of wrong) {
    const read = readCron(pattern);
    assert.match('problem' in read ? read.problem : '', expected, pattern);
  }
});

test('a reconciliation is made when its time has come, also of what is fresh, and status says when next', async (t) => {
  const schedule = { resource: 'reservation', pattern: '5 12 * * *', cron: cronOf('5 12 * * *'), zone: 'UTC' };
  const w = await openWorld({ settings: { tiers, schedules: [schedule] } });
  t.after(() => w.close());
  const reconciliations = () =>
    w.store.db
      .selectFrom('scans')
      .select('started_at')
      .where('purpose', '=', 'reconcile_slow')
      .where('part', 'is', null)
      .where('resource', '=', 'reservation')
      .execute();
  const planned = { resource: 'reservation', cron: '5 12 * * *', zone: 'UTC' };
  assert.deepEqual((await w.daemon.status(CONNECTION)).schedules, [
    { ...planned, next_run: '2026-11-20T12:05:00.000Z' },
  ]);
  await w.clock.advance(4 * MINUTE);
  await w.clock.run(40);
  assert.deepEqual(await reconciliations(), []);
  await w.clock.advance(90_000);
  await w.clock.until(async () => (await reconciliations()).length > 0, 'the reconciliation');
  const [one] = await reconciliations();
  assert.ok(one && one.started_at >= '2026-11-20T12:05:00.000Z' && one.started_at < '2026-11-20T12:06:00.000Z');
  assert.equal((await w.daemon.status(CONNECTION)).schedules[0]?.next_run, '2026-11-21T12:05:00.000Z');
  await w.clock.advance(5 * MINUTE);
  await w.clock.run(40);
  assert.equal((await reconciliations()).length, 1, 'once a day');
});

test('a schedule names a tier, or a kind of rows that a tier reads with others', () => {
  const rows: readonly [string, string | undefined][] = [
    ['message', 'message'],
    ['conversation', 'message'],
    ['message.newest', 'message.newest'],
    ['conversation.newest', undefined],
    ['reservation', 'reservation'],
    ['bookings', undefined],
  ];
  for (const [written, tier] of rows) assert.equal(tierNamed(tiers, written), tier, written);
});

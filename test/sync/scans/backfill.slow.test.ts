import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { accountWindows, rateClasses } from '../../../src/contract/limits.ts';
import { addDays } from '../../../src/kernel/dates.ts';
import { fullWindow, type LimitWindow, type Tally, tallied } from '../../../src/kernel/limits/windows.ts';
import type { BackfillReport } from '../../../src/sync/scans/backfill/report.ts';
import { describedLimitsGate } from '../../../src/sync/budget/gate.ts';
import { CONNECTION, openWorld, type World, type WorldOptions } from '../../support/mirror.ts';
import { makeStay, makeTransaction } from '../../support/rows.ts';
import { reservationEvent } from '../../support/events.ts';
import { Truth } from '../../support/truth.ts';
import { makeMessage, makeConversation } from '../../support/wireConversations.ts';

const TODAY = '2026-11-20';

async function world(t: TestContext, fill: (truth: Truth) => void, options: WorldOptions = {}): Promise<World> {
  const truth = new Truth();
  fill(truth);
  const opened = await openWorld({ truth, ...options });
  t.after(() => opened.close());
  return opened;
}

function manyStays(truth: Truth, count: number): void {
  for (let id = 1; id <= count; id += 1) {
    const check_out_date = addDays(TODAY, (id % 800) - 600);
    truth.put(makeStay(id, { check_out_date, check_in_date: addDays(check_out_date, -3) }));
  }
}

const staysOf = async ({ store }: World) =>
  (
    await store.db
      .selectFrom('stays')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
  ).rows;

test('what is useful comes first: stays that go on or come soon, before all that were', async (t) => {
  const w = await world(t, (truth) => manyStays(truth, 1_600));
  const bounds = w.truth.asked
    .filter((asked) => asked.path === '/reservations')
    .map((asked) => [asked.query.get('start_check_out_date'), asked.query.get('end_check_out_date')]);
  assert.deepEqual(bounds[0], [addDays(TODAY, -14), addDays(TODAY, 60)]);
  const parts = await w.store.db
    .selectFrom('scans')
    .select(['part', 'state', 'rows'])
    .where('resource', '=', 'reservation')
    .orderBy('scan_id')
    .execute();
  assert.deepEqual(
    parts.map((row) => [row.part, row.state]),
    [
      ['now', 'done'],
      ['later', 'done'],
      ['past', 'done'],
    ],
  );
  assert.equal(await staysOf(w), 1_600);
});

test('a first read that is cut off goes on at the page it had come to', async (t) => {
  const w = await world(
    t,
    (truth) => {
      manyStays(truth, 1_500);
      for (let id = 1; id <= 700; id += 1) truth.transactions.set(id, makeTransaction(id));
    },
    { impatient: true },
  );
  await w.clock.until(() => w.truth.count('/reservations') >= 8, 'half of the pages');
  await w.crash();
  const before = w.truth.count('/reservations');
  const isRead = async () =>
    (await w.store.db.selectFrom('scans').select('state').where('resource', '=', 'everything').execute())[0]?.state ===
    'done';
  await w.clock.until(isRead, 'the rest');
  assert.equal(await staysOf(w), 1_500);
  const pages = w.truth.count('/reservations');
  assert.ok(pages - before < 12, `${pages - before} pages after the crash`);
  assert.ok(pages <= 22, `${pages} pages in all`);
  const everything = await w.store.db.selectFrom('scans').selectAll().where('resource', '=', 'everything').execute();
  assert.deepEqual(
    everything.map((row) => row.state),
    ['done'],
  );
  // A booking that was read before the crash has changed while nobody listened, and no event told of it.
  w.truth.patch(1, { number_of_guests: 7 });
  let over = false;
  void w.daemon.caughtUp(CONNECTION).then(() => (over = true));
  await w.clock.until(() => over, 'a scan through all that may have changed');
  const guests = await w.store.db.selectFrom('stays').select('number_of_guests').where('id', '=', 1).execute();
  assert.deepEqual(guests, [{ number_of_guests: 7 }]);
});

test('rows that went while a first read was cut off do not make it miss others', async (t) => {
  const w = await world(t, (truth) => manyStays(truth, 1_200), { impatient: true });
  await w.clock.until(() => w.truth.count('/reservations') >= 7, 'half of the pages');
  // Many of those that were read vanish, so that the others move up over the page where it was cut off.
  const gone = [...w.truth.stays.values()].filter((stay) => stay.check_out_date > '2026-06-01').slice(0, 250);
  await w.daemon.stop();
  for (const stay of gone) w.truth.stays.delete(stay.id);
  await w.restart();
  let over = false;
  void w.daemon.caughtUp(CONNECTION).then(() => (over = true));
  await w.clock.until(() => over, 'the rest');
  const mirrored = await w.store.db.selectFrom('stays').select('id').execute();
  const known = new Set(mirrored.map((row) => row.id));
  for (const id of w.truth.stays.keys()) assert.ok(known.has(id), `stay ${id}`);
});

test('a list that ends before it has shown as many rows as it says leaves nothing counted as read', async (t) => {
  const w = await world(t, (truth) => manyStays(truth, 900), { impatient: true });
  w.truth.fault = ({ path, query }) =>
    path === '/reservations' && Number(query.get('offset') ?? 0) > 100
      ? { kind: 'data', data: { reservations: [], total: 500 } }
      : undefined;
  await w.clock.until(async () => {
    const rows = await w.store.db.selectFrom('scans').select('state').where('resource', '=', 'reservation').execute();
    return rows.some((row) => row.state === 'failed');
  }, 'the broken list to be noticed');
  assert.equal((await w.daemon.status(CONNECTION)).caught_up_age, null);
  w.truth.fault = () => undefined;
  let over = false;
  void w.daemon.caughtUp(CONNECTION).then(() => (over = true));
  await w.clock.until(() => over, 'the first read');
  assert.equal(await staysOf(w), 900);
});

/** Answers 429 as the service does, by the described limits. */
function limited(truth: Truth, now: () => number): { refusals: () => number } {
  const buckets = new Map<string, (Tally | undefined)[]>();
  let refusals = 0;
  truth.fault = ({ method, path }) => {
    const route = `${method} ${path.replace(/^\/conversations\/[^/]+/, '/conversations/{id}')}`;
    const limits: [string, readonly LimitWindow[]][] = [
      ['account', accountWindows],
      [route, rateClasses.default],
    ];
    const full = limits.map(([name, windows]) => fullWindow(windows, buckets.get(name) ?? [], now())).find(Boolean);
    if (full) {
      refusals += 1;
      return { kind: 'code', code: 429, retryAfter: full.retryAfter, scope: 'endpoint' };
    }
    for (const [name, windows] of limits) {
      const tallies = buckets.get(name) ?? [];
      buckets.set(
        name,
        windows.map((window, index) => tallied(window, tallies[index], now())),
      );
    }
    return undefined;
  };
  return { refusals: () => refusals };
}

test('with all limits on a reading of everything ends when it was predicted to, and no request is refused', async (t) => {
  const w = await world(t, () => {}, { gate: describedLimitsGate });
  manyStays(w.truth, 4_000);
  for (let id = 1; id <= 1_650; id += 1)
    w.truth.conversations.set(`T${id}`, makeConversation(`T${id}`, [makeMessage(`m${id}`)]));
  for (let id = 1; id <= 3_000; id += 1) w.truth.transactions.set(id, makeTransaction(id));
  const { refusals } = limited(w.truth, () => w.clock.now());
  await w.clock.advance(61_000);
  const begun = w.clock.now();
  let report: BackfillReport | undefined;
  const said: number[] = [];
  void w.daemon.backfill(CONNECTION, ({ finishAt }) => said.push(finishAt)).then((done) => (report = done));
  // Events go on coming.
  let sent = 0;
  await w.clock.until(async () => {
    if (sent < 20 && w.clock.now() > begun + sent * 8_000) {
      sent += 1;
      await w.send(reservationEvent(w.truth.patch(sent, { number_of_guests: 3 })));
    }
    return report !== undefined;
  }, 'everything to be read');
  assert.ok(report);
  const { plan, checks } = report;
  const predicted = plan.finishAt - plan.startAt;
  const ended = Math.max(...(await endsOf(w)));
  const deviation = Math.abs(ended - plan.finishAt) / predicted;
  assert.ok(deviation <= 0.02, `predicted ${predicted} ms, ended ${ended - plan.finishAt} ms off`);
  assert.equal(refusals(), 0);
  assert.ok(said.length > 50 && said.every((at) => Math.abs(at - plan.finishAt) < 0.5 * predicted));
  assert.ok(checks.length > 0 && checks.every((one) => one.upstream === one.mirrored));
  assert.ok(checks.some((one) => one.from === null && one.upstream === 4_000));
});

const endsOf = async ({ store }: World) =>
  (
    await store.db
      .selectFrom('scans')
      .select('finished_at')
      .where('purpose', '=', 'backfill')
      .where('resource', '!=', 'everything')
      .execute()
  ).map((row) => Date.parse(row.finished_at ?? ''));

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { lookAtExamination } from '../../../src/compose/doctor/running.ts';
import type { OperationId } from '../../../src/contract/index.ts';
import type { Answer } from '../../../src/client/client.ts';
import { describedLimitsGate, openGate } from '../../../src/sync/budget/gate.ts';
import type { Examination } from '../../../src/sync/connection/examine.ts';
import { impatient } from '../../../src/sync/budget/impatient.ts';
import { propertiesScan } from '../../../src/sync/scans/resources/properties.ts';
import type { ScanResult } from '../../../src/sync/scans/purpose.ts';
import { manualClock } from '../../support/clock.ts';
import { CONNECTION, openWorld, type World, type WorldOptions } from '../../support/mirror.ts';
import { makeStay } from '../../support/rows.ts';
import type { Fault } from '../../support/truth.ts';
import { Truth } from '../../support/truth.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_S = 86_400;
const DAY_MS = 24 * HOUR_MS;

async function world(t: TestContext, options: WorldOptions = {}): Promise<World> {
  const w = await openWorld(options);
  t.after(() => w.close());
  return w;
}

async function reconcile(w: World): Promise<Map<string, ScanResult>> {
  let results: ScanResult[] | undefined;
  void w.daemon.reconcile(CONNECTION).then((all) => (results = all));
  const begun = w.clock.now();
  await w.clock.until(() => results !== undefined, 'an end of the reconciliation');
  assert.ok(w.clock.now() - begun < 5 * MINUTE_MS, 'it does not stand still');
  return new Map(results?.map((one) => [one.resource, one]));
}

/** Of these requests, in order, those that pass now. */
async function passing(gate: ReturnType<typeof openGate>, operations: OperationId[]): Promise<OperationId[]> {
  const passed: OperationId[] = [];
  const leave = new AbortController();
  const asked = operations.map((one) =>
    gate.acquire(one, 'scan', leave.signal).then(
      () => passed.push(one),
      () => {},
    ),
  );
  await new Promise((resolve) => setImmediate(resolve));
  leave.abort();
  await Promise.all(asked);
  return passed;
}

test('whoever waits for a whole reading waits for the windows of the limits too, until midnight', async () => {
  const clock = manualClock(Date.parse('2026-11-20T00:00:00.000Z'));
  const midnight = clock.now() + DAY_MS;
  const gate = describedLimitsGate(clock);
  while (gate.opensAt('getConversation', 'verify') < midnight) {
    const opensAt = gate.opensAt('getConversation', 'verify');
    if (opensAt > clock.now()) await clock.advance(opensAt - clock.now());
    await gate.acquire('getConversation', 'verify');
  }
  assert.ok(clock.now() < midnight - 2 * HOUR_MS, 'what is left of the day is long');
  const answer = {} as Answer<'getConversation'>;
  const call = async () => gate.acquire('getConversation', 'verify').then(() => answer);
  const waiting = impatient({ call: call as never }, gate, clock);
  let ended: string | undefined;
  waiting.call('getConversation', { conversation_id: '1' }, { purpose: 'verify' }).then(
    () => (ended = 'answered'),
    (error: Error) => (ended = error.message),
  );
  await clock.advance(HOUR_MS);
  assert.equal(ended, undefined);
  await clock.advance(midnight + MINUTE_MS - clock.now());
  assert.equal(ended, 'answered');
});

test('a wait of a day is cut to an hour, then one request asks, and what it is answered counts', async () => {
  const clock = manualClock();
  const gate = openGate(clock);
  gate.hold(DAY_MS);
  await clock.advance(HOUR_MS - 1);
  assert.deepEqual(await passing(gate, ['listTasks']), []);
  await clock.advance(1);
  assert.deepEqual(await passing(gate, ['listTasks', 'listStaffs']), ['listTasks'], 'one asks');
  gate.hold(DAY_MS);
  await clock.advance(30 * MINUTE_MS);
  assert.deepEqual(await passing(gate, ['listTasks']), [], 'it was told to wait on');
  await clock.advance(30 * MINUTE_MS);
  assert.deepEqual(await passing(gate, ['listTasks', 'listStaffs']), ['listTasks']);
  await clock.advance(66_000);
  assert.deepEqual(await passing(gate, ['listTasks', 'listStaffs']), ['listTasks', 'listStaffs'], 'it was answered');
  assert.deepEqual(gate.holds(), []);
});

test('a wait that does not say whom it concerns holds everything', async () => {
  const clock = manualClock();
  const gate = openGate(clock);
  gate.hold(MINUTE_MS, 'listTasks');
  assert.deepEqual(await passing(gate, ['listTasks', 'listStaffs']), ['listStaffs']);
  gate.hold(MINUTE_MS);
  assert.deepEqual(await passing(gate, ['listStaffs', 'listReviews']), []);
});

function limited(path: string | undefined, scope: string): (asked: { path: string }) => Fault | undefined {
  return (asked) =>
    path === undefined || asked.path === path ? { kind: 'code', code: 429, retryAfter: DAY_S, scope } : undefined;
}

test('reconcile ends with what it could not do where all is to be left alone for a day, and status says it', async (t) => {
  const w = await world(t);
  w.truth.fault = limited(undefined, 'user');
  const results = await reconcile(w);
  const done = [...results.values()].filter(({ state }) => state !== 'failed');
  assert.deepEqual(
    done.map(({ resource }) => resource),
    ['special_offer', 'calendar'],
    'there is no conversation to ask about, and no listing',
  );
  assert.match(results.get('reservation')?.problem ?? '', /asked to be left alone until 2026-11-21T12:/);
  const { troubles, holds } = await w.daemon.status(CONNECTION);
  assert.match(troubles[0]?.says ?? '', /^nothing is asked since .* until 2026-11-21T12:.*429/);
  assert.match(troubles[0]?.remedy ?? '', /asks again at 2026-11-20T13:/);
  assert.deepEqual(Object.keys(holds), ['all']);
  // Who looks for what is wrong does not wait for that hour.
  let examination: Examination | undefined;
  void w.daemon.examine(CONNECTION).then((found) => (examination = found));
  const begun = w.clock.now();
  await w.clock.until(() => examination !== undefined, 'an examination');
  assert.ok(w.clock.now() - begun < MINUTE_MS);
  assert.ok(examination);
  const [finding, ...more] = lookAtExamination(CONNECTION, examination);
  assert.deepEqual([finding?.state, more], ['note', []]);
  assert.match(finding?.says ?? '', /^not tried: nothing is asked since .* until 2026-11-21T12:.*429/);
});

test('a wait of one route costs that route alone', async (t) => {
  const w = await world(t);
  w.truth.put(makeStay(1));
  w.truth.fault = limited('/tasks', 'endpoint');
  const results = await reconcile(w);
  const failed = [...results.values()].filter(({ state }) => state === 'failed');
  assert.deepEqual(
    failed.map(({ resource }) => resource),
    ['task'],
  );
  assert.equal((await w.store.db.selectFrom('stays').select('id').execute()).length, 1);
  const { troubles } = await w.daemon.status(CONNECTION);
  assert.match(troubles[0]?.says ?? '', /^listTasks is asked since|^listTasks/);
});

test('a refused token ends a reconciliation after one request, with the reason for each part', async (t) => {
  const w = await world(t);
  w.truth.fault = () => ({ kind: 'code', code: 401 });
  const asked = w.truth.count();
  const results = await reconcile(w);
  assert.equal(w.truth.count() - asked, 1);
  assert.ok([...results.values()].every(({ problem }) => problem?.includes('401')));
  assert.equal((await w.daemon.status(CONNECTION)).state, 'paused');
});

test('a first reading that fails is told with the part and the reason', async (t) => {
  const truth = new Truth();
  truth.fault = ({ path }) => (path === '/properties' ? { kind: 'code', code: 422 } : undefined);
  const w = await world(t, { truth, impatient: true });
  await w.clock.until(async () => (await w.daemon.status(CONNECTION)).troubles.length > 0, 'a trouble');
  const { troubles } = await w.daemon.status(CONNECTION);
  assert.equal(troubles[0]?.about, 'reading');
  assert.match(troubles[0]?.says ?? '', /^the first reading fails at property: .*422/);
});

test('rows that are quarantined, and parts that are overdue, are told', async (t) => {
  const tiers = [{ scan: propertiesScan, maxAgeMs: HOUR_MS, reason: 'test' }];
  const w = await world(t, { settings: { tiers } });
  w.truth.fault = ({ path }) => (path === '/properties' ? { kind: 'code', code: 500 } : undefined);
  const at = '2026-11-20T12:00:00.000Z' as never;
  await w.store.db
    .insertInto('quarantine')
    .values({
      connection: CONNECTION,
      resource: 'review',
      key: '5-X',
      problem: 'id: missing',
      first_seen_at: at,
      last_seen_at: at,
      times: 2,
      raw: null,
    })
    .execute();
  for (let hour = 0; hour < 3; hour += 1) {
    await w.clock.advance(HOUR_MS);
    await w.clock.run(100);
  }
  const { troubles } = await w.daemon.status(CONNECTION);
  const says = Object.fromEntries(troubles.map((one) => [one.about, one]));
  assert.match(says['quarantine']?.says ?? '', /quarantined since .*: review 1$/);
  assert.match(says['quarantine']?.remedy ?? '', /events quarantined/);
  assert.match(says['freshness']?.says ?? '', /older than twice what they may be: property/);
});

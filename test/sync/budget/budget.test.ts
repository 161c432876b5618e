import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Purpose } from '../../../src/client/gate.ts';
import { accountWindows, rateClasses } from '../../../src/contract/limits.ts';
import type { OperationId } from '../../../src/contract/index.ts';
import { profileSchema } from '../../../src/contract/dialect/profile.ts';
import {
  describedLimits,
  describedLimitsGate,
  limitsOf,
  openGate,
  plannedLimits,
} from '../../../src/sync/budget/gate.ts';
import { manualClock, settle } from '../../support/clock.ts';

const MINUTE = 60_000;
/** How far the clocks of both sides may differ. */
const GUARD = 1_000;
/** The beginning of a window of every length. */
const MIDNIGHT = Date.parse('2026-11-20T00:00:00.000Z');

function passing(gate: ReturnType<typeof openGate>, now: () => number) {
  const passed: { at: number; operation: OperationId; purpose: Purpose }[] = [];
  const ask = (operation: OperationId, purpose: Purpose, times: number) => {
    for (let one = 0; one < times; one += 1)
      void gate.acquire(operation, purpose).then(() => passed.push({ at: now(), operation, purpose }));
  };
  return { passed, ask };
}

test('no window of the account or of an operation is ever exceeded', async () => {
  const clock = manualClock(MIDNIGHT + 10_000);
  const { passed, ask } = passing(describedLimitsGate(clock), () => clock.now());
  ask('listReservations', 'lookup', 2_500);
  ask('listTransactions', 'lookup', 2_500);
  ask('listAvailabilities', 'scan', 2_500);
  for (let minute = 0; minute < 30; minute += 1) await clock.advance(MINUTE);
  assert.ok(passed.length > 5_000);
  const most = (rows: typeof passed, seconds: number) => {
    const counts = new Map<number, number>();
    for (const { at } of rows) {
      const window = Math.floor(at / (seconds * 1_000));
      counts.set(window, (counts.get(window) ?? 0) + 1);
    }
    return Math.max(...counts.values());
  };
  for (const { seconds, max } of accountWindows) assert.ok(most(passed, seconds) <= max);
  for (const operation of ['listReservations', 'listTransactions', 'listAvailabilities'] as const) {
    const own = passed.filter((one) => one.operation === operation);
    for (const { seconds, max } of rateClasses.default) assert.ok(most(own, seconds) <= max);
  }
});

test('limits of a profile go before those described, each by itself', async () => {
  const profile = profileSchema.parse({
    limits: { each: [{ seconds: 60, max: 10 }], operations: { listTasks: [{ seconds: 60, max: 4 }], listStaffs: [] } },
  });
  const limits = limitsOf(profile);
  assert.deepEqual([limits.account, limits.failed], [describedLimits.account, describedLimits.failed]);
  const clock = manualClock(MIDNIGHT);
  const gate = describedLimitsGate(clock, limits);
  const { passed, ask } = passing(gate, () => clock.now());
  for (const operation of ['listTasks', 'listReviews', 'listStaffs'] as const) ask(operation, 'reply', 20);
  await settle();
  const count = (operation: OperationId) => passed.filter((one) => one.operation === operation).length;
  assert.deepEqual([count('listTasks'), count('listReviews'), count('listStaffs')], [4, 10, 20]);
  assert.deepEqual([plannedLimits(gate), plannedLimits(openGate(clock))], [limits, describedLimits]);
  assert.deepEqual(limitsOf(profileSchema.parse({})).windowsOf('listTasks'), describedLimits.windowsOf('listTasks'));
});

test('a scan leaves room in each window for what somebody waits for', async () => {
  const clock = manualClock(MIDNIGHT);
  const { passed, ask } = passing(describedLimitsGate(clock), () => clock.now());
  ask('listReservations', 'scan', 1_000);
  await settle();
  assert.equal(passed.length, 540);
  ask('listReservations', 'lookup', 49);
  await settle();
  assert.equal(passed.filter((one) => one.purpose === 'lookup').length, 48);
  ask('listReservations', 'reply', 13);
  await settle();
  assert.equal(passed.length, 600, 'and look-ups leave some to replies');
  await clock.advance(MINUTE + GUARD - 1);
  assert.equal(passed.length, 600);
  await clock.advance(1);
  assert.deepEqual(
    passed.slice(600, 603).map((one) => one.purpose),
    ['reply', 'lookup', 'scan'],
    'in the order of urgency',
  );
});

test('after a hold nothing passes before its end; one for an operation stops that one only', async () => {
  const clock = manualClock(MIDNIGHT);
  const gate = openGate(clock);
  const { passed, ask } = passing(gate, () => clock.now());
  gate.hold(5_000, 'listReservations');
  ask('listReservations', 'lookup', 1);
  ask('listTransactions', 'lookup', 1);
  await settle();
  assert.deepEqual(
    passed.map((one) => one.operation),
    ['listTransactions'],
  );
  gate.hold(9_000);
  gate.hold(1_000);
  ask('listTransactions', 'lookup', 1);
  await clock.advance(8_999);
  assert.equal(passed.length, 1);
  await clock.advance(1);
  assert.equal(passed.length, 3);
});

test('who no longer wants to ask is let go', async () => {
  const clock = manualClock(MIDNIGHT);
  const gate = openGate(clock);
  gate.hold(60_000);
  const abort = new AbortController();
  const asked = gate.acquire('getAccount', 'lookup', abort.signal);
  abort.abort();
  await assert.rejects(asked);
});

test('reconciliations take three tenths of a window, slow ones two, and leave the rest to others', async () => {
  const clock = manualClock(MIDNIGHT);
  const { passed, ask } = passing(describedLimitsGate(clock), () => clock.now());
  ask('listReservations', 'reconcile_slow', 500);
  await settle();
  assert.equal(passed.length, 120);
  ask('listReservations', 'reconcile', 500);
  await settle();
  assert.equal(passed.length, 180);
  ask('listReservations', 'backfill', 1_000);
  await settle();
  assert.equal(passed.length, 540);
});

test('a first read leaves reconciliations their part of the hour and of the day', async () => {
  const clock = manualClock(MIDNIGHT);
  const { passed, ask } = passing(describedLimitsGate(clock), () => clock.now());
  ask('listReservations', 'backfill', 9_000);
  for (let minute = 0; minute < 50; minute += 1) await clock.advance(MINUTE);
  assert.equal(passed.length, 6_000);
  ask('listReservations', 'reconcile', 100);
  await settle();
  assert.equal(passed.length, 6_100);
});

test('two full bursts on either side of a boundary exceed no window, even where clocks differ by a second', async () => {
  const clock = manualClock(MIDNIGHT + MINUTE - 500);
  const { passed, ask } = passing(describedLimitsGate(clock), () => clock.now());
  ask('listReservations', 'reply', 1_500);
  await clock.advance(3 * MINUTE);
  for (const skew of [-1_000, -400, 0, 400, 1_000]) {
    const counts = new Map<number, number>();
    for (const { at } of passed) {
      const window = Math.floor((at + skew) / MINUTE);
      counts.set(window, (counts.get(window) ?? 0) + 1);
    }
    assert.ok(Math.max(...counts.values()) <= 600, `skew ${skew}: ${Math.max(...counts.values())}`);
  }
});

test('a cap that nobody described is learnt from one refusal and kept to from then on', async () => {
  const clock = manualClock(MIDNIGHT + 5_000);
  const gate = openGate(clock);
  const CAP = 40;
  const used = new Map<number, number>();
  let refusals = 0;
  let answered = 0;
  let early = 0;
  let heldUntil = 0;
  const work = async () => {
    for (let left = 300; left > 0; left -= 1) {
      await gate.acquire('listReservations', 'backfill');
      const now = clock.now();
      if (now < heldUntil) early += 1;
      const window = Math.floor(now / MINUTE);
      const count = (used.get(window) ?? 0) + 1;
      if (count <= CAP) {
        used.set(window, count);
        answered += 1;
        continue;
      }
      refusals += 1;
      heldUntil = (window + 1) * MINUTE;
      gate.hold(heldUntil - now, undefined, { operation: 'listReservations', scope: 'token', seconds: 60 });
    }
  };
  let over = false;
  void work().then(() => (over = true));
  for (let minute = 0; minute < 15 && !over; minute += 1) await clock.advance(MINUTE);
  assert.ok(over);
  assert.deepEqual([refusals, answered, early], [1, 299, 0]);
});

test('what others of the account use is learnt from refusals, and patient work leaves them room', async () => {
  const clock = manualClock(MIDNIGHT + 1_500);
  const gate = describedLimitsGate(clock);
  const { passed, ask } = passing(gate, () => clock.now());
  ask('listReservations', 'backfill', 200);
  await settle();
  // Refused half-way through the minute after 200 of our own: others have used 1,000.
  await clock.advance(28_500);
  gate.hold(30_000, undefined, { operation: 'listReservations', scope: 'user', seconds: 60 });
  const before = passed.length;
  ask('listReservations', 'backfill', 2_000);
  ask('listTransactions', 'backfill', 2_000);
  await clock.advance(29_999);
  assert.equal(passed.length, before, 'nothing before Retry-After ends');
  await clock.advance(1_001);
  const next = passed.length - before;
  assert.ok(next >= 400 && next <= 500, `${next} in the minute after`);
  await clock.advance(3 * MINUTE);
  const last = passed.filter(
    ({ at }) => Math.floor(at / MINUTE) === Math.floor((MIDNIGHT + 3 * MINUTE) / MINUTE),
  ).length;
  assert.ok(last > 800, `${last}: they are forgotten when nothing is refused`);
});

test('refused questions are stopped long before they use up their quota', async () => {
  const clock = manualClock(MIDNIGHT);
  const gate = describedLimitsGate(clock);
  const { passed, ask } = passing(gate, () => clock.now());
  for (let failure = 0; failure < 250; failure += 1) gate.failed('getConversation');
  ask('getConversation', 'reconcile', 1);
  ask('getConversation', 'lookup', 1);
  ask('listConversations', 'reconcile', 1);
  await settle();
  assert.deepEqual(
    passed.map((one) => `${one.purpose} ${one.operation}`),
    ['lookup getConversation', 'reconcile listConversations'],
  );
});

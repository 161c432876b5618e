import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Purpose } from '../../src/client/gate.ts';
import { accountWindows, rateClasses } from '../../src/contract/limits.ts';
import type { OperationId } from '../../src/contract/index.ts';
import { describedLimitsGate, openGate } from '../../src/sync/budget/gate.ts';
import { manualClock, settle } from '../support/clock.ts';

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
  ask('listAvailabilities', 'walk', 2_500);
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

test('a walk leaves room in each window for what somebody waits for', async () => {
  const clock = manualClock(MIDNIGHT);
  const { passed, ask } = passing(describedLimitsGate(clock), () => clock.now());
  ask('listReservations', 'walk', 1_000);
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
    ['reply', 'lookup', 'walk'],
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

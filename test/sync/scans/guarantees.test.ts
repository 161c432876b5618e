import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describedLimits } from '../../../src/sync/budget/gate.ts';
import { guarantees } from '../../../src/sync/scans/reconcile/guarantee.ts';
import { planTiers } from '../../../src/sync/scans/reconcile/planReconciliation.ts';
import { usualSizes } from '../../../src/sync/scans/reconcile/requests.ts';
import { tiers } from '../../../src/sync/scans/reconcile/tiers.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const HISTORY_DAYS = 3_650;

test('at 1,000 listings and 120,000 bookings what is hot is seen within 15 minutes, all silent changes within a day', () => {
  const plan = planTiers(tiers, usualSizes({ listings: 1_000, bookings: 120_000 }, HISTORY_DAYS), describedLimits);
  const age = (name: string) => plan.tiers.find((one) => one.name === name)?.maxAgeMs ?? Number.POSITIVE_INFINITY;
  for (const hot of ['calendar.near', 'reservation.near', 'message.newest']) {
    assert.ok(age(hot) <= 15 * MINUTE, `${hot}: ${age(hot) / MINUTE} min`);
  }
  for (const silent of ['calendar', 'reservation', 'availability', 'transaction', 'review', 'task']) {
    assert.ok(age(silent) <= DAY, `${silent}: ${age(silent) / DAY} d`);
  }
  for (const { name, maxAgeMs, aimMs } of plan.tiers) assert.equal(maxAgeMs, aimMs, name);
  for (const { operation, part } of plan.loads) assert.ok(part <= 0.3, `${operation}: ${part}`);
});

test('ten times the size: the hottest stay hot, what finds no room is read less often, and the plan says so', () => {
  const plan = planTiers(tiers, usualSizes({ listings: 10_000, bookings: 1_200_000 }, HISTORY_DAYS), describedLimits);
  const one = (name: string) => plan.tiers.find((tier) => tier.name === name);
  assert.equal(one('calendar.near')?.maxAgeMs, 15 * MINUTE);
  const conversations = one('message')?.maxAgeMs;
  assert.ok(conversations === null || (conversations ?? 0) > 21 * DAY);
  for (const { operation, part } of plan.loads) assert.ok(part <= 0.3 + 1e-9, `${operation}: ${part}`);
});

test('every tier has a reason and an age, the hottest first within its lane', () => {
  const names = tiers.map(({ scan }) => `${scan.resource}.${scan.part ?? ''}`);
  assert.equal(new Set(names).size, names.length);
  for (const { reason, maxAgeMs } of tiers) assert.ok(reason.length > 10 && maxAgeMs >= 15 * MINUTE);
  assert.deepEqual(
    tiers.map((tier) => tier.maxAgeMs),
    tiers.map((tier) => tier.maxAgeMs).toSorted((a, b) => a - b),
  );
});

test('what is asked for less often than it should be leaves room to nobody below it', () => {
  const work = [{ operation: 'listReservations' as const, requests: 20_000 }];
  const given = { lane: 0, purpose: 'reconcile' as const, maxAgeMs: DAY, work };
  const { guarantees: found } = guarantees(
    [
      { ...given, name: 'first' },
      { ...given, name: 'second' },
    ],
    describedLimits,
    0,
  );
  // Three tenths of 50,000 a day are 15,000: 20,000 take a day and a third, and then nothing is left.
  assert.equal(Math.round((found[0]?.everyMs ?? 0) / MINUTE), 1_920);
  assert.equal(found[1]?.maxAgeMs, null);
});

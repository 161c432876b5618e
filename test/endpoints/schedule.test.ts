import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MOST_ATTEMPTS, pauseAfter } from '../../src/endpoints/schedule.ts';
import { isKind, kinds, wantedKinds } from '../../src/endpoints/kinds.ts';

const HOUR = 3_600_000;
const MIDDLE = [
  5_000,
  30_000,
  120_000,
  300_000,
  1_800_000,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

test('R30: twelve attempts, each pause within a fifth of its length, and never sooner than asked', () => {
  assert.equal(MOST_ATTEMPTS, 12);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 15 }),
      fc.option(fc.integer({ min: 0, max: 50 * HOUR }), { nil: undefined }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (attempts, retryAfter, fraction) => {
        const pause = pauseAfter(attempts, retryAfter, fraction);
        const middle = MIDDLE[attempts - 1];
        if (middle === undefined) return assert.equal(pause, undefined);
        assert.ok(pause !== undefined && pause >= Math.floor(middle * 0.8) && pause >= (retryAfter ?? 0));
        assert.ok(pause <= Math.max(Math.ceil(middle * 1.2), retryAfter ?? 0));
      },
    ),
  );
});

test('an endpoint hears of what it asked for, each kind once', () => {
  const change = { resource: 'reservation', op: 'updated' as const, needs_answer: 0 as const };
  const events = [{ name: 'deposit_paid' as const, before: null, after: null }];
  const of = (wanted: string[]) => wantedKinds(wanted, { ...change, derived_events: events });
  assert.deepEqual(of(['*']), ['reservation.updated']);
  assert.deepEqual(of(['reservation.*', 'reservation.updated']), ['reservation.updated']);
  assert.deepEqual(of(['deposit_paid', 'reservation.updated']), ['reservation.updated', 'deposit_paid']);
  assert.deepEqual(of(['reservation.created', 'review.*', 'guest_message']), []);
  const message = { resource: 'message', op: 'created' as const, needs_answer: 1 as const, derived_events: [] };
  assert.deepEqual(wantedKinds(['guest_message'], message), ['guest_message']);
});

test('only kinds that there are can be asked for', () => {
  for (const kind of [...kinds, '*', 'reservation.*']) assert.ok(isKind(kind), kind);
  for (const kind of ['', 'reservation', 'bananas.created', 'bananas.*', 'reservation.gone', 'ping']) {
    assert.ok(!isKind(kind), kind);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { datesFromTo, dateOfDay } from '../../../src/kernel/dates.ts';
import type { DateRange } from '../../../src/sync/tables/rows/dateHints.ts';
import { diffOf } from '../../../src/sync/tables/rows/diff.ts';
import { announcementsOf } from '../../../src/sync/trust/loss/announcements.ts';
import {
  type ArrivedEvent,
  daysOf,
  daysText,
  rangesOf,
  announces,
  without,
} from '../../../src/sync/trust/loss/match.ts';
import { bucketOf, PROPAGATION_BUCKETS_MS } from '../../../src/sync/trust/measures/meter.ts';
import { percentile, propagation } from '../../../src/sync/trust/measures/figures.ts';
import { makeStay } from '../../support/rows.ts';

const dates = fc
  .uniqueArray(fc.integer({ min: 20_000, max: 20_040 }), { maxLength: 30 })
  .map((days) => days.map(dateOfDay));
const all = (ranges: readonly DateRange[]) => ranges.flatMap(({ from, to }) => datesFromTo(from, to));

test('days that others leave are those of the one and not of the other', () => {
  fc.assert(
    fc.property(dates, dates, (days, told) => {
      const left = without(rangesOf(days), rangesOf(told));
      assert.deepEqual(all(left), days.filter((day) => !told.includes(day)).toSorted());
      if (left.length > 0) assert.deepEqual(daysOf(daysText(left)), left);
    }),
  );
});

const updates = (before: object, after: object) =>
  announcementsOf('reservation', { op: 'updated', isNew: false, diff: diffOf(before, after) });

test('whatever happens to what no event announces, no event is missed', () => {
  const amounts = fc.record({
    deposit: fc.nat(),
    deposit_details: fc.option(fc.record({ paid_amount: fc.nat(), status: fc.constantFrom('paid', 'refunded') })),
    check_in_guide_url: fc.option(fc.webUrl()),
  });
  const silent = fc.record({
    details: amounts,
    channel_details: fc.option(
      fc.record({ marketplace_a: fc.record({ cancellation_policy_category: fc.option(fc.string()) }) }),
    ),
    payment: fc.record({ received_amount: fc.nat(), status: fc.constantFrom('partial', 'received') }),
    conversation_id: fc.option(fc.string()),
    channel_remarks: fc.option(fc.string()),
    total: fc.nat(),
  });
  fc.assert(
    fc.property(silent, silent, (one, other) => {
      const [before, after] = [one, other].map(({ details, payment, total, ...rest }) => {
        const stay = makeStay(1);
        const own = { ...stay.check_in_details, ...details };
        const rates = { ...stay.rates, total_rate: { currency: 'EUR', amount: total } };
        return { ...stay, ...rest, rates, payment: { ...stay.payment, ...payment }, check_in_details: own };
      });
      assert.deepEqual(updates(before ?? {}, after ?? {}), []);
    }),
  );
});

const kinds = [
  ['', { status: 'cancelled' }],
  ['', { check_out_date: '2027-03-09' }],
  ['', { number_of_guests: 9 }],
  ['', { property_id: 0, in_reservation_box: true }],
  ['', { tags: ['late'] }],
  ['', { custom_fields: { key: 'box 4' } }],
  ['', { stay_status: 'in_house' }],
  ['remarks_updated', { note: 'Late' }],
  ['rates_updated', { rates: { ...makeStay(1).rates, rate: { currency: 'EUR', amount: 1 } } }],
] as const;

test('every kind of reservation_updated is missed for what it is sent for, once each', () => {
  for (const [sub, change] of kinds) {
    const found = updates(makeStay(1), { ...makeStay(1), ...change });
    assert.deepEqual(found, [{ event: 'reservation_updated', sub_event: sub || null, shared: false }]);
  }
  const details = makeStay(1).check_in_details;
  const detailed = (more: object) => ({ ...makeStay(1), check_in_details: { ...details, ...more } });
  const subOf = (before: object, after: object) => updates(before, after).map(({ sub_event }) => sub_event);
  assert.deepEqual(subOf(detailed({ lock_code: '1' }), detailed({ lock_code: '2' })), ['lock_code_updated']);
  assert.deepEqual(subOf(detailed({ lock_code: '1' }), detailed({ lock_code: null })), ['lock_code_deleted']);
  assert.deepEqual(subOf(detailed({}), detailed({ id_required: 'required' })), ['check_in_details_updated']);
  assert.deepEqual(
    subOf(detailed({ arrival_at: { hour: 1, minute: 2 } }), detailed({ arrival_at: { hour: 1, minute: 3 } })),
    ['arrival_and_departure_time_updated'],
  );
  const several = updates(makeStay(1), { ...makeStay(1), note: 'x', status: 'cancelled', number_of_guests: 4 });
  assert.deepEqual(new Set(several.map(({ sub_event }) => sub_event)), new Set(['remarks_updated', null]));
  assert.equal(several.length, 2);
});

test('what was gone and is back, and what never has events, is not missed', () => {
  for (const resource of ['reservation', 'transaction', 'message', 'review']) {
    assert.deepEqual(announcementsOf(resource, { op: 'created', isNew: false, diff: null }), []);
    assert.equal(announcementsOf(resource, { op: 'created', isNew: true, diff: null }).length, 1);
  }
  for (const resource of ['task', 'listing', 'special_offer', 'conversation', 'channel_account']) {
    for (const op of ['created', 'updated', 'deleted'] as const) {
      assert.deepEqual(
        announcementsOf(resource, { op, isNew: op === 'created', diff: [{ path: 'status', before: 1, after: 2 }] }),
        [],
      );
    }
  }
});

test('an event announces a change when it was queued within its time, and of its row only', () => {
  const missed = {
    event: 'reservation_updated',
    sub_event: 'rates_updated',
    part: 'S-1',
    since: '2026-11-20T12:00:00.000Z',
    seen_at: '2026-11-20T12:10:00.000Z',
  };
  const event: ArrivedEvent = {
    event_id: 'E',
    event: missed.event,
    sub_event: missed.sub_event,
    part: 'S-1',
    days: null,
    queued_at: '2026-11-20T12:05:00.000Z',
    received_at: '2026-11-20T13:00:00.000Z',
  };
  assert.ok(announces(event, missed));
  assert.ok(
    announces({ ...event, queued_at: missed.since }, missed) &&
      announces({ ...event, queued_at: missed.seen_at }, missed),
  );
  assert.ok(!announces({ ...event, queued_at: '2026-11-20T11:59:59.999Z' }, missed), 'the mirror knew that');
  assert.ok(!announces({ ...event, queued_at: '2026-11-20T12:10:00.001Z' }, missed), 'that was later');
  assert.ok(!announces({ ...event, part: 'S-2' }, missed) && !announces({ ...event, sub_event: '' }, missed));
  assert.ok(announces({ ...event, part: 'S-2' }, { ...missed, part: null }), 'the booking shares it');
  assert.ok(announces({ ...event, queued_at: null }, missed), 'one that does not say when');
  assert.ok(
    announces({ ...event, event: 'transaction_created', queued_at: null }, { ...missed, event: 'transaction_created' }),
  );
});

test('percentiles are the upper ends of the buckets that hold them', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3_000_000_000 }), { minLength: 1, maxLength: 200 }), (times) => {
      const counts = new Map<number, number>();
      for (const ms of times) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
      const buckets = PROPAGATION_BUCKETS_MS.flatMap((bucket) => ({ bucket, count: counts.get(bucket) ?? 0 })).filter(
        ({ count }) => count > 0,
      );
      const sorted = times.toSorted((a, b) => a - b);
      for (const percent of [50, 99]) {
        const exact = sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0;
        assert.equal(percentile(buckets, percent), bucketOf(exact) / 1_000);
      }
    }),
  );
  assert.equal(percentile([], 50), 0);
});

test('half of the changes took no longer than nearly all, and none longer than the slowest', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 50 }), (times) => {
      const rows = PROPAGATION_BUCKETS_MS.flatMap((bucket) => {
        const own = times.filter((ms) => bucketOf(ms) === bucket);
        return own.length === 0 ? [] : [{ subject: 'stay', bucket, count: own.length, most: Math.max(...own) }];
      });
      const { p50 = NaN, p99 = NaN, worst = NaN } = propagation(rows)['stay'] ?? {};
      assert.ok(p50 <= p99 && p99 <= worst, JSON.stringify({ p50, p99, worst }));
      assert.equal(worst, Math.max(...times) / 1_000);
    }),
  );
});

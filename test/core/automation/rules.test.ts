import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requireMove } from '../../../src/core/requireMove.ts';
import { mayGo, next, triggersOf } from '../../../src/kernel/transitions.ts';
import fc from 'fast-check';
import {
  actionLife,
  doubtOf,
  filledIn,
  planIdOf,
  type PlannedStay,
  plannedTime,
  type PlanningRule,
  requireByHand,
  requireCheckedOut,
  retryMs,
  settlePlan,
} from '../../../src/core/automation/rules.ts';
import { addDays, instantOf, msOf } from '../../../src/kernel/dates.ts';
import { ApiError } from '../../../src/kernel/errors.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 3_600_000;
const isBadRequest = (error: unknown) => error instanceof ApiError && error.code === 400;

const rule = (over: Partial<PlanningRule> = {}): PlanningRule => ({
  type: 'message',
  event: 'check_in',
  hours: -24,
  property_ids: null,
  channel_types: null,
  is_enabled: 1,
  active_since: '2026-11-01T00:00:00.000Z',
  deleted_at: null,
  ...over,
});
const stay = (over: Partial<PlannedStay> = {}): PlannedStay => ({
  id: 1,
  status: 'accepted',
  property_id: 7,
  channel_type: 'direct',
  check_in_date: '2026-12-01',
  check_out_date: '2026-12-05',
  booking_ends: '2026-12-05',
  booked_at: '2026-11-20T12:00:00.000Z',
  created_at: '2026-11-20T12:00:00.000Z',
  zone: 'Europe/Berlin',
  ...over,
});

describe('the life of a plan', () => {
  const states = [null, 'waiting', 'executed', 'removed', 'failed'] as const;
  type State = (typeof states)[number];
  const triggers = triggersOf(actionLife);

  it('no sequence of triggers leaves the table; what has ended stays ended, so nothing happens twice', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...triggers), { maxLength: 30 }), (sequence) => {
        let state: State = null;
        let executions = 0;
        for (const trigger of sequence) {
          const from: State = state;
          if (!mayGo(actionLife, from, trigger)) {
            assert.throws(() => requireMove(actionLife, from, trigger), isBadRequest);
            continue;
          }
          assert.ok(from === null || from === 'waiting', 'only what waits moves');
          state = requireMove(actionLife, from, trigger);
          if (trigger === 'execute') executions += 1;
        }
        assert.ok(states.includes(state) && executions <= 1);
      }),
    );
  });

  it('a plan is settled only by steps that its state allows', () => {
    const times = fc.constantFrom('2026-12-01T00:00:00.000Z', '2026-12-02T00:00:00.000Z');
    const known = fc.option(
      fc.record({
        state: fc.constantFrom('waiting', 'executed', 'removed', 'failed'),
        moment: times,
        doubt: fc.option(fc.constant('restored')),
      }),
    );
    const wanted = fc.option(fc.record({ moment: times, scheduled_at: times }));
    fc.assert(
      fc.property(known, wanted, (before, after) => {
        const step = settlePlan((before ?? undefined) as Parameters<typeof settlePlan>[0], after);
        const from = before?.state ?? null;
        if (step === 'add' || step === 'move') assert.equal(next(actionLife, from as never, 'plan'), 'waiting');
        if (step === 'drop') assert.equal(next(actionLife, from as never, 'withdraw'), null);
        if (from !== null && from !== 'waiting') assert.equal(step, 'keep');
        if (from === null) assert.equal(step, after ? 'add' : 'keep');
        if (step === 'remove') assert.equal(next(actionLife, from as never, 'delete'), 'removed');
        if (from === 'waiting' && before?.doubt != null) assert.equal(step, after ? 'keep' : 'remove');
        else if (from === 'waiting' && after && after.moment !== before?.moment) assert.equal(step, 'move');
      }),
    );
  });

  it('after a restore only what guests read of before it, about a booking from before it, is in doubt', () => {
    const times = fc.constantFrom('2026-11-30T00:00:00.000Z', '2026-12-01T00:00:00.000Z', '2026-12-02T00:00:00.000Z');
    const type = fc.constantFrom('message', 'review', 'task');
    fc.assert(
      fc.property(fc.option(times), fc.record({ type, moment: times, booked_at: times }), (restored_at, plan) => {
        const isOld = restored_at !== null && plan.moment <= restored_at && plan.booked_at <= restored_at;
        const doubt = doubtOf({ restored_at }, plan as Parameters<typeof doubtOf>[1]);
        assert.equal(doubt !== null, isOld && plan.type !== 'task');
      }),
    );
  });

  it('only messages and reviews are executed and deleted by hand: 400', () => {
    for (const type of ['message', 'review']) requireByHand(type);
    for (const type of ['task', 'lock_code', 'x']) assert.throws(() => requireByHand(type), isBadRequest);
  });

  it('the id follows from rule and stay, and tells all pairs apart', () => {
    const number = fc.integer({ min: 1, max: 1e9 });
    fc.assert(
      fc.property(number, number, number, number, (a, b, c, d) => {
        assert.equal(planIdOf(a, b) === planIdOf(c, d), a === c && b === d);
      }),
    );
  });
});

describe('when a rule acts', () => {
  const at = (over: Partial<PlanningRule>, of: Partial<PlannedStay> = {}, now = NOW) =>
    plannedTime(rule(over), stay(of), now)?.scheduled_at;

  it('hours count from 15:00 of check-in, 11:00 of check-out, where the property is, and from the booking', () => {
    assert.equal(at({}), '2026-11-30T14:00:00.000Z');
    assert.equal(at({ hours: 2 }), '2026-12-01T16:00:00.000Z');
    assert.equal(at({}, { zone: 'Asia/Tokyo' }), '2026-11-30T06:00:00.000Z');
    assert.equal(at({ event: 'check_out', hours: -1 }), '2026-12-05T09:00:00.000Z');
    assert.equal(at({ event: 'check_out', hours: 48 }), '2026-12-07T10:00:00.000Z');
    assert.equal(at({ event: 'booking', hours: 1 }), '2026-11-20T13:00:00.000Z');
  });

  it('only on accepted stays of its properties and channels, while it is switched on', () => {
    assert.equal(at({}, { status: 'cancelled' }), undefined);
    assert.equal(at({}, { status: 'wait_accept' }), undefined);
    assert.equal(at({ is_enabled: 0 }), undefined);
    assert.equal(at({ deleted_at: '2026-11-19T00:00:00.000Z' }), undefined);
    assert.equal(at({ property_ids: '[8]' }), undefined);
    assert.equal(at({ property_ids: '[7,8]', channel_types: '["direct"]' }), '2026-11-30T14:00:00.000Z');
    assert.equal(at({ channel_types: '["ical"]' }), undefined);
  });

  it('a late booking gets at once what comes before arrival, until it has arrived', () => {
    const late = { check_in_date: '2026-11-20' };
    assert.equal(at({ hours: -72 }, late), instantOf(NOW));
    assert.equal(at({ hours: -72 }, late, NOW + 3 * HOUR), undefined);
  });

  it('what comes after an event is made up for within a day', () => {
    const over = { event: 'check_out', hours: 2 } as const;
    const gone = { check_in_date: '2026-11-15', check_out_date: '2026-11-19' };
    assert.equal(at(over, gone), instantOf(NOW));
    assert.equal(at(over, gone, NOW + HOUR), undefined);
  });

  it('a new rule leaves alone what it would have done before, but for stays that are younger', () => {
    const over = { event: 'booking', hours: 1, active_since: instantOf(NOW) } as const;
    const old = instantOf(NOW - 5 * HOUR);
    assert.equal(at(over, { booked_at: old, created_at: old }), undefined);
    assert.equal(at(over, { booked_at: old, created_at: instantOf(NOW) }), instantOf(NOW));
  });

  it('never before now, never without its stay, and the same for the same', () => {
    const hours = fc.integer({ min: -720, max: 720 });
    const event = fc.constantFrom('booking', 'check_in', 'check_out');
    const day = fc.integer({ min: -60, max: 60 });
    fc.assert(
      fc.property(event, hours, day, fc.integer({ min: 1, max: 30 }), (event, hours, day, nights) => {
        const check_in_date = addDays('2026-11-20', day);
        const of = stay({ check_in_date, check_out_date: addDays(check_in_date, nights) });
        const planned = plannedTime(rule({ event, hours }), of, NOW);
        assert.deepEqual(planned, plannedTime(rule({ event, hours }), of, NOW));
        if (!planned) return;
        assert.ok(msOf(planned.scheduled_at) >= NOW);
        assert.ok(planned.scheduled_at >= planned.moment);
        assert.ok(planned.scheduled_at === planned.moment || planned.scheduled_at === instantOf(NOW));
        assert.equal(plannedTime(rule({ event, hours }), { ...of, status: 'cancelled' }, NOW), null);
      }),
    );
  });
});

describe('a review', () => {
  it('waits for the day of check-out where the property is', () => {
    const midnight = Date.parse('2026-11-20T23:30:00Z');
    requireCheckedOut('2026-11-21', 'Europe/Berlin', midnight);
    assert.throws(() => requireCheckedOut('2026-11-21', 'America/New_York', midnight), isBadRequest);
    requireCheckedOut('2026-11-20', 'America/New_York', midnight);
  });
});

describe('texts and pauses', () => {
  it('names in braces are filled in, unknown ones stay, values are not read again', () => {
    const values = { guest_name: '{lock_code}', lock_code: '4711' };
    assert.equal(
      filledIn('Hi {guest_name}, {lock_code} {unknown} {toString} {}', values),
      'Hi {lock_code}, 4711 {unknown} {toString} {}',
    );
  });

  it('pauses grow and end at an hour', () => {
    assert.deepEqual([1, 2, 3, 10].map(retryMs), [120_000, 240_000, 480_000, HOUR]);
  });
});

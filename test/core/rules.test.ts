import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type EventPayload, subEvents } from '../../src/contract/events.ts';
import { reservationStatuses } from '../../src/contract/reservations.ts';
import { queueEvents } from '../../src/core/outbox/queue.ts';
import { directCode, holdsNights, isDirect, paymentOf, reservationLife } from '../../src/core/reservations/rules.ts';
import { requireMove } from '../../src/core/requireMove.ts';
import { arrowsOf, finalStates, mayGo, next, triggersOf } from '../../src/kernel/transitions.ts';
import { allocationsOf } from '../../src/core/transactions/rules.ts';
import { dateOfDay } from '../../src/kernel/dates.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import type { StayCode } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { startCore, type TestCore } from '../support/core.ts';

const amount = fc.integer({ min: 0, max: 99_999_900 });
const signed = fc.integer({ min: -99_999_900, max: 99_999_900 });
const AT = Date.UTC(2026, 0, 1);

describe('paymentOf', () => {
  it('total, balance and status follow from rate, commission and what was received', () => {
    fc.assert(
      fc.property(amount, amount, signed, (rate, commission, received) => {
        const payment = paymentOf({ rate, commission, received });
        assert.equal(payment.total, rate - commission);
        assert.equal(payment.received, received);
        assert.ok(payment.balance >= 0, 'a balance is never negative');
        assert.equal(payment.balance, received >= payment.total ? 0 : payment.total - received);
        const expected =
          received === payment.total
            ? 'received'
            : received > payment.total
              ? 'over_received'
              : received > 0
                ? 'partial'
                : 'unreceived';
        assert.equal(payment.status, expected);
      }),
    );
  });

  it('nothing owed and nothing received is received; paying what is owed settles it', () => {
    fc.assert(
      fc.property(amount, amount, signed, (rate, commission, received) => {
        assert.equal(paymentOf({ rate, commission: rate, received: 0 }).status, 'received');
        const owed = paymentOf({ rate, commission, received });
        const settled = paymentOf({ rate, commission, received: received + owed.balance });
        assert.equal(settled.balance, 0);
        assert.equal(settled.status, received > owed.total ? 'over_received' : 'received');
      }),
    );
  });
});

describe('allocationsOf', () => {
  const rates = fc.array(fc.option(fc.integer({ min: 0, max: 1_000_000 })), { minLength: 1, maxLength: 12 });
  const staysOf = (given: readonly (number | null)[]) =>
    given.map((rate, index) => ({ stay_code: `5-A-${index + 1}` as StayCode, rate }));

  it('shares add up to the amount to the minor unit, one for each stay in its order', () => {
    fc.assert(
      fc.property(signed, rates, (whole, given) => {
        const stays = staysOf(given);
        const shares = allocationsOf(whole, stays);
        assert.deepEqual(
          shares.map((share) => share.stay_code),
          stays.map((stay) => stay.stay_code),
        );
        assert.equal(
          shares.reduce((sum, share) => sum + share.amount, 0),
          whole,
        );
        assert.ok(shares.every((share) => Number.isSafeInteger(share.amount) && share.amount * Math.sign(whole) >= 0));
      }),
    );
  });

  it('each share is the room’s part by its rate, less than one minor unit off; without rates they are equal', () => {
    fc.assert(
      fc.property(signed, rates, (whole, given) => {
        const shares = allocationsOf(whole, staysOf(given)).map((share) => share.amount);
        const sum = given.reduce<number>((total, rate) => total + (rate ?? 0), 0);
        for (const [index, rate] of given.entries()) {
          const exact = sum === 0 ? whole / given.length : (whole * (rate ?? 0)) / sum;
          assert.ok(Math.abs((shares[index] ?? Number.NaN) - exact) < 1, `${shares[index]} instead of ${exact}`);
        }
      }),
    );
  });

  it('a higher rate never has the smaller share, and a rate below zero counts as none', () => {
    fc.assert(
      fc.property(amount, rates, (whole, given) => {
        const shares = allocationsOf(whole, staysOf(given)).map((share) => share.amount);
        for (const [a, rateA] of given.entries()) {
          for (const [b, rateB] of given.entries()) {
            if ((rateA ?? 0) > (rateB ?? 0)) assert.ok((shares[a] ?? 0) >= (shares[b] ?? 0));
          }
        }
        const negative = allocationsOf(whole, staysOf([...given, -5])).map((share) => share.amount);
        assert.deepEqual(
          negative,
          allocationsOf(whole, staysOf([...given, 0])).map((share) => share.amount),
        );
      }),
    );
  });
});

describe('the life of a reservation', () => {
  const states = [null, ...reservationStatuses];
  type State = (typeof states)[number];
  const triggers = triggersOf(reservationLife);
  /** Moves the description or wire.md names, by whatever trigger. */
  const DESCRIBED = [
    'null accepted',
    'null wait_accept',
    'null wait_pay',
    'wait_accept accepted',
    'wait_accept denied',
    'wait_accept timeout',
    'wait_accept cancelled',
    'wait_pay accepted',
    'wait_pay cancelled',
    'wait_pay timeout',
    'timeout accepted',
    'accepted cancelled',
  ];

  it('no sequence of triggers leaves the table: each moves as a row says or is refused with 400', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...triggers), { maxLength: 20 }), (sequence) => {
        let state: State = null;
        for (const trigger of sequence) {
          const from: State = state;
          if (mayGo(reservationLife, from, trigger)) state = requireMove(reservationLife, from, trigger);
          else {
            assert.throws(
              () => requireMove(reservationLife, from, trigger),
              (error) => error instanceof ApiError && error.code === 400,
            );
          }
          assert.ok(states.includes(state));
        }
      }),
    );
  });

  it('what has ended stays ended, but for a payment that came late; each move is a described one', () => {
    for (const { from, to } of arrowsOf(reservationLife))
      assert.ok(DESCRIBED.includes(`${from} ${to}`), `${from} → ${to}`);
    assert.deepEqual(finalStates(reservationLife), ['cancelled', 'denied']);
    assert.equal(next(reservationLife, null, 'book_direct'), 'accepted');
    assert.equal(next(reservationLife, 'accepted', 'cancel_direct'), 'cancelled');
    assert.throws(() => requireMove(reservationLife, 'cancelled', 'cancel_direct'), /reservation is cancelled/);
  });

  it('nights are held as long as the booking may still come about', () => {
    assert.deepEqual(reservationStatuses.filter(holdsNights), ['wait_accept', 'wait_pay', 'accepted']);
  });

  it('a direct code is known by its prefix, holds the caller’s reference, and is new each time', () => {
    fc.assert(
      fc.property(fc.option(fc.stringMatching(/^[A-Za-z0-9]{1,32}$/), { nil: undefined }), (reference) => {
        const code = directCode(systemRandom, AT, reference);
        assert.ok(isDirect(code));
        assert.match(
          code,
          reference === undefined
            ? /^5-[A-HJ-NP-Z2-9]{6}-[A-HJ-NP-Z2-9]{8}$/
            : new RegExp(`^5-${reference}-[A-HJ-NP-Z2-9]{6}$`),
        );
        assert.notEqual(directCode(systemRandom, AT, reference), code);
      }),
    );
    for (const code of ['HMABC', '5', '55-A', ' 5-A', '']) assert.ok(!isDirect(code));
  });

  it('codes without a reference sort by the second in which they were made', () => {
    const year = 366 * 86_400_000;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 * year }), fc.integer({ min: 1_000, max: year }), (since, later) => {
        const at = AT + since;
        const [first, second] = [at, at + later].map((ms) => directCode(systemRandom, ms, undefined));
        assert.ok(Buffer.compare(Buffer.from(first ?? ''), Buffer.from(second ?? '')) < 0);
      }),
    );
  });
});

describe('what one change has to tell', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore();
  });
  after(() => core.close());

  const stay = fc
    .constantFrom('A', 'B')
    .map((code) => ({ reservation_code: '5-R', stay_code: `5-R-${code}`, property_id: code === 'A' ? 1 : 2 }));
  const night = fc.record({ date: fc.integer({ min: 20_000, max: 20_020 }).map(dateOfDay), available: fc.boolean() });
  // As a stay states them: by date, none twice.
  const nights = fc
    .uniqueArray(night, { selector: ({ date }) => date, minLength: 1, maxLength: 6 })
    .map((list) => list.toSorted((a, b) => (a.date < b.date ? -1 : 1)));
  const event: fc.Arbitrary<EventPayload> = fc.oneof(
    stay.map((fields) => ({ event: 'reservation_created' as const, ...fields })),
    stay.map((fields) => ({ event: 'reservation_updated' as const, ...fields })),
    fc
      .tuple(fc.constantFrom(...subEvents), stay)
      .map(([sub_event, fields]) => ({ event: 'reservation_updated' as const, sub_event, ...fields })),
    fc.record({
      event: fc.constant('property_availability_updated' as const),
      property_id: fc.integer({ min: 1, max: 3 }),
      availabilities: nights,
    }),
    fc.record({
      event: fc.constantFrom(
        'transaction_created' as const,
        'transaction_updated' as const,
        'transaction_deleted' as const,
      ),
      transaction_id: fc.integer({ min: 1, max: 3 }),
    }),
  );

  /** Queues in a transaction that is given up afterwards. */
  async function queued(events: readonly EventPayload[]): Promise<Record<string, any>[]> {
    let bodies: Record<string, any>[] = [];
    const undone = new Error('undone');
    const work = core.core.store.transaction(async (trx) => {
      const count = await queueEvents(trx, core.core, core.own.account.account_id, events, core.clock.now());
      const rows = await trx.selectFrom('outbox').selectAll().orderBy('event_id').execute();
      assert.equal(count, rows.length);
      bodies = rows.map((row) => {
        const body = JSON.parse(row.body) as Record<string, unknown>;
        assert.deepEqual(
          [row.event, row.event_id, row.queued_at, row.fanned_out],
          [body['event'], body['event_id'], body['timestamp'], 0],
        );
        return body;
      });
      throw undone;
    });
    await assert.rejects(work, undone);
    return bodies;
  }

  /** What an event is about: the same stay and kind of change, the same property’s nights, the same entry. */
  const subjectOf = (one: Record<string, any>): string =>
    one['event'] === 'property_availability_updated'
      ? `nights ${one['property_id']}`
      : [one['event'], one['sub_event'], one['stay_code'], one['transaction_id']].join(' ');

  it('is one event for each stay and kind of change, in the order of first mention, each with an id of its own', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        const bodies = await queued(events);
        assert.deepEqual(bodies.map(subjectOf), [...new Set(events.map(subjectOf))]);
        const ids = bodies.map((body) => String(body['event_id']));
        assert.equal(new Set(ids).size, ids.length);
        assert.deepEqual(ids, ids.toSorted());
        for (const body of bodies) {
          assert.match(String(body['event_id']), /^[0-9A-HJKMNP-TV-Z]{26}$/);
          assert.equal(body['timestamp'], '2026-11-20T12:00:00.000Z');
          const { event_id: _id, timestamp: _at, ...fields } = body;
          if (body['event'] !== 'property_availability_updated') {
            assert.ok(
              events.some((one) => JSON.stringify(one) === JSON.stringify(fields)),
              'fields as they were stated',
            );
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('nights of one property come together, by date, each once with what was said of it last', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        const bodies = await queued(events);
        for (const property of [1, 2, 3]) {
          const last = new Map<string, boolean>();
          for (const one of events) {
            if (one.event !== 'property_availability_updated' || one.property_id !== property) continue;
            for (const { date, available } of one.availabilities) last.set(date, available);
          }
          const told = bodies.find(
            (body) => body['event'] === 'property_availability_updated' && body['property_id'] === property,
          );
          assert.equal(told === undefined, last.size === 0);
          if (!told) continue;
          const nights = [...last].map(([date, available]) => ({ date, available }));
          assert.deepEqual(
            told['availabilities'],
            nights.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is nothing where nothing was said', async () => {
    assert.deepEqual(await queued([]), []);
  });
});

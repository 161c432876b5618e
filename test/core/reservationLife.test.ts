import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ReservationStatus } from '../../src/contract/reservations.ts';
import { cancelChannelReservation } from '../../src/core/channels/reservations/changes.ts';
import { receivePayment } from '../../src/core/channels/reservations/money.ts';
import { type RateLine, ratesOf, sumOf } from '../../src/core/channels/rates.ts';
import {
  type DepositAmounts,
  depositAfter,
  type DepositEvent,
  depositLife,
  NO_DEPOSIT,
} from '../../src/core/reservations/deposits/depositRules.ts';
import {
  ANSWER_MS,
  channelCode,
  holdsNights,
  isDirect,
  PAYMENT_MS,
  reservationLife,
} from '../../src/core/reservations/rules.ts';
import { timeoutWorker } from '../../src/core/reservations/times/timeouts.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import { arrowsOf } from '../../src/kernel/transitions.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import type { Worker } from '../../src/kernel/worker.ts';
import type { StoreLocation } from '../../src/store/store.ts';
import { byChannel, channelRoom, deliver, type Delivered } from '../support/channel.ts';
import { startCore, type TestCore } from '../support/core.ts';
import { describeOnPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';

const amount = fc.integer({ min: 1, max: 500 });
const depositEvent: fc.Arbitrary<DepositEvent> = fc.oneof(
  fc.record({ kind: fc.constantFrom('required' as const, 'paid' as const), amount }),
  fc.record({ kind: fc.constantFrom('deducted' as const, 'refunded' as const), amount }),
  fc.constant({ kind: 'returned' as const }),
);

describe('the life of a deposit', () => {
  it('no sequence of events leaves the table, creates or loses money, or owes less than nothing', () => {
    fc.assert(
      fc.property(fc.array(depositEvent, { maxLength: 25 }), (events) => {
        let deposit: DepositAmounts = NO_DEPOSIT;
        for (const event of events) {
          const before = deposit;
          try {
            deposit = depositAfter(before, event);
          } catch (error) {
            assert.ok(error instanceof ApiError && error.code === 400);
            assert.ok(event.kind !== 'required' && event.kind !== 'paid', 'these can always happen');
            continue;
          }
          assert.ok(arrowsOf(depositLife).some((row) => row.from === before.status && row.to === deposit.status));
          const { paid_amount, deducted_amount, pending_refund_amount, refunded_amount, status } = deposit;
          for (const part of [paid_amount, deducted_amount, pending_refund_amount, refunded_amount])
            assert.ok(part >= 0);
          assert.ok(deducted_amount + pending_refund_amount + refunded_amount <= paid_amount);
          assert.equal(status === 'unpaid', paid_amount === 0);
          if (status === 'refunded') assert.equal(pending_refund_amount, 0);
          if (pending_refund_amount > 0) assert.equal(status, 'paid');
        }
      }),
      { numRuns: 500 },
    );
  });

  it('deducted in full stays paid; a return of what is left counts no refund', () => {
    const paid = depositAfter(NO_DEPOSIT, { kind: 'paid', amount: 100 });
    const kept = depositAfter(paid, { kind: 'deducted', amount: 100 });
    assert.deepEqual([kept.status, kept.pending_refund_amount], ['paid', 0]);
    const returned = depositAfter(paid, { kind: 'returned' });
    assert.deepEqual([returned.status, returned.pending_refund_amount, returned.refunded_amount], ['refunded', 0, 0]);
    for (const kind of ['deducted', 'refunded'] as const)
      assert.throws(() => depositAfter(paid, { kind, amount: 101 }), ApiError);
  });
});

describe('what a channel says of prices and codes', () => {
  const line: fc.Arbitrary<RateLine> = fc.record({
    type: fc.constantFrom('ACCOMMODATION', 'CLEANING_FEE', 'PET_FEE', 'HOST_SERVICE_FEE', 'TAX', 'NEW_FEE'),
    description: fc.constant(''),
    amount: fc.integer({ min: 0, max: 1_000_000 }),
  });

  it('rate, commission and taxes are all of the lines, each counted once', () => {
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { rate, commission } = ratesOf(lines);
        const taxes = sumOf(lines.filter((one) => one.type === 'TAX').map((one) => one.amount));
        assert.equal(rate + commission + taxes, sumOf(lines.map((one) => one.amount)));
      }),
    );
  });

  it('no id of a channel makes a code that looks like a direct booking’s', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `5-${text}`),
        ),
        (id) => {
          const code = channelCode(systemRandom, id);
          assert.ok(!isDirect(code));
          assert.match(code, /^0-([A-Za-z0-9]{1,32}-)?[A-Z2-9]{6}$/);
        },
      ),
    );
  });
});

/** What can happen to a booking: somebody acts, or so many minutes pass. */
type Step = 'approve' | 'decline' | 'pay' | 'cancel' | number;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom('approve' as const, 'decline' as const, 'pay' as const, 'cancel' as const),
  fc.constantFrom(1, 10, 20, 60, 719, 720, 1_440),
);
const kind = fc.constantFrom('request' as const, 'instant' as const, 'unpaid' as const);

describe('a booking through operations and time', () => {
  let core: TestCore;
  let timeouts: Worker;
  let mill: number;
  before(async () => {
    core = await startCore();
    mill = (await core.call('createProperty', { title: 'Mill' })).property_id;
    timeouts = timeoutWorker(core.core, silentLogger);
    await timeouts.start();
    await timeouts.settled();
  });
  after(async () => {
    await timeouts.stop();
    await core.close();
  });

  const statusOf = async (code: string): Promise<ReservationStatus> =>
    (await core.call('listReservations', { reservation_code: code })).reservations[0].status;

  /** So many minutes go by, and the worker looks at the clock. */
  async function pass(minutes: number): Promise<true> {
    core.clock.jump(minutes * 60_000);
    await core.clock.advance(1_500);
    return true;
  }

  async function act(what: Exclude<Step, number>, made: Delivered): Promise<boolean> {
    if (what === 'approve' || what === 'decline') {
      const answer = await core.request('POST', `/reservations/${made.reservation_code}/${what}`);
      assert.ok([200, 400].includes(answer.error_code), answer.error_msg);
      return answer.error_code === 200;
    }
    const work = byChannel<unknown>(core, (change) =>
      what === 'cancel'
        ? cancelChannelReservation(change, made)
        : receivePayment(change, made, { reference: core.core.ids(), amount: 291_00 }),
    );
    return work.then(
      () => true,
      (error: unknown) => {
        assert.ok(error instanceof ApiError && error.code === 400);
        return false;
      },
    );
  }

  it('no sequence of operations and time reaches a state or a move outside the table; nights follow the state', async () => {
    await fc.assert(
      fc.asyncProperty(kind, fc.array(step, { maxLength: 6 }), async (kindOfReservation, steps) => {
        const made = await deliver(core, [channelRoom(mill)], {
          kind: kindOfReservation,
          channel_type: kindOfReservation === 'unpaid' ? 'booking_site' : 'marketplace_a',
          booked_at: instantOf(core.clock.now()),
        });
        const began = core.clock.now();
        let status = made.status;
        for (const one of steps) {
          const done = typeof one === 'number' ? await pass(one) : await act(one, made);
          const next = await statusOf(made.reservation_code);
          if (!done) assert.equal(next, status, 'what is refused changes nothing');
          if (next !== status)
            assert.ok(
              arrowsOf(reservationLife).some((row) => row.from === status && row.to === next),
              `${status} → ${next}`,
            );
          status = next;
          const waited = core.clock.now() - began;
          if (status === 'wait_accept') assert.ok(waited < ANSWER_MS + 2_000, 'a request waits no longer than a day');
          if (status === 'wait_pay') assert.ok(waited < PAYMENT_MS + 2_000, 'nor a payment longer than its window');
          const nights = await core.core.store.db.selectFrom('nights').select('night').execute();
          assert.equal(nights.length > 0, holdsNights(status));
          const timers = await core.core.store.db.selectFrom('reservation_timers').select('due_at').execute();
          assert.equal(timers.length > 0, status === 'wait_accept' || status === 'wait_pay');
        }
        if (holdsNights(status)) await act('cancel', made);
      }),
      { numRuns: 40 },
    );
  });

  it('an answer after the time is over finds the request timed out, also before the worker has looked', async () => {
    await timeouts.stop();
    const made = await deliver(core, [channelRoom(mill)], { kind: 'request', booked_at: instantOf(core.clock.now()) });
    const site = { kind: 'unpaid', channel_type: 'booking_site', booked_at: instantOf(core.clock.now()) } as const;
    const later = { check_in_date: '2027-05-01', check_out_date: '2027-05-02' };
    const unpaid = await deliver(core, [channelRoom(mill, later)], site);
    core.clock.jump(ANSWER_MS);
    assert.equal(await act('approve', made), false);
    assert.equal(await statusOf(made.reservation_code), 'timeout');
    assert.equal(await act('pay', unpaid), false);
    timeouts = timeoutWorker(core.core, silentLogger);
    await timeouts.start();
    await timeouts.settled();
    assert.equal(
      await statusOf(unpaid.reservation_code),
      'timeout',
      'what came due before a start is ended at the start',
    );
  });
});

/** Two processes over one database. */
function twoWorkers(place: () => Promise<StoreLocation | undefined>): void {
  it('what is due is ended once, with one event, and its nights are freed', async () => {
    const core = await startCore(await place());
    const { property_id } = await core.call('createProperty', { title: 'Mill' });
    const made: Delivered[] = [];
    for (let day = 1; day <= 6; day += 1) {
      const dates = { check_in_date: `2027-03-0${day}`, check_out_date: `2027-03-0${day + 1}` };
      made.push(await deliver(core, [channelRoom(property_id, dates)], { kind: 'request' }));
    }
    core.clock.jump(ANSWER_MS);
    const before = (await core.events()).length;
    const workers = [1, 2, 3].map(() => timeoutWorker(core.core, silentLogger));
    await Promise.all(workers.map((worker) => worker.start()));
    await Promise.all(workers.map((worker) => worker.settled()));
    await Promise.all(workers.map((worker) => worker.stop()));
    const events = (await core.events()).slice(before);
    const updated = events.filter((event) => event['event'] === 'reservation_updated');
    assert.deepEqual(
      updated.map((event) => event['reservation_code']).toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
      made.map((one) => one.reservation_code).toSorted(),
    );
    assert.equal(events.length, 12);
    const { reservations } = await core.call('listReservations', { status: 'timeout', property_id });
    assert.equal(reservations.length, 6);
    assert.equal((await core.core.store.db.selectFrom('nights').selectAll().execute()).length, 0);
    await core.close();
  });
}

describe('several workers', () => twoWorkers(async () => undefined));
describeOnPostgres('several workers on PostgreSQL', () => {
  let server: TestPostgres;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());
  twoWorkers(async () => ({ kind: 'postgres', url: await server.freshDatabase(), schema: 'core' }));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { OperationId } from '../../../src/contract/index.ts';
import type { LimitWindow } from '../../../src/contract/limits.ts';
import { sleep } from '../../../src/kernel/clock.ts';
import { describedLimits, describedLimitsGate } from '../../../src/sync/budget/gate.ts';
import { Ledger, type Limits } from '../../../src/sync/budget/ledger.ts';
import { foreseeWork, planWork, type Work } from '../../../src/sync/budget/plan.ts';
import { virtualTime } from '../../sim/virtualTime.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const MIDNIGHT = Date.parse('2026-11-20T00:00:00.000Z');
const operations = ['listReservations', 'listTransactions', 'listReviews'] as const satisfies OperationId[];

interface Case {
  account: LimitWindow[];
  routes: LimitWindow[][];
  requests: number[];
}

/** The first second by which everything can have been sent, found by trying everything. */
function bestFinish({ account, routes, requests }: Case): number {
  interface State {
    left: number[];
    /** By bucket (the account last) and window, what was used of the open one. */
    used: number[][];
  }
  let states = new Map<string, State>();
  const start: State = { left: requests, used: [...routes, account].map((windows) => windows.map(() => 0)) };
  states.set(JSON.stringify(start), start);
  for (let second = 0; second < 200; second += 1) {
    const next = new Map<string, State>();
    for (const state of states.values()) {
      const used = [...routes, account].map((windows, bucket) =>
        windows.map((window, index) => (second % window.seconds === 0 ? 0 : (state.used[bucket]?.[index] ?? 0))),
      );
      for (const sent of choices(state.left)) {
        const total = sent.reduce((sum, count) => sum + count, 0);
        const after = used.map((row, bucket) => row.map((count) => count + (sent[bucket] ?? total)));
        const fits = [...routes, account].every((windows, bucket) =>
          windows.every((window, index) => (after[bucket]?.[index] ?? 0) <= window.max),
        );
        if (!fits) continue;
        const left = state.left.map((count, index) => count - (sent[index] ?? 0));
        if (left.every((count) => count === 0)) return second;
        const reached = { left, used: after };
        next.set(JSON.stringify(reached), reached);
      }
    }
    states = next;
  }
  throw new Error('not within 200 seconds');
}

function choices(left: readonly number[]): number[][] {
  return left.reduce<number[][]>(
    (all, most) => all.flatMap((one) => Array.from({ length: most + 1 }, (_, count) => [...one, count])),
    [[]],
  );
}

function ledgerOf({ account, routes }: Pick<Case, 'account' | 'routes'>): Ledger {
  const limits: Limits = {
    account,
    windowsOf: (operation) => routes[operations.indexOf(operation as (typeof operations)[number])] ?? [],
    failed: [],
  };
  return new Ledger(limits, 0);
}

const workOf = (requests: readonly number[]): Work[] =>
  operations.map((operation, index) => ({ operation, requests: requests[index] ?? 0 }));

const cap = (most: number) => fc.integer({ min: 1, max: most });
const windows = (most: number) =>
  fc.record({ one: cap(most), two: cap(most), four: cap(most) }).map(({ one, two, four }) => [
    { seconds: 1, max: one },
    { seconds: 2, max: two },
    { seconds: 4, max: four },
  ]);

test('no plan could end earlier: compared with trying everything', () => {
  const cases = fc.record({
    account: windows(4),
    route: windows(3),
    requests: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 3, maxLength: 3 }),
  });
  fc.assert(
    fc.property(cases, ({ account, route, requests }) => {
      fc.pre(requests.some((count) => count > 0));
      // All reads are of one class, so their routes have the same windows.
      const given = { account, routes: [route, route, route], requests };
      const { finishAt } = planWork(ledgerOf(given), workOf(requests), 'reply', MIDNIGHT);
      assert.equal((finishAt - MIDNIGHT) / SECOND, bestFinish(given));
    }),
    { numRuns: 150, seed: 11 },
  );
});

test('no plan could end earlier when routes differ, either', () => {
  const cases = fc.record({
    account: windows(4),
    routes: fc.array(windows(3), { minLength: 2, maxLength: 2 }),
    requests: fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 2 }),
  });
  fc.assert(
    fc.property(cases, (given) => {
      fc.pre(given.requests.some((count) => count > 0));
      const { finishAt } = planWork(ledgerOf(given), workOf(given.requests), 'reply', MIDNIGHT);
      assert.equal((finishAt - MIDNIGHT) / SECOND, bestFinish(given));
    }),
    { numRuns: 150, seed: 12 },
  );
});

test('what was asked before the plan began counts', () => {
  const ledger = new Ledger(describedLimits, 0);
  ledger.take('listReservations', 'lookup', MIDNIGHT, 500);
  const { finishAt } = planWork(ledger, [{ operation: 'listReservations', requests: 100 }], 'backfill', MIDNIGHT);
  assert.equal(finishAt, MIDNIGHT + MINUTE, 'a tenth of the minute is left to look-ups');
  assert.equal(ledger.room('listReservations', 'lookup', MIDNIGHT), 88, 'planning asks for nothing');
});

test('two kinds of requests share the account and are over together', () => {
  const ledger = new Ledger(describedLimits, 0);
  const work: Work[] = [
    { operation: 'listReservations', requests: 1_200 },
    { operation: 'listTransactions', requests: 1_200 },
  ];
  const { finishAt } = planWork(ledger, work, 'backfill', MIDNIGHT);
  assert.equal(finishAt, MIDNIGHT + 2 * MINUTE, '540 of each in a minute, 1,080 in all');
});

test('slow answers, not limits, are what a plan waits for where limits leave room', () => {
  const ledger = new Ledger(describedLimits, 0);
  const { finishAt } = planWork(ledger, [{ operation: 'listReservations', requests: 300 }], 'backfill', MIDNIGHT, 500);
  assert.equal(finishAt, MIDNIGHT + 150 * SECOND);
});

test('work that goes on side by side ends when it was foreseen, also where a better order would end earlier', async () => {
  const start = Date.parse('2026-11-20T12:00:00.000Z');
  const msPerRequest = 50;
  // The first read of 118,564 bookings beside 317 listings, whose conversations come last and have a limit of their own.
  const work: Work[] = [
    { operation: 'getConversation', requests: 3_725 },
    { operation: 'listSpecialOffers', requests: 2_500 },
    { operation: 'listReservations', requests: 1_236 },
    { operation: 'listTransactions', requests: 930 },
  ];
  const time = virtualTime(start);
  const clock = time.newProcess();
  const gate = describedLimitsGate(clock);
  const { finishAt } = foreseeWork(gate.ledger(), work, 'backfill', start, msPerRequest);
  const possible = planWork(gate.ledger(), work, 'backfill', start, msPerRequest).finishAt;
  const asked = work.map(async ({ operation, requests }) => {
    for (let one = 0; one < requests; one += 1) {
      await gate.acquire(operation, 'backfill');
      await sleep(clock, msPerRequest);
    }
  });
  let isOver = false;
  void Promise.all(asked).then(() => (isOver = true));
  assert.ok(await time.runUntil(() => isOver, 3_600_000));
  const off = Math.abs(clock.now() - finishAt) / (finishAt - start);
  assert.ok(off <= 0.02, `${off}: foreseen ${finishAt - start}, was ${clock.now() - start}`);
  assert.ok(possible <= finishAt);
});

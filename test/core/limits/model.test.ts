import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RateClass } from '../../../src/contract/limits.ts';
import { RequestCounters, type Requester } from '../../../src/core/limits/counters.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { limitPolicy } from '../../../src/core/limits/policy.ts';
import { RateLimited } from '../../../src/core/limits/rateLimited.ts';
import type { CoreDatabase } from '../../../src/core/database.ts';
import type { AccountId } from '../../../src/kernel/ids.ts';
import {
  fullWindow,
  type LimitWindow,
  type Tally,
  tallied,
  usedOf,
  windowName,
} from '../../../src/kernel/limits/windows.ts';
import type { Store } from '../../../src/store/store.ts';
import { manualClock } from '../../support/clock.ts';
import { seededDice } from '../../../src/kernel/seeded.ts';

/** The limits, written down once more and by somebody else: numbers by window length, and a log of what passed. */
const ACCOUNT = { 60: 1_200, 600: 6_000, 3600: 20_000, 86400: 100_000 };
const DEFAULT = { 60: 600, 600: 3_000, 3600: 10_000, 86400: 50_000 };
const CLASSES: Record<RateClass, Record<number, number>> = {
  default: DEFAULT,
  availability_write: { 60: 120 },
  listing_write: { 60: 120 },
  price_rules: { 60: 120 },
  reservation_create: { 60: 60 },
};
const FAILED = { 3600: 500, 86400: 2_000 };

interface Answer {
  scope: string;
  window: number;
  retryAfter: number;
}

/** Counts what passed by window, never resets anything, and looks for the full window that ends last. */
class Oracle {
  readonly #passed = new Map<string, Map<number, number>>();

  ask(keys: readonly [scope: string, key: string, windows: Record<number, number>][], seconds: number): Answer | null {
    const full: Answer[] = [];
    for (const [scope, key, windows] of keys) {
      const passed = this.#passed.get(key);
      for (const length in windows) {
        const window = Number(length);
        const number = Math.floor(seconds / window);
        if ((passed?.get(number * 100_000 + window) ?? 0) >= (windows[window] ?? 0)) {
          full.push({ scope, window, retryAfter: Math.ceil((number + 1) * window - seconds) });
        }
      }
    }
    const longest = Math.max(...full.map((one) => one.retryAfter));
    return full.find((one) => one.retryAfter === longest) ?? null;
  }

  pass(key: string, windows: Record<number, number>, seconds: number): void {
    let passed = this.#passed.get(key);
    if (!passed) this.#passed.set(key, (passed = new Map()));
    for (const length in windows) {
      const window = Math.floor(seconds / Number(length)) * 100_000 + Number(length);
      passed.set(window, (passed.get(window) ?? 0) + 1);
    }
  }
}

const REQUESTS = 1_000_000;

describe('limits against a second opinion', () => {
  it(`agree on each of ${REQUESTS.toLocaleString('en-US')} random requests, over days of bursts and quiet`, () => {
    const random = seededDice(20_261_121).fraction;
    // Most of the time would go into stacks of refusals that nobody looks at.
    Error.stackTraceLimit = 0;
    const clock = manualClock(Date.parse('2026-11-20T23:51:13.250Z'));
    const counters = new RequestCounters({} as Store<CoreDatabase>, clock, limitPolicy('on'), silentLogger);
    const oracle = new Oracle();
    const accounts = ['a', 'b'] as AccountId[];
    const endpoints = (Object.keys(CLASSES) as RateClass[]).flatMap((rate) =>
      ['1', '2', '3', '4'].slice(0, rate === 'default' ? 4 : 1).map((name) => ({ name: `${rate} ${name}`, rate })),
    );
    const tokens = [
      null,
      { id: 1, per_minute: null, per_hour: null, unlimited: false },
      { id: 2, per_minute: 50, per_hour: null, unlimited: false },
      { id: 3, per_minute: null, per_hour: 400, unlimited: false },
      { id: 4, per_minute: 100, per_hour: 700, unlimited: false },
    ];
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const seen = new Map<string, number>();
    let pause = 0.02;
    let failing = 0.01;
    for (let i = 0; i < REQUESTS; i += 1) {
      if (i % 2_000 === 0) {
        pause = pick([0, 0.005, 0.02, 0.1, 0.5]);
        failing = pick([0, 0.01, 0.5]);
        if (random() < 0.02) clock.jump(Math.floor(random() * 20_000_000));
      }
      if (pause > 0) clock.jump(Math.floor(random() * pause * 1_000));
      const seconds = clock.now() / 1_000;
      const account_id = pick(accounts);
      const { name, rate } = random() < 0.5 ? (endpoints[0] ?? pick(endpoints)) : pick(endpoints);
      const token = pick(tokens);
      const cap = {
        ...(token?.per_minute && { 60: token.per_minute }),
        ...(token?.per_hour && { 3600: token.per_hour }),
      };
      const who: Requester = { account: { account_id }, token };
      const mine = `${account_id} ${name}`;
      const expected = oracle.ask(
        [
          ['user', account_id, ACCOUNT],
          ['token', `${account_id} token ${token?.id}`, cap],
          ['endpoint', mine, CLASSES[rate]],
          ['endpoint_error', `${mine} failed`, FAILED],
        ],
        seconds,
      );
      const got = ask(counters, who, name, rate);
      if (!sameAnswer(got, expected)) assert.deepEqual(got, expected, `request ${i}`);
      seen.set(got?.scope ?? 'passed', (seen.get(got?.scope ?? 'passed') ?? 0) + 1);
      if (got) continue;
      oracle.pass(account_id, ACCOUNT, seconds);
      oracle.pass(`${account_id} token ${token?.id}`, cap, seconds);
      oracle.pass(mine, CLASSES[rate], seconds);
      if (random() >= failing) continue;
      counters.countFailure(who, name, rate);
      oracle.pass(`${mine} failed`, FAILED, seconds);
    }
    Error.stackTraceLimit = 10;
    for (const what of ['passed', 'user', 'token', 'endpoint', 'endpoint_error']) {
      assert.ok((seen.get(what) ?? 0) > 1_000, `${what} was met ${seen.get(what)} times`);
    }
  });
});

function ask(counters: RequestCounters, who: Requester, bucket: string, rate: RateClass): Answer | null {
  try {
    counters.admit(who, bucket, rate);
    return null;
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error;
    const { headers } = error;
    return {
      scope: headers['x-ratelimit-scope'] ?? '',
      window: LENGTHS[headers['x-ratelimit-window'] ?? ''] ?? 0,
      retryAfter: Number(headers['retry-after']),
    };
  }
}

const LENGTHS: Record<string, number> = { '1m': 60, '10m': 600, '1h': 3_600, '24h': 86_400 };

function sameAnswer(a: Answer | null, b: Answer | null): boolean {
  return a?.scope === b?.scope && a?.window === b?.window && a?.retryAfter === b?.retryAfter;
}

describe('windows', () => {
  const windows = fc.uniqueArray(
    fc.record({ seconds: fc.integer({ min: 1, max: 90_000 }), max: fc.integer({ min: 1, max: 5 }) }),
    {
      selector: (window) => window.seconds,
      minLength: 1,
      maxLength: 5,
    },
  );

  it('any list of them: never more than max in one, and each refusal ends when it says', () => {
    fc.assert(
      fc.property(windows, fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 }), (list, pauses) => {
        const passed: number[] = [];
        let tallies: (Tally | undefined)[] = list.map(() => undefined);
        let now = 1_700_000_000_000;
        for (const pause of pauses) {
          now += pause;
          const full = fullWindow(list, tallies, now);
          const room = list.every(
            ({ seconds, max }) =>
              passed.filter((at) => Math.floor(at / seconds / 1_000) === Math.floor(now / seconds / 1_000)).length <
              max,
          );
          assert.equal(full === undefined, room);
          if (full) {
            const open = full.resetsAt * 1_000;
            assert.equal(usedOf(full.window, tallies[list.indexOf(full.window)], open), 0);
            assert.equal(fullWindow(list, tallies, open), undefined, 'the longest wait is enough');
            assert.ok(full.retryAfter >= 1 && now + full.retryAfter * 1_000 >= open);
          } else {
            passed.push(now);
            tallies = list.map((window: LimitWindow, index) => tallied(window, tallies[index], now));
          }
        }
      }),
    );
  });

  it('are named in the largest whole unit', () => {
    const names = [5, 60, 90, 600, 1_800, 3_600, 7_200, 86_400].map((seconds) => windowName({ seconds, max: 1 }));
    assert.deepEqual(names, ['5s', '1m', '90s', '10m', '30m', '1h', '2h', '24h']);
  });
});

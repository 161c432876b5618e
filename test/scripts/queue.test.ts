import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exponential, simulate, Station } from '../../bench/support/queue.ts';
import { seededDice } from '../../src/kernel/seeded.ts';

/** The mean wait in a queue with exponential times and c servers, as Erlang found it. */
function erlangWait(rate: number, mean: number, servers: number): number {
  const load = rate * mean;
  let term = 1;
  let sum = 1;
  for (let k = 1; k < servers; k += 1) sum += term *= load / k;
  const last = (term * load) / servers / (1 - load / servers);
  const waits = last / (sum + last);
  return (waits * mean) / (servers - load);
}

describe('simulated queues', () => {
  for (const [servers, load] of [
    [1, 0.5],
    [1, 0.8],
    [4, 0.7],
    [16, 0.9],
  ] as const) {
    it(`${servers} servers at ${load} of their capacity wait as long as Erlang says`, () => {
      const random = seededDice(servers * 100 + load * 10);
      const mean = 0.01;
      const rate = (servers * load) / mean;
      const station = new Station(servers);
      let at = 0;
      let waited = 0;
      const jobs = 300_000;
      for (let job = 0; job < jobs; job += 1) {
        at += exponential(random, 1 / rate);
        const takes = exponential(random, mean);
        waited += station.serve(at, takes) - at - takes;
      }
      const [found, expected] = [waited / jobs, erlangWait(rate, mean, servers)];
      assert.ok(Math.abs(found / expected - 1) < 0.1, `${found} s, Erlang ${expected} s`);
    });
  }

  const costs = { acknowledge: 0.001, store: 0.0005, apply: 0.002, write: 0.001, answer: 0.05 };
  const size = { rate: 300, burst: 0, seconds: 60, receivers: 1, workers: 1, databaseCores: 1 };

  it('a burst is worked off by what the slowest station has left', () => {
    const { burstOver, backlog } = simulate({ ...size, burst: 10_000 }, costs, seededDice(1));
    // 500 a second are applied, also those that come meanwhile, but behind the burst.
    assert.ok(Math.abs(burstOver - 20) < 2, `${burstOver} s`);
    assert.ok(backlog > 5_000 && backlog < 10_000, String(backlog));
  });

  it('without a burst nothing waits for long, and every event is applied', () => {
    const { stale, acknowledged } = simulate(size, costs, seededDice(2));
    assert.ok(acknowledged.p99 < 0.02, String(acknowledged.p99));
    assert.ok(stale.p50 > 0.03 && stale.p99 < 0.5, JSON.stringify(stale));
  });

  it('more than a station can do never ends', () => {
    const { stale } = simulate({ ...size, rate: 700 }, costs, seededDice(3));
    assert.ok(stale.most > 15, String(stale.most));
  });
});

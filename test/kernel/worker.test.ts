import assert from 'node:assert/strict';
import { test } from 'node:test';
import { turn } from '../../src/kernel/clock.ts';
import { type Work, Worker } from '../../src/kernel/worker.ts';
import { manualClock } from '../support/clock.ts';
import { silentLogger } from '../../src/kernel/log.ts';

const EVERY_MS = 1_000;

function working(more: Partial<Work> = {}) {
  const clock = manualClock(Date.UTC(2027, 0, 1));
  let rounds = 0;
  const count = () => {
    rounds += 1;
    return Promise.resolve();
  };
  const worker = new Worker({ clock, log: silentLogger, name: 'a test', everyMs: EVERY_MS, round: count, ...more });
  return { clock, worker, rounds: () => rounds, count };
}

async function settle(): Promise<void> {
  for (let i = 0; i < 5; i += 1) await turn();
}

test('a worker looks at the start, by the clock, and at once when it is woken', async () => {
  const { clock, worker, rounds } = working();
  worker.wake();
  await settle();
  assert.equal(rounds(), 0, 'not before the start');
  await worker.start();
  await worker.settled();
  assert.equal(rounds(), 1);
  await clock.advance(EVERY_MS - 1);
  assert.equal(rounds(), 1);
  await clock.advance(1);
  await settle();
  assert.equal(rounds(), 2);
  worker.wake();
  await worker.settled();
  assert.equal(rounds(), 3);
  await worker.stop();
  assert.equal(clock.waiting, 0);
});

test('one round at a time: however often it is woken during a round, one more follows', async () => {
  const open: (() => void)[] = [];
  const { worker } = working({ round: () => new Promise<void>((resolve) => open.push(resolve)) });
  await worker.start();
  for (let i = 0; i < 5; i += 1) worker.wake();
  await settle();
  assert.equal(open.length, 1);
  open[0]?.();
  await settle();
  assert.equal(open.length, 2);
  open[1]?.();
  await worker.settled();
  assert.equal(open.length, 2);
  assert.equal(worker.busy, false);
  await worker.stop();
});

test('a round says when the next one is due, at once included', async () => {
  const waits = [0, 0, 5_000];
  let rounds = 0;
  const { clock, worker } = working({
    async round() {
      rounds += 1;
      return waits.shift();
    },
  });
  await worker.start();
  await worker.settled();
  assert.equal(rounds, 3);
  await clock.advance(4_999);
  assert.equal(rounds, 3);
  await clock.advance(1);
  await settle();
  assert.equal(rounds, 4);
  await worker.stop();
});

test('what fails is logged with its reason and tried again', async () => {
  const said: unknown[] = [];
  let rounds = 0;
  const { clock, worker } = working({
    log: { ...silentLogger, error: (...words: unknown[]) => void said.push(words) },
    fields: { connection: 'c1' },
    retryMs: 300,
    async round() {
      rounds += 1;
      if (rounds === 1) throw new Error('the disk is full');
    },
  });
  await worker.start();
  await worker.settled();
  const [[{ connection, problem }, line]] = said as [[{ connection: string; problem: string }, string]];
  assert.deepEqual([connection, problem, line], ['c1', 'the disk is full', 'a test failed; tried again shortly']);
  await clock.advance(300);
  await settle();
  assert.deepEqual([rounds, said.length], [2, 1]);
  await worker.stop();
});

test('a stop waits for the round under way, tells it, and begins no other', async () => {
  let told: AbortSignal | undefined;
  let end = () => {};
  const { clock, worker } = working({
    round: (signal) => {
      told = signal;
      return new Promise<number>((resolve) => (end = () => resolve(0)));
    },
  });
  await worker.start();
  worker.wake();
  let isStopped = false;
  const stopping = worker.stop().then(() => (isStopped = true));
  assert.equal(told?.aborted, true);
  await settle();
  assert.equal(isStopped, false);
  end();
  await stopping;
  worker.wake();
  assert.deepEqual([worker.busy, clock.waiting], [false, 0]);
});

test('what must be prepared is done once, before the first round; a first round can wait', async () => {
  const order: string[] = [];
  const { clock, worker } = working({
    firstMs: 60_000,
    prepare: async () => void order.push('prepared'),
    round: async () => void order.push('round'),
  });
  await worker.start();
  await clock.advance(59_999);
  assert.deepEqual(order, ['prepared']);
  await clock.advance(1);
  await settle();
  assert.deepEqual(order, ['prepared', 'round']);
  await worker.stop();
});

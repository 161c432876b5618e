import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededDice } from '../src/kernel/seeded.ts';
import { startBuilt } from '../test/chaos/built.ts';
import { settled } from '../test/support/service.ts';
import { canHold } from './support/heldProcess.ts';
import { sendLoad } from './support/measure.ts';
import { book, type CountedPostgres, hookSecret, startCountedPostgres } from './support/onPostgres.ts';
import { cpuMs } from './support/processes.ts';
import { type Costs, simulate, type Size } from './support/queue.ts';
import { signedEvents } from './support/signedEvents.ts';

/**
 * What an event costs on PostgreSQL, measured here, and what that makes of many accounts: receiving, reading and applying are
 * simulated as queues. Nothing is promised of it; docs/scale.md shows its table.
 */
const BOOKINGS = 150;
/** The reservation, and the nights of its property. */
const EVENTS_OF_BOOKING = 2;
const EVENTS = 6_000;
const CONNECTIONS = 50;
const SECONDS = 3;
/** Seconds that a core answers in, over a network. */
const ANSWER = 0.05;
const TIME = 120;
const SEED = 7;

/** Cores for each size: of receivers, of workers, of databases. */
const sizes: readonly [accounts: number, size: Omit<Size, 'seconds'>][] = [
  [1_000, { rate: 30, burst: 1_000, receivers: 1, workers: 1, databaseCores: 1 }],
  [10_000, { rate: 300, burst: 10_000, receivers: 2, workers: 8, databaseCores: 10 }],
  [100_000, { rate: 3_000, burst: 0, receivers: 6, workers: 72, databaseCores: 90 }],
  [100_000, { rate: 3_000, burst: 100_000, receivers: 6, workers: 72, databaseCores: 90 }],
  [100_000, { rate: 3_000, burst: 100_000, receivers: 12, workers: 144, databaseCores: 180 }],
];

if (!canHold())
  process.stdout.write('scale: this machine has no control groups of version 1, or we are not root: not run\n');
else {
  const postgres = await startCountedPostgres();
  let costs: Costs;
  try {
    costs = await measure(postgres);
  } finally {
    await postgres.stop();
  }
  printCosts(costs);
  printSizes(costs);
}

/** Measures on a service with all roles; what the core alone needs for its bookings is taken off. */
async function measure(postgres: CountedPostgres): Promise<Costs> {
  const alone = await bookingCost(postgres, { STAYD_ROLES: 'core,console' });
  const both = await bookingCost(postgres, {});
  return {
    ...both.received,
    apply: Math.max(0, (both.process - alone.process) / EVENTS_OF_BOOKING - both.received.acknowledge),
    write: Math.max(0, (both.database - alone.database) / EVENTS_OF_BOOKING - both.received.store),
    answer: ANSWER,
  };
}

async function bookingCost(postgres: CountedPostgres, roles: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'stayd-bench-'));
  const { url, environment } = await postgres.database();
  const service = await startBuilt(dataDir, { ...environment, ...roles });
  const pid = service.child.pid ?? 0;
  const isWhole = roles['STAYD_ROLES'] === undefined;
  const settle = () => (isWhole ? settled(service, 300_000) : Promise.resolve());
  const spent = () => ({ process: cpuMs(pid), database: postgres.cpu.usedMs() });
  try {
    // Code is compiled and caches are filled first.
    await book(service, BOOKINGS);
    await settle();
    const before = spent();
    await book(service, BOOKINGS + 1);
    await settle();
    const after = spent();
    const each = (what: 'process' | 'database') => (after[what] - before[what]) / (BOOKINGS + 1) / 1_000;
    const received = isWhole ? await receivingCost(url, service.url, spent) : { acknowledge: 0, store: 0 };
    return { process: each('process'), database: each('database'), received };
  } finally {
    await service.kill('SIGTERM');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function receivingCost(url: string, address: string, spent: () => { process: number; database: number }) {
  const secret = await hookSecret(url);
  const before = spent();
  const { answered } = await sendLoad({
    url: `${address}/hooks/local`,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'service-webhook-secret-token': secret },
    ...signedEvents(secret, EVENTS * SECONDS, false),
    connections: CONNECTIONS,
    seconds: SECONDS,
    warmUpSeconds: 1,
  });
  const after = spent();
  return {
    acknowledge: (after.process - before.process) / answered / 1_000,
    store: (after.database - before.database) / answered / 1_000,
  };
}

function printCosts({ acknowledge, store, apply, write }: Costs): void {
  const ms = (seconds: number) => `${(seconds * 1_000).toFixed(2)} ms`;
  process.stdout.write(
    `an event costs: received ${ms(acknowledge)} of a process and ${ms(store)} of the database, read and applied ${ms(apply)} and ${ms(write)}\n\n`,
  );
}

function printSizes(costs: Costs): void {
  const heads = [
    'accounts',
    'events',
    'cores: receive · work · database',
    'acknowledged',
    'in the mirror',
    'backlog',
    'burst over',
  ];
  const rows = sizes.map(([accounts, size]) => {
    const { acknowledged, stale, backlog, burstOver } = simulate({ ...size, seconds: TIME }, costs, seededDice(SEED));
    const number = (value: number) => value.toLocaleString('en-US');
    const time = (seconds: number) => (seconds < 1 ? `${Math.round(seconds * 1_000)} ms` : `${seconds.toFixed(1)} s`);
    return [
      number(accounts),
      `${number(size.rate)} /s${size.burst > 0 ? ` and ${number(size.burst)} at once` : ''}`,
      `${size.receivers} · ${size.workers} · ${size.databaseCores}`,
      `p50 ${time(acknowledged.p50)}, p99 ${time(acknowledged.p99)}`,
      `p50 ${time(stale.p50)}, p99 ${time(stale.p99)}`,
      number(backlog),
      size.burst > 0 ? time(burstOver) : '',
    ];
  });
  for (const row of [heads, heads.map(() => '---'), ...rows]) process.stdout.write(`| ${row.join(' | ')} |\n`);
}

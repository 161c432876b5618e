import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Core } from '../../src/core/context.ts';
import type { ImportProgress } from '../../src/imports/importReservations.ts';
import { type Clock, sleep } from '../../src/kernel/clock.ts';
import { foreseeWork } from '../../src/sync/budget/plan.ts';
import { BURST_QUIET_MS } from '../../src/sync/queue/chooseRead.ts';
import { PAGE_ROWS } from '../../src/sync/scans/list.ts';
import { noCrash } from '../../test/sim/crash.ts';
import { CONNECTION } from '../../test/sim/daemon.ts';
import { minutes, peakMb, percent, seconds, spoken, told } from './words.ts';
import { openWorld, type ProvenWorld, type YearSize } from './world.ts';

/** As many bookings as an import stores where nothing else runs. */
const RESERVATIONS_PER_S = 750;
/** Of a delivery over loopback. */
const POST_MS = 2;
/** Of a request, there and back on average. */
const MS_PER_REQUEST = 51;
const LOOK_MS = 250;
const MOST_OFF = 0.02;
/** What takes less than this is too short for the limits to matter. */
const LEAST_PLANNED_MS = 120_000;

/**
 * The real bookings imported with events into an account that lives, with the daemon following under all limits: how
 * long until the mirror is right again, against what was predicted before it began.
 */
export async function proveImport(
  file: string,
  root: string,
  size: YearSize,
  say: (line: string) => void,
): Promise<void> {
  const world = await openWorld(file, root, size, POST_MS);
  try {
    await readPortfolio(world, say);
    await importFollowed(world, say);
  } finally {
    await world.close();
  }
}

type Say = (line: string) => void;

async function readPortfolio({ daemon, simulateYear, passing, count, asked }: ProvenWorld, say: Say): Promise<void> {
  const begun = performance.now();
  await simulateYear();
  await daemon.start(noCrash);
  await passing(daemon.daemon.caughtUp(CONNECTION));
  say(
    `- import: first ${count('listings')} simulated listings with ${count('stays')} stays were read: ${asked.count} requests; ${seconds(begun)} of real time`,
  );
}

async function importFollowed(world: ProvenWorld, say: Say): Promise<void> {
  const { core, time, asked, passing, now, refused } = world;
  const begun = performance.now();
  const startedAt = now();
  const predicted = await predict(world);
  asked.clear();
  const hands = time.newProcess();
  const pace = paceOf(world, hands);
  let isStored = false;
  const importing = world
    .importReal({ announce: true, core: paced(core.core, pace.keep), onProgress: pace.progress })
    .finally(() => (isStored = true));
  // No faster than the import: while it reads its file, nothing happens.
  while (!isStored) {
    await time.runTo(pace.due());
    await nextTurn();
  }
  const report = await importing;
  say(
    `- import: ${report.created} bookings stored with events in ${minutes(now() - startedAt)}; ${seconds(begun)} of real time`,
  );
  const settle = async () => {
    while (!isSettled(world)) await sleep(hands, LOOK_MS);
    return now();
  };
  const took = (await passing(settle())) - startedAt;
  const planned = predicted - startedAt;
  const off = Math.abs(took - planned) / planned;
  say(
    `- import: mirror right ${spoken(took)} after its beginning, predicted before it ${spoken(planned)} (${percent(off)} off, goal ${percent(MOST_OFF)}); ${seconds(begun)} of real time`,
  );
  say(
    `- import: requests ${JSON.stringify(asked.byPurpose())}, ${refused()} answers 429, fullest window ${told(asked.fills()[0])}`,
  );
  tellScans(world, startedAt, say);
  await compare(world, say);
  assert.equal(refused(), 0);
  if (planned >= LEAST_PLANNED_MS) assert.ok(off <= MOST_OFF, 'the prediction');
}

/**
 * When the mirror will be right again: the events of an import are a burst, and what answers it are scans through the
 * ledger and the bookings, one after the other, once no more events come.
 */
async function predict({ planned, count, budget, now }: ProvenWorld): Promise<number> {
  const { bookings, entries } = await planned();
  const storedAt = now() + (bookings / RESERVATIONS_PER_S) * 1_000;
  const pages = (rows: number) => Math.ceil(rows / (PAGE_ROWS - 1));
  const ledger = budget().ledger();
  const after = (operation: 'listTransactions' | 'listReservations', rows: number, at: number) =>
    foreseeWork(ledger, [{ operation, requests: pages(rows) }], 'scan', at, MS_PER_REQUEST).finishAt;
  const ledgerRead = after('listTransactions', count('transactions') + entries, storedAt + BURST_QUIET_MS);
  return after('listReservations', count('stays') + bookings, ledgerRead);
}

/** Lets an import store as fast as it would on a machine of its own, by the clock of the world. */
function paceOf({ time }: ProvenWorld, hands: Clock) {
  const startedAt = time.elapsed();
  let due = startedAt;
  return {
    due: () => due,
    progress({ phase, rows }: ImportProgress) {
      if (phase === 'storing') due = startedAt + Math.round((rows / RESERVATIONS_PER_S) * 1_000);
    },
    async keep() {
      if (due > time.elapsed()) await sleep(hands, due - time.elapsed());
    },
  };
}

function tellScans({ daemon }: ProvenWorld, startedAt: number, say: Say): void {
  const scans = daemon.store.database
    .prepare<[string], { resource: string; started_at: string; finished_at: string; requests: number }>(
      `select resource, started_at, finished_at, requests from scans
       where purpose = 'burst' and started_at >= ? order by scan_id`,
    )
    .all(new Date(startedAt).toISOString());
  const one = ({ resource, started_at: from, finished_at: to, requests }: (typeof scans)[number]) =>
    `${resource} ${requests} requests from ${spoken(Date.parse(from) - startedAt)} to ${spoken(Date.parse(to) - startedAt)}`;
  say(`- import: scans against the burst: ${scans.map(one).join(', ')}`);
}

async function compare({ daemon, passing }: ProvenWorld, say: Say): Promise<void> {
  const begun = performance.now();
  const { resources } = await passing(daemon.daemon.verify(CONNECTION));
  const unclean = resources.filter(({ clean }) => !clean);
  const compared = resources.reduce((sum, one) => sum + one.compared, 0);
  say(`- import: verify compared ${compared} rows, ${unclean.length} resources differ; ${seconds(begun)} of real time`);
  say(`- import: peak memory of core, daemon and harness together ${peakMb()} MB`);
  assert.deepEqual(unclean, []);
}

/** The same core, each of whose transactions waits for its time. */
function paced(core: Core, keepPace: () => Promise<void>): Core {
  const { store } = core;
  return {
    ...core,
    store: {
      ...store,
      async transaction(work) {
        await keepPace();
        return store.transaction(work);
      },
    },
  };
}

/** Whether nothing waits anywhere: no event to hand out or deliver, no key to read. */
function isSettled({ core, daemon }: ProvenWorld): boolean {
  const waits = (database: typeof core.database, text: string) => database.prepare(text).get() !== undefined;
  return !(
    waits(core.database, 'select 1 from outbox where fanned_out = 0 limit 1') ||
    waits(core.database, 'select 1 from deliveries where outcome is null limit 1') ||
    waits(daemon.store.database, 'select 1 from dirty_keys limit 1') ||
    waits(daemon.store.database, "select 1 from inbox where state = 'pending' limit 1")
  );
}

import assert from 'node:assert/strict';
import type { Core } from '../../src/core/context.ts';
import { sleep } from '../../src/kernel/clock.ts';
import { noCrash } from '../../test/sim/crash.ts';
import { CONNECTION } from '../../test/sim/daemon.ts';
import { minutes, peakMb, percent, seconds, spoken, told } from './words.ts';
import { openWorld, type ProvenWorld, type YearSize } from './world.ts';

/** As many bookings as an import stores where nothing else runs. */
const BOOKINGS_PER_S = 750;
/** Of a delivery over loopback. */
const POST_MS = 2;
const LOOK_MS = 250;
const MOST_OFF = 0.02;

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
  const { core, daemon, time, asked, passing, now, refused } = world;
  const begun = performance.now();
  const hands = time.newProcess();
  const startedAt = now();
  let bookings = 0;
  const keepPace = async () => {
    const due = startedAt + (bookings / BOOKINGS_PER_S) * 1_000;
    if (due > now()) await sleep(hands, due - now());
  };
  asked.clear();
  const importing = world.importReal({
    announce: true,
    core: paced(core.core, keepPace),
    onProgress: ({ phase, rows }) => (bookings = phase === 'storing' ? rows : 0),
  });
  const report = await passing(importing);
  const storedAt = now();
  say(
    `- import: ${report.created} bookings stored with events in ${minutes(storedAt - startedAt)}; ${seconds(begun)} of real time`,
  );
  const settle = async () => {
    while (!isSettled(world)) await sleep(hands, LOOK_MS);
    return now();
  };
  const cleanAt = await passing(settle());
  say(
    `- import: mirror right ${spoken(cleanAt - startedAt)} after its beginning; requests ${JSON.stringify(asked.byPurpose())}, ${refused()} answers 429, fullest window ${told(asked.fills()[0])}; ${seconds(begun)} of real time`,
  );
  const walks = daemon.store.database
    .prepare(
      'select resource, part, purpose, started_at, finished_at, requests, rows from walks where started_at >= ? order by walk_id',
    )
    .all(new Date(startedAt).toISOString());
  console.log(walks);
  void percent;
  void MOST_OFF;
  const { resources } = await passing(daemon.daemon.verify(CONNECTION));
  const unclean = resources.filter(({ clean }) => !clean);
  const compared = resources.reduce((sum, one) => sum + one.compared, 0);
  say(`- import: verify compared ${compared} rows, ${unclean.length} resources differ; ${seconds(begun)} of real time`);
  say(`- import: peak memory of core, daemon and harness together ${peakMb()} MB`);
  assert.deepEqual(unclean, []);
  assert.equal(refused(), 0);
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

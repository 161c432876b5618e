import assert from 'node:assert/strict';
import { moveDeposit } from '../../src/sandbox/change.ts';
import { NO_FAULTS } from '../../src/core/outbox/faults.ts';
import { sleep } from '../../src/kernel/clock.ts';
import { addDays, dateIn } from '../../src/kernel/dates.ts';
import { ApiError } from '../../src/kernel/errors.ts';
import { diceOf } from '../../test/sim/chance.ts';
import type { SimCore } from '../../test/sim/core.ts';
import { noCrash } from '../../test/sim/crash.ts';
import { CONNECTION } from '../../test/sim/daemon.ts';
import { followPropagation, type Propagation } from '../../test/sim/propagation.ts';
import type { VirtualTime } from '../../test/sim/virtualTime.ts';
import { openWorkload } from '../../test/sim/workload.ts';
import { HOUR, MINUTE, minutes, peakMb, percent, seconds, spoken, told } from './words.ts';
import { openWorld, type ProvenWorld, SEED, type YearSize, ZONE } from './world.ts';

/** Between two changes, on average. */
const EVERY_MS = 20_000;
const LOOK_MS = 500;
/** Later than this after the last change only reconciliations propagation. */
const CALM_MS = 10 * MINUTE;
const CALM_LOOK_MS = 10_000;
const PERIOD_MS = 24 * HOUR + 2 * MINUTE;
const FAULTS = { drop: 0.3, double: 0.2, reorder: 0.2, delay_ms: 20_000 };
const RECONCILIATIONS = ['reconcile', 'reconcile_slow'] as const;
const ROUTES_TOLD = 6;
const MOST_OF_A_WINDOW = 0.3;
const MOST_OFF = 0.02;
const LEAST_PLANNED_MS = 10 * MINUTE;
const HOT_DAYS = 14;

/**
 * The real bookings, moved so that today has stays, beside a simulated year: read under all limits, then followed
 * through lost, doubled, late and reordered events and changes that no event tells of. Real core and real daemon in one
 * process, on a driven clock, since a reconcile period is a day.
 */
export async function proveYear(
  file: string,
  root: string,
  size: YearSize,
  say: (line: string) => void,
): Promise<void> {
  const world = await openWorld(file, root, size);
  try {
    await fill(world, say);
    await readFirst(world, say);
    const isRight = await follow(world, size, say);
    await compare(world, say);
    isRight();
  } finally {
    await world.close();
  }
}

type Say = (line: string) => void;

async function fill({ importReal, simulateYear, count }: ProvenWorld, say: Say): Promise<void> {
  const begun = performance.now();
  const report = await importReal({ announce: false });
  await simulateYear();
  say(
    `- year: ${report.created} real bookings moved to today, beside ${count('listings')} simulated listings: ${count('stays')} stays, ${count('transactions')} ledger entries, ${count('conversations')} threads, ${count('properties')} properties; made in ${seconds(begun)}`,
  );
}

async function readFirst({ daemon, asked, refused, passing }: ProvenWorld, say: Say): Promise<void> {
  const begun = performance.now();
  await daemon.start(noCrash);
  const { plan, finishedAt, checks } = await passing(daemon.daemon.backfill(CONNECTION));
  const [planned, took] = [plan.finishAt - plan.startAt, finishedAt - plan.startAt];
  const off = Math.abs(took - planned) / planned;
  say(
    `- year: first read under all limits predicted ${minutes(planned)}, took ${minutes(took)} of virtual time (${percent(off)} off, goal ${percent(MOST_OFF)}), ${asked.count} requests (planned ${plan.requests}), ${refused()} answers 429; ${seconds(begun)} of real time`,
  );
  for (const { upstream, mirrored } of checks) assert.equal(mirrored, upstream);
  assert.equal(refused(), 0);
  // A reading of a few minutes meets no limit, and what it takes is chance.
  if (planned >= LEAST_PLANNED_MS) assert.ok(off <= MOST_OFF, 'the prediction');
  await passing(daemon.daemon.caughtUp(CONNECTION));
  say(`- year: fullest window of the first read: ${told(asked.fills()[0])}`);
}

/** @returns what throws when something was not as it should be: asked once all has been said */
async function follow(world: ProvenWorld, size: YearSize, say: Say): Promise<() => void> {
  const { core, daemon, time, trace, asked, losses, passing } = world;
  const begun = performance.now();
  asked.clear();
  const dice = diceOf(SEED, 'year');
  const workload = await openWorkload({ core, dice: diceOf(SEED, 'workload'), trace, silent: true });
  const propagation = followPropagation(core.database, daemon.store.database);
  losses.begin(core, daemon);
  core.spoilDeliveries(FAULTS);
  const hands = time.newProcess();
  const end = time.elapsed() + size.hours * HOUR;
  const touched = nearStays(core);
  let changes = 0;
  const change = async () => {
    while (time.elapsed() < end) {
      await sleep(hands, dice.between(0, 2 * EVERY_MS));
      changes += 1;
      if (dice.percent(50)) await workload.step();
      else await touchReal(core, touched, dice.percent(40) ? 'deposits' : 'all', (values) => dice.pick(values));
    }
  };
  const isOver = { now: false };
  const tellHour = hourly(time);
  const watch = async () => {
    while (!isOver.now) {
      await sleep(hands, time.elapsed() < end + CALM_MS ? LOOK_MS : CALM_LOOK_MS);
      propagation.look(hands.now(), dateIn(ZONE, hands.now()));
      tellHour(
        () =>
          `${asked.count} requests, ${propagation.open().length} values to propagation; ${seconds(begun)} of real time`,
      );
    }
  };
  const watching = watch();
  await passing(change());
  // What the core does by itself later, such as ending a request that nobody answers, is told of again.
  core.spoilDeliveries(NO_FAULTS);
  say(`- year: ${changes} changes in ${size.hours} h made after ${seconds(begun)} of real time`);
  await time.runTo(end + PERIOD_MS);
  isOver.now = true;
  await passing(watching);
  propagation.lookAtAll(hands.now(), dateIn(ZONE, hands.now()));
  tellEvents(world, say);
  say(`- year: then one reconcile period without changes; ${seconds(begun)} of real time`);
  tellPropagation(propagation, say);
  tellRequests(world, say);
  const verdict = losses.judge(daemon);
  const { dropped, expected, madeUp, unsaid } = verdict;
  say(
    `- year: ${dropped} events dropped; of ${expected.length} a scan was the first to meet the effect, and these were to be reported as lost: ${unsaid.length} of them were not, and ${madeUp.length} others were`,
  );
  const [reconciliations] = asked.fills(RECONCILIATIONS);
  const open = propagation.open();
  return () => {
    assert.deepEqual({ madeUp, unsaid, open }, { madeUp: [], unsaid: [], open: [] });
    assert.equal(world.refused(), 0);
    assert.ok((reconciliations?.used ?? 0) <= MOST_OF_A_WINDOW * (reconciliations?.max ?? 0));
  };
}

/** Tells how far it is on the screen, once an hour of virtual time. */
function hourly(time: VirtualTime): (text: () => string) => void {
  let next = time.elapsed() + HOUR;
  return (text) => {
    if (time.elapsed() < next) return;
    console.log(`  after ${spoken(time.elapsed())}: ${text()}`);
    next += HOUR;
  };
}

function tellEvents({ core }: ProvenWorld, say: Say): void {
  const outcomes = core.database
    .prepare<[], { outcome: string; count: number }>('select outcome, count(*) as count from deliveries group by 1')
    .all();
  say(`- year: events ${outcomes.map(({ outcome, count }) => `${outcome} ${count}`).join(', ')}`);
}

function tellPropagation(propagation: Propagation, say: Say): void {
  for (const [resource, times] of propagation.times()) {
    if (times.length === 0) continue;
    const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0;
    say(
      `- year: propagation time, ${resource}: ${times.length} values, p50 ${spoken(at(0.5))}, p99 ${spoken(at(0.99))}, worst ${spoken(times.at(-1) ?? 0)}`,
    );
  }
}

function tellRequests({ asked, refused }: ProvenWorld, say: Say): void {
  say(`- year: requests ${JSON.stringify(asked.byPurpose())}, ${refused()} answers 429`);
  const [all] = asked.fills();
  const reconciliations = asked.fills(RECONCILIATIONS).slice(0, ROUTES_TOLD);
  say(
    `- year: fullest windows by reconciliations (goal 30 %): ${reconciliations.map(told).join('; ')}; by everything: ${told(all)}`,
  );
}

async function compare({ daemon, passing }: ProvenWorld, say: Say): Promise<void> {
  const begun = performance.now();
  const { resources } = await passing(daemon.daemon.verify(CONNECTION));
  const unclean = resources.filter(({ clean }) => !clean);
  const compared = resources.reduce((sum, one) => sum + one.compared, 0);
  say(`- year: verify compared ${compared} rows, ${unclean.length} resources differ; ${seconds(begun)} of real time`);
  say(`- year: peak memory of core, daemon and harness together ${peakMb()} MB`);
  assert.deepEqual(unclean, []);
}

interface NearStay {
  stay_code: string;
  reservation_code: string;
}

/** Stays around today, those with a deposit of their marketplace apart. */
interface NearStays {
  all: readonly NearStay[];
  deposits: readonly NearStay[];
}

function nearStays(core: SimCore): NearStays {
  const today = dateIn(ZONE, core.core.clock.now());
  const near = [addDays(today, -HOT_DAYS), addDays(today, HOT_DAYS)];
  const ask = (join: string) =>
    core.database
      .prepare<unknown[], NearStay>(
        `select s.stay_code, s.reservation_code from stays s ${join}
         where s.check_out_date >= ? and s.check_in_date <= ? and s.status = 'accepted'`,
      )
      .all(near);
  return {
    all: ask(''),
    deposits: ask(
      'join channel_reservations b on b.account_id = s.account_id and b.reservation_code = s.reservation_code',
    ),
  };
}

/** A booking around today gets another price by its host, or its deposit moves without a word. */
async function touchReal(
  core: SimCore,
  stays: NearStays,
  what: keyof NearStays,
  pick: <T>(values: readonly [T, ...T[]]) => T,
): Promise<void> {
  const [first, ...rest] = stays[what];
  if (!first) return;
  const { stay_code, reservation_code } = pick([first, ...rest]);
  if (what === 'all') {
    await core.host('PATCH', `/reservations/${stay_code}`, { rate_amount: pick([80, 120.5, 333.33, 410]) });
    return;
  }
  const step = { room: 0, event: pick(['required', 'paid', 'refunded'] as const), amount: pick([50, 100, 150]) };
  try {
    await core.change((change) => moveDeposit(change, { reservation_code }, step));
  } catch (error) {
    // A deposit that was never asked for cannot be given back.
    if (!(error instanceof ApiError)) throw error;
  }
}

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from '../../src/contract/dialect/profile.ts';
import { openGate } from '../../src/sync/budget/gate.ts';
import { dateIn } from '../../src/kernel/dates.ts';
import type { ResourceReport } from '../../src/sync/scans/verify/findings.ts';
import { diceOf } from './chance.ts';
import type { SimCore } from './core.ts';
import { type CrashPlan, type CrashPoint, noCrash } from './crash.ts';
import { CONNECTION, type SimDaemon } from './daemon.ts';
import { openHalves } from './halves.ts';
import { FAIR_CONDITIONS, type NetworkFaults } from './network.ts';
import {
  acknowledgedOracle,
  differences,
  type EventTruth,
  eventTruths,
  hotDifferences,
  outboxOracle,
  safetyOracle,
} from './oracles.ts';
import type { Regime } from './regimes.ts';
import type { Templates } from './templates.ts';
import { Trace } from './trace.ts';
import { countTurns, sealWorld, virtualTime } from './virtualTime.ts';
import { openWorkload } from './workload.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const SECOND = 1_000;
/** Everything is quiet and right so long after the last fault at the latest, where events tell of everything. */
const BOUND_MS = 10 * 60 * SECOND;
/** Crash points of a world that does nothing in vain are a third of this. */
const MOST_POINTS = 12_000;
const LONGEST_DOWN_MS = 60 * SECOND;
const LONGEST_CORE_DOWN_MS = 10 * SECOND;
/** A core that is to end does so within so many crash points. */
const MOST_CORE_POINTS = 40;

export interface Outcome {
  seed: number;
  regime: string;
  /** What was found to be wrong; empty: nothing. */
  problems: readonly string[];
  digest: string;
  counts: ReadonlyMap<string, number>;
  /** The crash point that was chosen. */
  crashAt: number | undefined;
  /** Crash points passed. */
  points: number;
  /** What became of each event, to be held against what the daemon says of it; empty after a crash of the world. */
  events: readonly EventTruth[];
  trace: Trace;
}

export interface WorldSetting {
  templates: Templates;
  /** The number of the crash point at which the daemon ends; left out: where chance will have it. */
  crashAt?: number | undefined;
  /** The dialect that is spoken in it; left out: as described. */
  profile?: Profile | undefined;
  /** Whether the world ends at the first thing that is found wrong in it, however much else would be. */
  hasty?: boolean;
}

/** Runs one world from its seed to its end. */
export async function runWorld(seed: number, regime: Regime, setting: WorldSetting): Promise<Outcome> {
  const { templates, crashAt, profile, hasty = false } = setting;
  const folder = join(templates.folder, `${regime.name}-${seed}-${crashAt ?? 'x'}`);
  mkdirSync(folder);
  const uncount = countTurns();
  const trace = new Trace();
  const problems: string[] = [];
  let world: World | undefined;
  const points = { passed: 0 };
  let events: readonly EventTruth[] = [];
  try {
    world = await openWorld({ seed, regime, templates, folder, trace, points, crashAt, profile, hasty });
    problems.push(...(await world.run()));
    events = world.events();
  } catch (error) {
    problems.push(`crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    await world?.close();
    uncount();
    rmSync(folder, { recursive: true });
  }
  const { counts } = trace;
  const { passed } = points;
  return {
    seed,
    regime: regime.name,
    problems,
    digest: trace.digest(),
    counts,
    crashAt,
    points: passed,
    events,
    trace,
  };
}

interface World {
  run(): Promise<string[]>;
  events(): readonly EventTruth[];
  close(): Promise<void>;
}

interface WorldOptions {
  seed: number;
  regime: Regime;
  templates: Templates;
  folder: string;
  trace: Trace;
  points: { passed: number };
  crashAt: number | undefined;
  profile: Profile | undefined;
  hasty: boolean;
}

async function openWorld(options: WorldOptions): Promise<World> {
  const { seed, regime, templates, folder, trace, points, crashAt, profile, hasty } = options;
  const time = virtualTime(START);
  const safety = safetyOracle();
  const history = acknowledgedOracle();
  let conditions: NetworkFaults = FAIR_CONDITIONS;
  let deaf = 0;
  const outbox = outboxOracle();
  const { core, daemon } = await openHalves({
    seed,
    folder,
    templates,
    time,
    trace,
    limits: 'off',
    knowsUndelivered: regime.knowsUndelivered,
    profile,
    gate: openGate,
    tiers: regime.tiers,
    historyFrom: '2026-01-01',
    conditions: () => conditions,
    deaf: () => deaf,
    onServed(served) {
      safety.served(served);
      history.served(served);
    },
    onAcknowledged: (event, seq, isKept) => history.acknowledged(event, seq, isKept),
    onSent: (from, body) => outbox.sent(from.outcomeOf, body),
  });
  const workload = await openWorkload({ core, dice: diceOf(seed, 'workload'), trace, silent: regime.silent });

  const looked = { upTo: 0 };
  let isJudged = false;
  /** Looks at every commit, and ends the process at the point that was chosen. */
  const planned = (): CrashPlan => ({
    ...noCrash,
    reached(point: CrashPoint) {
      if (isJudged) return false;
      points.passed += 1;
      if (point === 'after commit' && daemon.isUp) safety.look(daemon.store.database, looked);
      return points.passed === crashAt;
    },
  });
  const chance = diceOf(seed, 'conditions');

  async function up(): Promise<void> {
    await time.runUntil(() => true, time.elapsed());
    while (!daemon.isUp) await daemon.start(planned());
  }

  const coreChance = diceOf(seed, 'core ends');
  let downUntil: number | undefined;
  let coreDownUntil: number | undefined;

  /** Lets time pass, and starts what has ended again some time after it: things go on changing meanwhile. */
  async function pass(ms: number): Promise<void> {
    const end = time.elapsed() + ms;
    while (time.elapsed() < end) {
      const [daemonWas, coreWas] = [daemon.isUp, core.isUp];
      const next = Math.min(end, downUntil ?? end, coreDownUntil ?? end);
      const hasNews = () => (daemonWas && !daemon.isUp) || (coreWas && !core.isUp);
      await time.runUntil(hasNews, next);
      if (!hasNews()) await time.runTo(next);
      if (!daemon.isUp) downUntil ??= time.elapsed() + chance.between(0, LONGEST_DOWN_MS);
      if (!core.isUp) coreDownUntil ??= time.elapsed() + coreChance.between(0, LONGEST_CORE_DOWN_MS);
      if (downUntil !== undefined && downUntil <= time.elapsed()) {
        downUntil = undefined;
        await up();
      }
      if (coreDownUntil !== undefined && coreDownUntil <= time.elapsed()) {
        coreDownUntil = undefined;
        await core.restart();
      }
    }
  }

  /** Nothing can be changed without a core. */
  async function untilCore(): Promise<void> {
    while (!core.isUp) await pass(SECOND);
  }

  async function live(): Promise<void> {
    conditions = { ...FAIR_CONDITIONS, ...regime.network };
    deaf = regime.deaf;
    core.spoilDeliveries(regime.deliveries);
    for (let change = 0; change < regime.changes; change += 1) {
      if (hasty && watched().length > 0) return;
      await pass(chance.between(0, 2 * regime.everyMs));
      await untilCore();
      if (coreChance.percent((regime.coreEnds / regime.changes) * 100)) {
        core.endAfter(coreChance.between(0, MOST_CORE_POINTS));
      }
      await workload.step();
      if (chance.percent((regime.kills / regime.changes) * 100)) daemon.kill();
      if (regime.stops > 0 && chance.percent((regime.stops / regime.changes) * 100)) await daemon.stop();
    }
    await pass(regime.everyMs);
    await untilCore();
    core.endAfter(Number.POSITIVE_INFINITY);
    conditions = FAIR_CONDITIONS;
    deaf = 0;
    core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
    trace.add('propagated', String(time.elapsed()));
  }

  async function settle(): Promise<string[]> {
    const end = time.elapsed() + BOUND_MS;
    let calm = false;
    while (!calm && time.elapsed() < end) {
      await pass(SECOND);
      calm = daemon.isUp && (await isQuiet(core, daemon));
    }
    trace.add('settled', String(time.elapsed()));
    return calm ? [] : [`liveness: not quiet ${BOUND_MS / SECOND} s after the last fault: ${await waitingIn(daemon)}`];
  }

  async function firstScan(): Promise<void> {
    let done = false;
    void daemon.daemon.caughtUp(CONNECTION).then(() => (done = true));
    await time.runUntil(() => done || !daemon.isUp, time.elapsed() + BOUND_MS);
    trace.add('caught up', String(time.elapsed()));
  }

  /** What no event told of must be found within the bounds, by reconciliations alone. */
  async function swept({ hot, all }: { hot: number; all: number }, propagatedAt: number): Promise<string[]> {
    const until = (moment: number) => pass(Math.max(0, moment - time.elapsed()));
    await until(propagatedAt + hot);
    const today = dateIn('Europe/Berlin', core.core.clock.now());
    const late = await hotDifferences(core.file, daemon.file, today);
    await until(propagatedAt + all);
    trace.add('swept', String(time.elapsed()));
    return [
      ...late.map((what) => `convergence: ${what} differ ${hot / SECOND} s after the last fault`),
      ...(await settle()),
    ];
  }

  /** What those have found who look on all the time. */
  function watched(): string[] {
    const rude = daemon.rudeness().map((what) => `politeness: ${what}`);
    return [...outbox.problems, ...history.early, ...safety.problems, ...rude];
  }

  async function unfold(): Promise<string[]> {
    await up();
    if (!regime.early) await firstScan();
    await live();
    return watched();
  }

  async function propagation(): Promise<string[]> {
    const propagatedAt = time.elapsed();
    const problems = await settle();
    if (regime.bounds) problems.push(...(await swept(regime.bounds, propagatedAt)));
    isJudged = true;
    return problems;
  }

  async function compare(): Promise<string[]> {
    const differing = await differences(core.file, daemon.file);
    return differing.map((kind) => `convergence: ${kind} differ`);
  }

  function account(): string[] {
    const problems = [...outbox.unheard(events()), ...history.lost(daemon.file)];
    if (regime.kills === 0 && crashAt === undefined) problems.push(...history.problems());
    if (regime.tiers.length === 0 && points.passed > MOST_POINTS)
      problems.push(`busy: ${points.passed} commits and requests`);
    return problems;
  }

  async function run(): Promise<string[]> {
    const found: string[] = [];
    for (const step of [unfold, propagation, compare, account, verify, watched]) {
      if (hasty && found.length > 0) break;
      found.push(...(await step()));
    }
    return [...new Set(found)];
  }

  function events(): EventTruth[] {
    return eventTruths(core.file, history.seen);
  }

  /** What the daemon's own comparison finds: it sees more than the tables that are compared here. */
  async function verify(): Promise<string[]> {
    let found: readonly ResourceReport[] | undefined;
    daemon.daemon.verify(CONNECTION).then(
      ({ resources }) => (found = resources),
      () => (found = []),
    );
    const ended = await time.runUntil(() => found !== undefined, time.elapsed() + BOUND_MS);
    if (!ended) return ['verify: did not end'];
    return (found ?? []).filter(({ clean }) => !clean).map((one) => `verify: ${JSON.stringify(one)}`);
  }

  return {
    async run() {
      const unseal = sealWorld();
      try {
        return await run();
      } finally {
        unseal();
      }
    },
    events,
    async close() {
      await daemon.close();
      await core.stop();
    },
  };
}

async function isQuiet(core: SimCore, daemon: SimDaemon): Promise<boolean> {
  const { db } = core.core.store;
  const events = await db.selectFrom('outbox').select('event_id').where('fanned_out', '=', 0).execute();
  const deliveries = await db.selectFrom('deliveries').select('event_id').where('outcome', 'is', null).execute();
  return events.length + deliveries.length === 0 && (await waitingIn(daemon)) === '';
}

/** What the daemon still has to do; empty: nothing. */
async function waitingIn(daemon: SimDaemon): Promise<string> {
  const { db } = daemon.store;
  const dirty = await db.selectFrom('dirty_keys').select(['resource', 'key', 'state']).execute();
  const inbox = await db.selectFrom('inbox').select(['event_id', 'event']).where('state', '=', 'pending').execute();
  const { catch_up_due } = await db.selectFrom('connections').select('catch_up_due').executeTakeFirstOrThrow();
  // A webhook that a fault has cost is registered again, too.
  const fact = await db
    .selectFrom('connection_facts')
    .select('value')
    .where('name', '=', 'registration')
    .executeTakeFirst();
  const { state: registration } = JSON.parse(fact?.value ?? '{}') as { state?: string };
  if (dirty.length + inbox.length === 0 && catch_up_due === null && registration !== 'failed') return '';
  return JSON.stringify({ dirty, inbox, catch_up_due, registration });
}

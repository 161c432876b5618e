import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeliveryFaults } from '../../src/core/outbox/faults.ts';
import { openGate } from '../../src/sync/budget/gate.ts';
import type { ResourceReport } from '../../src/sync/verify/findings.ts';
import { diceOf } from './chance.ts';
import { makeCoreTemplate, openSimCore, type SimCore } from './core.ts';
import { type CrashPlan, type CrashPoint, noCrash } from './crash.ts';
import { CONNECTION, HOOK_ADDRESS, makeMirrorTemplate, type SimDaemon, simDaemon } from './daemon.ts';
import { FAIR_WEATHER, type NetworkFaults } from './network.ts';
import { acknowledgedOracle, differences, safetyOracle } from './oracles.ts';
import { postOffice } from './post.ts';
import { Trace } from './trace.ts';
import { countTurns, sealWorld, virtualTime } from './virtualTime.ts';
import { openWorkload } from './workload.ts';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const SECOND = 1_000;
/** Everything is quiet and right so long after the last fault at the latest, where events tell of everything. */
export const BOUND_MS = 10 * 60 * SECOND;
/** Crash points of a world that does nothing in vain are a third of this. */
const MOST_POINTS = 12_000;
const CHANGE_EVERY_MS = 4 * SECOND;
const LONGEST_DOWN_MS = 60 * SECOND;

/** What is thrown at a world. */
export interface Regime {
  name: string;
  deliveries: DeliveryFaults;
  /** Of a hundred deliveries: the answer is lost on its way. */
  deaf: number;
  network: Partial<NetworkFaults>;
  /** Changes that no event tells of happen too. */
  silent: boolean;
  /** How often the daemon is killed, on average, in a run. */
  kills: number;
  /** Things change while the first walk is still under way. */
  early: boolean;
  /** A reconcile ends the run; without it the events alone must have brought the mirror up. */
  reconcile: boolean;
  changes: number;
}

export const REGIMES = {
  /** Faults of every kind, and one reconcile. */
  R1: {
    name: 'R1',
    deliveries: { drop: 0.3, double: 0.2, reorder: 0.2, delay_ms: 2_000 },
    deaf: 5,
    network: { latencyMs: 300, slow: 5, refused: 4, cut: 4, proxyPage: 3, oddCode: 3, limited: 2 },
    silent: true,
    kills: 1,
    early: true,
    reconcile: true,
    changes: 50,
  },
  /** Nothing is dropped, and nothing but events mends the mirror. */
  R2: {
    name: 'R2',
    deliveries: { drop: 0, double: 0.3, reorder: 0.4, delay_ms: 2_000 },
    deaf: 10,
    network: { latencyMs: 800, slow: 15, refused: 5, cut: 5, proxyPage: 3, oddCode: 3, limited: 1 },
    silent: false,
    kills: 0,
    early: false,
    reconcile: false,
    changes: 50,
  },
  /** The other side all but gone, and the daemon killed again and again; then fair weather, and a bounded time. */
  R3: {
    name: 'R3',
    deliveries: { drop: 0, double: 0.1, reorder: 0.1, delay_ms: 500 },
    deaf: 30,
    network: { latencyMs: 500, slow: 10, refused: 15, cut: 10, proxyPage: 5, oddCode: 5, limited: 2 },
    silent: false,
    kills: 6,
    early: true,
    reconcile: false,
    changes: 40,
  },
} as const satisfies Record<string, Regime>;

/** One calm run, ended at one commit or call to the outside. */
export const ENUMERATED: Regime = {
  name: 'R4',
  deliveries: { drop: 0, double: 0.2, reorder: 0, delay_ms: 100 },
  deaf: 0,
  network: { latencyMs: 50 },
  silent: false,
  kills: 0,
  early: true,
  reconcile: false,
  changes: 20,
};

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
  trace: Trace;
}

export interface Templates {
  core: string;
  mirror: string;
  folder: string;
}

/** Empty databases, made once. */
export async function makeTemplates(): Promise<Templates> {
  const folder = mkdtempSync(join(tmpdir(), 'stayd-sim-'));
  const templates = { core: join(folder, 'core.db'), mirror: join(folder, 'mirror.db'), folder };
  await makeCoreTemplate(templates.core);
  await makeMirrorTemplate(templates.mirror);
  return templates;
}

/**
 * Runs one world from its seed to its end.
 * @param crashAt the number of the crash point at which the daemon ends; left out: where chance will have it
 */
export async function runWorld(seed: number, regime: Regime, templates: Templates, crashAt?: number): Promise<Outcome> {
  const folder = join(templates.folder, `${regime.name}-${seed}-${crashAt ?? 'x'}`);
  mkdirSync(folder);
  const uncount = countTurns();
  const trace = new Trace();
  const problems: string[] = [];
  let world: World | undefined;
  const points = { passed: 0 };
  try {
    world = await openWorld({ seed, regime, templates, folder, trace, points, crashAt });
    problems.push(...(await world.run()));
  } catch (error) {
    problems.push(`crashed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  } finally {
    await world?.close();
    uncount();
    rmSync(folder, { recursive: true });
  }
  const { counts } = trace;
  return { seed, regime: regime.name, problems, digest: trace.digest(), counts, crashAt, points: points.passed, trace };
}

interface World {
  run(): Promise<string[]>;
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
}

async function openWorld({ seed, regime, templates, folder, trace, points, crashAt }: WorldOptions): Promise<World> {
  const time = virtualTime(START);
  const clock = time.newProcess();
  const core = await openSimCore({ seed, folder, template: templates.core, clock, limits: 'off' });
  const workload = await openWorkload({ core, dice: diceOf(seed, 'workload'), trace, silent: regime.silent });
  const safety = safetyOracle();
  const history = acknowledgedOracle();
  let weather: NetworkFaults = FAIR_WEATHER;
  let deaf = 0;
  const daemon = simDaemon({
    seed,
    folder,
    template: templates.mirror,
    time,
    trace,
    app: core.app,
    token: core.token,
    gate: openGate,
    faults: () => weather,
    historyFrom: '2026-01-01',
    onServed(served) {
      safety.served(served);
      history.served(served);
    },
    onAcknowledged: (event, seq) => history.acknowledged(event, seq),
  });
  const post = postOffice(
    {
      clock,
      dice: diceOf(seed, 'post'),
      trace,
      faults: () => ({ latencyMs: 200, deaf }),
      receive: (body, headers) => daemon.receive(body, headers),
    },
    [HOOK_ADDRESS],
  );
  await core.start(post);

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
  const chance = diceOf(seed, 'weather');

  async function up(): Promise<void> {
    await time.runUntil(() => true, time.elapsed());
    while (!daemon.isUp) await daemon.start(planned());
  }

  let downUntil: number | undefined;

  /** Lets time pass, and starts the daemon again some time after it has ended: things go on changing meanwhile. */
  async function pass(ms: number): Promise<void> {
    const end = time.elapsed() + ms;
    while (time.elapsed() < end) {
      if (daemon.isUp) await time.runUntil(() => !daemon.isUp, end);
      if (daemon.isUp) return;
      downUntil ??= time.elapsed() + chance.between(0, LONGEST_DOWN_MS);
      await time.runTo(Math.min(downUntil, end));
      if (time.elapsed() < downUntil) return;
      downUntil = undefined;
      await up();
    }
  }

  async function live(): Promise<void> {
    weather = { ...FAIR_WEATHER, ...regime.network };
    deaf = regime.deaf;
    core.spoilDeliveries(regime.deliveries);
    for (let change = 0; change < regime.changes; change += 1) {
      await pass(chance.between(0, 2 * CHANGE_EVERY_MS));
      await workload.step();
      if (chance.percent((regime.kills / regime.changes) * 100)) daemon.kill();
    }
    await pass(CHANGE_EVERY_MS);
    weather = FAIR_WEATHER;
    deaf = 0;
    core.spoilDeliveries({ drop: 0, double: 0, reorder: 0, delay_ms: 0 });
    trace.add('healed', String(time.elapsed()));
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

  async function firstWalk(): Promise<void> {
    let done = false;
    void daemon.daemon.caughtUp(CONNECTION).then(() => (done = true));
    await time.runUntil(() => done || !daemon.isUp, time.elapsed() + BOUND_MS);
    trace.add('caught up', String(time.elapsed()));
  }

  async function reconcile(): Promise<void> {
    let done = false;
    // What a failed one has not mended, the comparison finds.
    const end = () => (done = true);
    daemon.daemon.reconcile(CONNECTION).then(end, end);
    await time.runUntil(() => done, time.elapsed() + BOUND_MS);
  }

  async function run(): Promise<string[]> {
    await up();
    if (!regime.early) await firstWalk();
    await live();
    const problems = await settle();
    if (regime.reconcile) {
      await reconcile();
      problems.push(...(await settle()));
    }
    isJudged = true;
    const { file } = daemon;
    const differing = await differences(join(folder, 'core.db'), file);
    problems.push(...differing.map((kind) => `convergence: ${kind} differ`));
    if (regime.kills === 0 && crashAt === undefined) problems.push(...history.problems());
    problems.push(...(await verify()));
    if (points.passed > MOST_POINTS) problems.push(`busy: ${points.passed} commits and requests`);
    problems.push(...history.lost(file), ...safety.problems, ...daemon.rudeness().map((what) => `politeness: ${what}`));
    return problems;
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
  if (dirty.length + inbox.length === 0 && catch_up_due === null) return '';
  return JSON.stringify({ dirty, inbox, catch_up_due });
}

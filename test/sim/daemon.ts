import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { mirrorMigrations } from '../../migrations/mirror/index.ts';
import { described, type Profile } from '../../src/contract/dialect/profile.ts';
import type { Budget } from '../../src/sync/budget/gate.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import type { ConnectionId } from '../../src/kernel/ids.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import type { Random } from '../../src/kernel/random.ts';
import { sealer } from '../../src/kernel/seal.ts';
import { migrate } from '../../src/store/migrate.ts';
import { type Daemon, startDaemon } from '../../src/sync/connection/daemon.ts';
import type { ConnectionSettings } from '../../src/sync/connection/settings.ts';
import type { Mirror } from '../../src/sync/tables/database.ts';
import type { Tier } from '../../src/sync/scans/reconcile/freshness.ts';
import { diceOf, randomOf } from './chance.ts';
import type { SimCore } from './core.ts';
import { copyAfterEnd, type CrashPlan, noCrash, openSimStore, type SimStore } from './crash.ts';
import { network, type NetworkFaults, type Served } from './network.ts';
import type { Receive } from './post.ts';
import type { Trace } from './trace.ts';
import type { VirtualTime } from './virtualTime.ts';

export const CONNECTION = 'local' as ConnectionId;
export const HOOK_ADDRESS = '127.0.0.1:1';
const KEY = Buffer.alloc(32, 9);

/** Makes an empty mirror once, to be copied for each world. */
export async function makeMirrorTemplate(file: string): Promise<void> {
  const store = openSimStore<Mirror>(file, () => 0, { reached: () => false, end() {}, isOver: false });
  await migrate(store, mirrorMigrations);
  await store.close();
}

export interface SimDaemonOptions {
  seed: number;
  folder: string;
  template: string;
  time: VirtualTime;
  trace: Trace;
  core: Pick<SimCore, 'request'>;
  token: string;
  /** How the core speaks; left out: as described. */
  profile?: Profile;
  /** What is told of the account where nobody upstream does. */
  account?: ConnectionSettings['account'];
  gate: (clock: Clock) => Budget;
  faults: () => NetworkFaults;
  historyFrom: string;
  /** What is read again by itself. */
  tiers: readonly Tier[];
  onAsking?: ((seq: number, method: string, path: string) => void) | undefined;
  onServed(served: Served): void;
  /** By which name it registers; left out: `simulated`. */
  instance?: string;
  /** What works beside the daemon in its process; ends with it. */
  beside?(daemon: Daemon, process: SimProcess): Promise<void>;
  /** An event was answered with success; `isKept`: its commit was over by then. */
  onAcknowledged(event: Record<string, unknown>, seq: number, isKept: boolean): void;
}

/** A stop waits for requests under way. */
const STOP_MS = 120_000;

/** What a process of the daemon is made of. */
export interface SimProcess {
  store: SimStore<Mirror>;
  clock: Clock;
  random: Random;
}

/** The real daemon as one process after another on the files that each leaves behind. */
export interface SimDaemon {
  readonly isUp: boolean;
  readonly daemon: Daemon;
  readonly store: SimStore<Mirror>;
  readonly file: string;
  readonly receive: Receive;
  /** What it did that no well-mannered client does. */
  rudeness(): readonly string[];
  /** Starts a process; `plan` says where it ends. */
  start(plan: CrashPlan): Promise<void>;
  /** The process ends here and now. */
  kill(): void;
  /** The process is told to stop, and ends by itself. */
  stop(): Promise<void>;
  /** Writes what a backup taken now holds. */
  backUp(target: string): void;
  /** The process ends, and the next one begins with what `change` leaves of a backup. */
  restore(from: string, change: (store: SimStore<Mirror>) => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

export function simDaemon(options: SimDaemonOptions): SimDaemon {
  const { seed, folder, time, trace, profile = described } = options;
  const rudeness: (readonly string[])[] = [];
  const left: SimStore<Mirror>[] = [];
  let generation = 0;
  let file = join(folder, 'mirror-0.db');
  let store: SimStore<Mirror> | undefined;
  let daemon: Daemon | undefined;
  let clock = time.newProcess();
  const wire = time.newProcess();
  let plan: CrashPlan | undefined;
  let witness: { file: string; database: Database.Database; ask: Database.Statement } | undefined;
  copyFileSync(options.template, file);

  const receive: Receive = (body, headers) => {
    const now = daemon;
    const accepted = plan?.isOver ? undefined : now?.accept(CONNECTION, body, headers);
    return accepted?.then((acceptance) => {
      const seq = trace.add('acknowledged', `${acceptance.status} ${body.toString()}`);
      const event = JSON.parse(body.toString()) as Record<string, unknown>;
      if (acceptance.status < 300) options.onAcknowledged(event, seq, isKept(event['event_id']));
      return acceptance;
    });
  };

  async function stop(): Promise<void> {
    const now = daemon;
    if (!now || !plan || plan.isOver || !store) return;
    // From here on nobody answers at its address.
    daemon = undefined;
    let isDone = false;
    void now.stop().then(() => (isDone = true));
    await time.runUntil(() => isDone || store === undefined, time.elapsed() + STOP_MS);
    // It may have been ended while it stopped.
    if (!store) return;
    if (!isDone) throw new Error('the daemon does not stop');
    trace.add('stopped');
    clock.die();
    store.database.close();
    store = plan = undefined;
  }

  /** Asked by another connection, which sees only what is committed. */
  function isKept(eventId: unknown): boolean {
    if (witness?.file !== file) {
      witness?.database.close();
      const database = new Database(file, { readonly: true });
      witness = { file, database, ask: database.prepare('select 1 from inbox where event_id = ?') };
    }
    return witness.ask.get(eventId) !== undefined;
  }

  function end(): void {
    trace.add('killed');
    clock.die();
    generation += 1;
    const next = join(folder, `mirror-${generation}.db`);
    copyAfterEnd(file, next);
    file = next;
    if (store) left.push(store);
    store = daemon = undefined;
  }

  return {
    stop,
    get isUp() {
      return daemon !== undefined;
    },
    get daemon() {
      if (!daemon) throw new Error('the daemon is down');
      return daemon;
    },
    get store() {
      if (!store) throw new Error('the daemon is down');
      return store;
    },
    get file() {
      return file;
    },
    receive,
    rudeness: () => rudeness.flat(),
    async start(nextPlan) {
      // The plan learns of the end by itself; what is to be done then is known here.
      let isOver = false;
      const mine: CrashPlan = {
        reached: (point) => nextPlan.reached(point),
        end() {
          isOver = true;
          end();
          nextPlan.end();
        },
        get isOver() {
          return isOver;
        },
      };
      plan = mine;
      clock = time.newProcess();
      const own = clock;
      store = openSimStore<Mirror>(file, () => own.monotonic(), mine);
      const random = randomOf(seed, `daemon ${generation}`);
      const process: SimProcess = { store, clock, random };
      const line = network({
        core: options.core,
        clock,
        wire,
        dice: diceOf(seed, `network ${generation}`),
        trace,
        faults: options.faults,
        plan: mine,
        onAsking: options.onAsking,
        onServed: options.onServed,
      });
      rudeness.push(line.rudeness);
      const started = await Promise.race([
        startDaemon({
          store,
          connections: [
            {
              id: CONNECTION,
              baseUrl: 'http://core.test',
              token: () => options.token,
              profile,
              webhook: { proof: profile.webhook_authentication, url: `http://${HOOK_ADDRESS}/hooks/local` },
              gate: options.gate(clock),
              historyFrom: options.historyFrom,
              tiers: options.tiers,
              dispatcher: line,
              ...(options.account && { account: options.account }),
            },
          ],
          instance: options.instance ?? 'simulated',
          clock,
          random,
          ids: ulidMaker(clock, random),
          log: silentLogger,
          sealer: sealer(KEY, random),
          fingerprint: (text) => text,
          userAgent: 'stayd-sim',
        }).then(async (one) => {
          await options.beside?.(one, process);
          return one;
        }),
        untilOver(mine),
      ]);
      if (started && !mine.isOver) daemon = started;
    },
    kill() {
      if (plan && !plan.isOver && store) plan.end();
    },
    backUp(target) {
      store?.database.prepare('vacuum into ?').run(target);
    },
    async restore(from, change) {
      if (plan && !plan.isOver && store) plan.end();
      for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
      copyFileSync(from, file);
      const restored = openSimStore<Mirror>(file, () => time.elapsed(), noCrash);
      await change(restored);
      await restored.close();
      trace.add('restored');
    },
    async close() {
      if (plan && !plan.isOver && store) plan.end();
      witness?.database.close();
      for (const one of left) if (one.database.open) one.database.close();
    },
  };
}

/** Resolves, a turn of the event loop at a time, when the process has ended. */
async function untilOver(plan: CrashPlan): Promise<undefined> {
  const looks = 200;
  for (let look = 0; look < looks && !plan.isOver; look += 1) await new Promise((resolve) => setImmediate(resolve));
  return plan.isOver ? undefined : new Promise<undefined>(() => {});
}

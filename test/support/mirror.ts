import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mirrorMigrations } from '../../migrations/mirror/index.ts';
import { described } from '../../src/contract/dialect/profile.ts';
import type { ConnectionId } from '../../src/kernel/ids.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { sha256Hex } from '../../src/kernel/signature.ts';
import type { Logger } from '../../src/kernel/log.ts';
import type { Random } from '../../src/kernel/random.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/store.ts';
import { type Budget, openGate } from '../../src/sync/budget/gate.ts';
import { type Daemon, startDaemon } from '../../src/sync/connection/daemon.ts';
import type { Mirror, MirrorStore } from '../../src/sync/tables/database.ts';
import type { ConnectionSettings } from '../../src/sync/connection/settings.ts';
import { type ManualClock, manualClock } from './clock.ts';
import { putEmpty } from './templates.ts';
import { type ThinEvent, Truth } from './truth.ts';

export const CONNECTION = 'local' as ConnectionId;
/** Its name in the URL of its webhook. */
export const INSTANCE = '01KINSTANCE';

/** Every fraction is a half; bytes count up. */
export const evenRandom: Random = { bytes: (count) => Buffer.alloc(count, 7), fraction: () => 0.5 };

const silence = { debug() {}, info() {}, warn() {}, error() {} };
const log = process.env['TEST_LOG']
  ? {
      debug: console.log,
      info: console.log,
      warn: console.log,
      error: console.log,
    }
  : silence;

/** Not a real cipher: enough to see that nothing is stored as it is. */
export const plainSealer = {
  keyId: '00000000',
  seal: (plain: string, context: string) => Buffer.from(`${context}|${plain}`).toString('base64'),
  open(sealed: string, context: string) {
    const text = Buffer.from(sealed, 'base64').toString();
    if (!text.startsWith(`${context}|`) || Buffer.from(text).toString('base64') !== sealed)
      throw new Error('sealed for something else');
    return text.slice(context.length + 1);
  },
};

export interface World {
  truth: Truth;
  clock: ManualClock;
  store: MirrorStore;
  daemon: Daemon;
  /** Sends an event to the daemon, as a delivery of the truth. */
  send(event: ThinEvent): Promise<number>;
  /** Stops the daemon and opens it again on the same file. */
  restart(): Promise<void>;
  /** The power fails: nothing is stopped or closed, and what was in memory is gone. Opens again on the files as they were. */
  crash(): Promise<void>;
  /** Resolves when no key is dirty and no event waits. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

/** So often in a row nothing waits before it is quiet. */
const CALM_LOOKS = 5;

export interface WorldOptions {
  truth?: Truth;
  gate?: (clock: ManualClock) => Budget;
  settings?: Partial<ConnectionSettings>;
  /** A PostgreSQL database to use in place of a SQLite file. */
  database?: string;
  instance?: string;
  log?: Logger;
  /** Do not wait for the first scan. */
  impatient?: boolean;
}

/** A daemon over a fresh mirror, beside an upstream of the test's own. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const truth = options.truth ?? new Truth();
  const clock = manualClock();
  const baseUrl = await truth.listen();
  const directory = mkdtempSync(join(tmpdir(), 'stayd-mirror-'));
  let file = join(directory, 'mirror.db');
  const schema = 'mirror' as const;
  const ids = ulidMaker(clock, evenRandom);
  const settings: ConnectionSettings = {
    id: CONNECTION,
    baseUrl,
    token: () => 'token',
    profile: described,
    webhook: { proof: 'token', url: 'http://127.0.0.1:1/hooks/local' },
    gate: options.gate?.(clock) ?? openGate(clock),
    historyFrom: '2026-01-01',
    ...options.settings,
  };

  async function open(): Promise<{ store: MirrorStore; daemon: Daemon }> {
    const { database: url } = options;
    const location = url === undefined ? { kind: 'sqlite' as const, file } : { kind: 'postgres' as const, url, schema };
    const store = await openStore<Mirror>(location);
    await migrate(store, mirrorMigrations);
    const daemon = await startDaemon({
      store,
      connections: [settings],
      clock,
      random: evenRandom,
      ids,
      log: options.log ?? log,
      sealer: plainSealer,
      fingerprint: (text) => sha256Hex(`key ${text}`),
      instance: options.instance ?? INSTANCE,
      userAgent: 'stayd-test',
    });
    return { store, daemon };
  }

  async function caughtUp(daemon: Daemon): Promise<void> {
    let done = false;
    void daemon.caughtUp(CONNECTION).then(() => (done = true));
    await clock.until(() => done, 'the first scan');
  }

  if (options.database === undefined) await putEmpty('mirror', file);
  let generation = 0;
  let { store, daemon } = await open();
  const world: World = {
    truth,
    clock,
    store,
    daemon,
    async send(event) {
      const body = Buffer.from(JSON.stringify({ timestamp: '2026-11-20T12:00:00.000Z', ...event }));
      const answer = world.daemon.accept(CONNECTION, body, { 'service-webhook-secret-token': truth.secret() });
      let status = 0;
      void answer?.then((acceptance) => (status = acceptance.status));
      await clock.until(() => status !== 0, 'an answer to a delivery');
      return status;
    },
    async restart() {
      await world.daemon.stop();
      await world.store.close();
      ({ store, daemon } = await open());
      Object.assign(world, { store, daemon });
      if (!options.impatient) await caughtUp(daemon);
    },
    async crash() {
      generation += 1;
      const copy = join(directory, `mirror-${generation}.db`);
      // As a sudden end leaves them: the file, and what the write-ahead log holds.
      for (const suffix of ['', '-wal']) copyFileSync(file + suffix, copy + suffix);
      const left = { daemon: world.daemon, store: world.store };
      file = copy;
      ({ store, daemon } = await open());
      Object.assign(world, { store, daemon });
      await left.daemon.stop();
      await left.store.close();
      if (!options.impatient) await caughtUp(daemon);
    },
    quiet() {
      // What a read has found is asked for in a transaction of its own, a moment after the read's.
      let calm = 0;
      return clock.until(async () => {
        calm = (await isAnyWaiting(world.store)) ? 0 : calm + 1;
        return calm === CALM_LOOKS;
      }, 'quiet');
    },
    async close() {
      await world.daemon.stop();
      await world.store.close();
      await truth.close();
      rmSync(directory, { recursive: true });
    },
  };
  if (!options.impatient) await caughtUp(daemon);
  return world;
}

async function isAnyWaiting(store: MirrorStore): Promise<boolean> {
  const dirty = await store.db.selectFrom('dirty_keys').select('key').where('state', '=', 'waiting').limit(1).execute();
  return dirty.length > 0;
}

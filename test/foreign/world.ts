import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { mirrorMigrations } from '../../migrations/mirror/index.ts';
import { loadProfile } from '../../src/compose/profiles/profiles.ts';
import type { ConnectionId } from '../../src/kernel/ids.ts';
import { ulidMaker } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/log.ts';
import { sha256Hex } from '../../src/kernel/signature.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openStore } from '../../src/store/store.ts';
import { openGate } from '../../src/sync/budget/gate.ts';
import { type Daemon, startDaemon } from '../../src/sync/connection/daemon.ts';
import type { Mirror, MirrorStore } from '../../src/sync/tables/database.ts';
import type { ConnectionSettings } from '../../src/sync/connection/settings.ts';
import type { ScanResult } from '../../src/sync/scans/purpose.ts';
import { type ManualClock, manualClock } from '../support/clock.ts';
import { evenRandom, plainSealer } from '../support/mirror.ts';
import { putEmpty } from '../support/templates.ts';
import { differences } from './compare.ts';
import { type Business, businessOf } from './upstream/business.ts';
import { type Dice, diceOf } from './upstream/dice.ts';
import { seed as seedTruth, type Size, smallSize } from './upstream/seed.ts';
import type { Dialect } from './upstream/show.ts';
import { startUpstream, type Upstream } from './upstream/upstream.ts';

export const FOREIGN = 'foreign' as ConnectionId;
/** The first date of the ledger; nothing that is seeded is older. */
export const HISTORY_FROM = '2025-12-01';

/** The real daemon beside a service that shares no code with it. */
export interface ForeignWorld {
  upstream: Upstream;
  business: Business;
  dice: Dice;
  clock: ManualClock;
  store: MirrorStore;
  /** The mirror's database. */
  file: string;
  daemon: Daemon;
  rows(query: string): Promise<Record<string, unknown>[]>;
  /** Resolves when all events have been sent, and nothing waits to be read. */
  quiet(): Promise<void>;
  /** Lets time pass on both sides. */
  pass(seconds: number): Promise<void>;
  reconcile(resource?: string): Promise<ScanResult[]>;
  /** Where the mirror says otherwise than the truth. */
  differences(): Promise<string[]>;
  /** Rows that were put aside. */
  quarantined(): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface ForeignOptions {
  dialect: Dialect;
  seed?: number;
  size?: Size;
  settings?: (upstream: Upstream) => Partial<ConnectionSettings>;
  /** Before the daemon starts. */
  prepare?: (upstream: Upstream) => void;
  /** Do not wait for the first read. */
  impatient?: boolean;
}

/** As little as shows everything once. */
const tinySize: Size = { properties: 3, stays: 12, entries: 20, fullConversations: 6, longestConversation: 8 };

/** Does something in a small world that has been read, and closes it. */
export async function inForeign(options: ForeignOptions, work: (world: ForeignWorld) => Promise<void>): Promise<void> {
  const world = await openForeign({ size: tinySize, ...options });
  try {
    await world.quiet();
    await work(world);
  } finally {
    await world.close();
  }
}

export async function openForeign(options: ForeignOptions): Promise<ForeignWorld> {
  const { dialect, seed = 1, size = smallSize } = options;
  const clock = manualClock();
  const after = (ms: number, fn: () => void) => void clock.setTimer(ms, fn);
  const upstream = await startUpstream({ dialect, seed, now: () => clock.now(), after });
  const dice = diceOf(seed);
  seedTruth(upstream.truth, dice, clock.now(), size);
  options.prepare?.(upstream);
  let daemon: Daemon | undefined;
  const hook = await listen((body, headers, path) => daemon?.accept(FOREIGN, body, headers, path));
  const directory = mkdtempSync(join(tmpdir(), 'stayd-foreign-'));
  const file = join(directory, 'mirror.db');
  await putEmpty('mirror', file);
  const store = await openStore<Mirror>({ kind: 'sqlite', file });
  await migrate(store, mirrorMigrations);
  daemon = await startDaemon({
    store,
    connections: [
      {
        id: FOREIGN,
        baseUrl: upstream.url,
        token: () => upstream.token,
        profile: loadProfile({ profiles: 'none' }, dialect),
        webhook: { proof: 'token', url: `${hook.url}/hooks/${FOREIGN}`, trustFirst: true },
        gate: openGate(clock),
        historyFrom: HISTORY_FROM,
        account: { account_id: FOREIGN, name: FOREIGN, time_zone: upstream.truth.account.zone, currency: 'EUR' },
        ...options.settings?.(upstream),
      },
    ],
    clock,
    random: evenRandom,
    ids: ulidMaker(clock, evenRandom),
    log: process.env['TEST_LOG']
      ? { debug() {}, info: console.log, warn: console.log, error: console.log }
      : silentLogger,
    sealer: plainSealer,
    fingerprint: (text) => sha256Hex(`key ${text}`),
    instance: '01KFOREIGN',
    userAgent: 'stayd-test',
  });
  const running = daemon;
  const rows = async (query: string) => (await sql.raw<Record<string, unknown>>(query).execute(store.db)).rows;
  const world: ForeignWorld = {
    upstream,
    business: businessOf(upstream, dice),
    dice,
    clock,
    store,
    file,
    daemon: running,
    rows,
    async quiet() {
      let sent = false;
      void upstream.webhooks.sent().then(() => (sent = true));
      await clock.until(() => sent, 'events to be sent');
      await clock.until(quietness(rows), 'quiet');
    },
    pass: (seconds) => clock.run(seconds * 1_000),
    reconcile: (resource) => finished(clock, running.reconcile(FOREIGN, resource)),
    differences: () => differences(upstream, rows, FOREIGN),
    quarantined: () => rows(`select resource, key, problem from quarantine where connection = '${FOREIGN}'`),
    async close() {
      await running.stop();
      await store.close();
      await hook.close();
      await upstream.close();
      rmSync(directory, { recursive: true });
    },
  };
  if (!options.impatient) await finished(clock, running.caughtUp(FOREIGN));
  return world;
}

/** Lets the clock run until something is over. */
export async function finished<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => void (isOver = true);
  work.then(end, end);
  await clock.until(() => isOver, 'the end');
  return work;
}

/** What a read has found is asked for a moment after it: quiet is when nothing has waited several times in a row. */
const CALM_LOOKS = 3;
/** Turns of the clock from one look to the next. */
const LOOK_TURNS = 25;

function quietness(rows: ForeignWorld['rows']): () => Promise<boolean> {
  let turns = 0;
  let calm = 0;
  return async () => {
    turns += 1;
    if (turns % LOOK_TURNS !== 0) return false;
    const waiting = await rows(
      `select 1 from dirty_keys where state = 'waiting' union all select 1 from inbox where state = 'pending' limit 1`,
    );
    calm = waiting.length > 0 ? 0 : calm + 1;
    return calm === CALM_LOOKS;
  };
}

type Accept = (
  body: Buffer,
  headers: Record<string, string>,
  path: string | undefined,
) => Promise<{ status: number }> | undefined;

/** Where deliveries arrive. */
async function listen(accept: Accept): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // /hooks/<connection>/<what nobody can guess>
      const [, , , path] = (request.url ?? '').split(/[/?]/);
      const accepting = accept(Buffer.concat(chunks), request.headers as Record<string, string>, path);
      if (!accepting) return void response.writeHead(503).end();
      void accepting.then(({ status }) => response.writeHead(status).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

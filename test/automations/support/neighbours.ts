import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Dispatcher, Pool } from 'undici';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import { type Automations, startAutomations } from '../../../src/automations/start.ts';
import { loadProfile } from '../../../src/compose/profiles/profiles.ts';
import { type Clock, turn } from '../../../src/kernel/clock.ts';
import type { ConnectionId } from '../../../src/kernel/ids.ts';
import { ulidMaker } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/log.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { openStore } from '../../../src/store/store.ts';
import { openGate } from '../../../src/sync/budget/gate.ts';
import { type Daemon, startDaemon } from '../../../src/sync/connection/daemon.ts';
import type { Mirror, MirrorStore } from '../../../src/sync/tables/database.ts';
import { type Business, businessOf } from '../../foreign/upstream/business.ts';
import { diceOf } from '../../foreign/upstream/dice.ts';
import { seed as seedTruth, type Size } from '../../foreign/upstream/seed.ts';
import type { Dialect } from '../../foreign/upstream/show.ts';
import { startUpstream, type Upstream } from '../../foreign/upstream/upstream.ts';
import { type ManualClock, manualClock } from '../../support/clock.ts';
import { keyedHash } from '../../support/keyedHash.ts';
import { evenRandom, plainSealer } from '../../support/mirror.ts';
import { putEmpty } from '../../support/templates.ts';
import { SETTINGS } from './house.ts';

const FOREIGN = 'foreign' as ConnectionId;
const STEP_MS = 500;
const SIZE: Size = { properties: 3, stays: 2, entries: 2, fullConversations: 24, longestConversation: 2 };

/** One stayd on the account: a mirror, a daemon, and its rules. */
export interface Installation {
  readonly store: MirrorStore;
  readonly daemon: Daemon;
  readonly automations: Automations;
  /** How far its clock is ahead of the world's. */
  aheadMs: number;
  plans(): Promise<{ rule: string; state: string; reason: string | null; detail: string | null }[]>;
  /** The process ends. */
  stop(): Promise<void>;
}

/** Installations on one account of a service that shares no code with them, over real HTTP. */
export interface Neighbours {
  readonly upstream: Upstream;
  readonly business: Business;
  readonly clock: ManualClock;
  readonly installations: readonly Installation[];
  /** A conversation that is about one booking at the most. */
  conversation(): string;
  /** A guest writes. */
  write(conversation: string, text: string): void;
  /** What was said by the API in a conversation since the beginning, oldest first; whether or not it shows. */
  said(conversation: string): string[];
  /** Lets time pass; whatever is under way is waited for. */
  pass(ms: number): Promise<void>;
  /** Each of them reads everything of a kind. */
  reconcile(resource: string): Promise<void>;
  close(): Promise<void>;
}

export async function openNeighbours(options: {
  dialect?: Dialect;
  /** The file of rules of each. */
  rules: readonly string[];
}): Promise<Neighbours> {
  const { dialect = 'described' } = options;
  const clock = manualClock();
  const after = (ms: number, fn: () => void) => void clock.setTimer(ms, fn);
  const upstream = await startUpstream({ dialect, now: () => clock.now(), after });
  const dice = diceOf(1);
  seedTruth(upstream.truth, dice, clock.now(), SIZE);
  const seeded = new Set(upstream.truth.messages.all().map(({ id }) => id));
  const traffic = { underWay: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'stayd-neighbours-'));
  const opened: (Installation & { end(): Promise<void> })[] = [];

  async function calm(): Promise<void> {
    for (let still = 0; still < 3; still = traffic.underWay > 0 ? 0 : still + 1) {
      await turn();
    }
  }
  async function pass(ms: number): Promise<void> {
    for (const end = clock.monotonic() + ms; clock.monotonic() < end;) {
      await clock.advance(Math.min(STEP_MS, end - clock.monotonic()));
      await calm();
    }
  }
  async function ends<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => void (isOver = true);
    work.then(end, end);
    for (let steps = 0; !isOver && steps < 6_000; steps += 1) await pass(STEP_MS);
    return work;
  }

  for (const [number, rules] of options.rules.entries()) {
    opened.push(
      await install({ upstream, world: clock, file: join(folder, `${number}.db`), number, rules, traffic, ends }),
    );
  }
  const reconcile = async (resource: string) => {
    for (const one of opened) await ends(one.daemon.reconcile(FOREIGN, resource));
  };
  await reconcile('webhook');
  const business = businessOf(upstream, dice);
  const lone = upstream.truth.fullConversations.all().filter(({ about }) => about.length <= 1);
  let written = 0;
  return {
    upstream,
    business,
    clock,
    installations: opened,
    pass,
    reconcile,
    conversation() {
      const one = lone.pop();
      if (!one) throw new Error('there are no more conversations');
      return one.id;
    },
    write: (conversation, text) =>
      void business.write(conversation, { id: `m-guest-${(written += 1)}`, from: 'guest', text }),
    said: (conversation) =>
      upstream.truth.messages
        .all()
        .filter((one) => one.fullConversation === conversation && one.from === 'host' && !seeded.has(one.id))
        .map(({ text }) => text),
    async close() {
      for (const one of opened) await one.end();
      await upstream.close();
      rmSync(folder, { recursive: true });
    },
  };
}

interface Installing {
  upstream: Upstream;
  world: ManualClock;
  file: string;
  number: number;
  rules: string;
  traffic: { underWay: number };
  ends<T>(work: Promise<T>): Promise<T>;
}

async function install(given: Installing): Promise<Installation & { end(): Promise<void> }> {
  const { upstream, world, file, number, rules, traffic, ends } = given;
  const own = { aheadMs: 0 };
  const clock: Clock = {
    now: () => world.now() + own.aheadMs,
    monotonic: () => world.monotonic(),
    setTimer: (ms, fn) => world.setTimer(ms, fn),
  };
  await putEmpty('mirror', file);
  const store = await openStore<Mirror>({ kind: 'sqlite', file });
  await migrate(store, mirrorMigrations);
  let daemon: Daemon | undefined;
  const hook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, , , path] = (request.url ?? '').split(/[/?]/);
      const accepting = daemon?.accept(FOREIGN, Buffer.concat(chunks), request.headers as Record<string, string>, path);
      if (!accepting) return void response.writeHead(503).end();
      void accepting.then(({ status }) => response.writeHead(status).end());
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const pool = new Pool(upstream.url);
  const ids = ulidMaker(clock, evenRandom);
  const running = (daemon = await startDaemon({
    store,
    connections: [
      {
        id: FOREIGN,
        baseUrl: upstream.url,
        token: () => upstream.token,
        profile: loadProfile({ profiles: 'none' }, upstream.dialect),
        webhook: {
          proof: 'token',
          url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hooks/${FOREIGN}`,
          trustFirst: true,
        },
        gate: openGate(clock),
        historyFrom: '2025-12-01',
        account: { account_id: FOREIGN, name: FOREIGN, time_zone: upstream.truth.account.zone, currency: 'EUR' },
        dispatcher: counted(pool, traffic),
      },
    ],
    clock,
    random: evenRandom,
    ids,
    log: silentLogger,
    sealer: plainSealer,
    fingerprint: keyedHash,
    instance: `01KNEIGHBOUR${number}`,
    userAgent: 'stayd-test',
  }));
  await ends(running.caughtUp(FOREIGN));
  const automations = await ends(
    startAutomations({
      store,
      connection: FOREIGN,
      ...running.link(FOREIGN),
      clock,
      random: evenRandom,
      ids,
      log: silentLogger,
      notify: () => Promise.resolve(undefined),
      keyedHash,
      settings: SETTINGS,
      post: () => Promise.resolve({ outcome: 'refused', detail: 'nobody' }),
      by: `neighbour ${number}`,
      readFiles: () => [{ name: 'rules.yaml', text: rules }],
    }),
  );
  let isUp = true;
  const stop = async () => {
    if (!isUp) return;
    isUp = false;
    await ends(automations.stop());
    await ends(running.stop());
  };
  return {
    store,
    daemon: running,
    automations,
    get aheadMs() {
      return own.aheadMs;
    },
    set aheadMs(ms) {
      own.aheadMs = ms;
    },
    plans: () =>
      store.db
        .selectFrom('automation_plans')
        .select(['rule', 'state', 'reason', 'detail'])
        .orderBy('plan_id')
        .execute(),
    stop,
    async end() {
      await stop();
      await store.close();
      await pool.close();
      hook.closeAllConnections();
      await new Promise((resolve) => hook.close(resolve));
    },
  };
}

/** Real requests, counted while they are under way: time stands still for them. */
function counted(pool: Pool, traffic: { underWay: number }): Dispatcher {
  async function request(asked: Dispatcher.RequestOptions) {
    traffic.underWay += 1;
    try {
      const answer = await pool.request(asked);
      return { ...answer, body: [Buffer.from(await answer.body.arrayBuffer())] };
    } finally {
      traffic.underWay -= 1;
    }
  }
  // The client uses nothing else of a dispatcher.
  return { request } as unknown as Dispatcher;
}

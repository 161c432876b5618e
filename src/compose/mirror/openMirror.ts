import type { Registry } from 'prom-client';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import type { HookReceiver } from '../../api/http/hooks.ts';
import type { FeedCursor, MirrorServices, Progress, VerifyReport } from '../../api/portal/route.ts';
import type { Config } from '../../config.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import { instantOf } from '../../kernel/dates.ts';
import type { Logger } from '../../kernel/log.ts';
import { giveSealer } from '../../store/sealing/keyed.ts';
import { migrate } from '../../store/migrate.ts';
import { requireSameKey } from '../../store/sealing/sealClear.ts';
import { commentOnMirror } from '../mirrorSchema/columnComments.ts';
import { disarmAutomations } from '../../sync/tables/connection/facts.ts';
import { type Daemon, startDaemon } from '../../sync/connection/daemon.ts';
import type { Duty } from '../../sync/connection/surroundings.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import { stateOf, statesOf } from '../../sync/feed/asOf/stateOf.ts';
import { erasureFingerprint } from '../../sync/privacy/erasure/erasureKey.ts';
import { eventById, receivedEvents } from '../../sync/ingest/eventLog.ts';
import { beginFeed } from '../../sync/feed/feedRows.ts';
import { quarantined } from '../../sync/apply/quarantine.ts';
import { requireSecrets } from '../../sync/connection/webhook/registerWebhook.ts';
import { sealedPlaces } from '../../endpoints/reseal.ts';
import { sealMirror } from '../../sync/privacy/sealMirror.ts';
import { troublesOf } from '../../sync/connection/troubles/all.ts';
import { type Alarm, connectionAlarms } from '../health/alarms.ts';
import { conversationsInUse } from '../../automations/plans/inUse.ts';
import { openAutomations } from './automations.ts';
import { connectionSettings, type LocalCore } from './connections.ts';
import { lossIsKnown, mirrorLoss } from './mirrorLoss.ts';
import type { Acceptance } from '../../sync/ingest/receive.ts';
import type { RetentionDays } from '../../sync/privacy/retention/prune.ts';
import { type OpenEndpoints, openEndpoints } from './endpoints.ts';
import { erasureLog } from '../privacy/erasureLog.ts';
import { carryOutErasures, erasureServices } from '../privacy/erasures.ts';
import { forgetClear } from '../privacy/forgetClear.ts';
import type { Ports } from '../ports.ts';
import { instanceId } from '../privacy/privateFiles.ts';
import { openBooks } from './exports.ts';
import { backfillPlanText, reconcilePlanText } from './plans.ts';
import { reportsReader } from './reports.ts';
import { mirrorMetrics, PROPAGATION_SECONDS, propagationHistogram } from '../metrics/mirror.ts';
import { collect } from '../metrics/registry.ts';

/** The daemon with all that depends on it; it reads nothing before `start`. */
export interface OpenMirror {
  services: MirrorServices;
  receive: HookReceiver;
  collectMetrics(registry: Registry): Promise<void>;
  /** Returns the alarms of the connections. */
  alarms(): Promise<Alarm[]>;
  /**
   * Resolves after the first complete read since the start. @returns the connections; none if this process does not
   * read
   */
  caughtUp(): Promise<string[]>;
  start(local: LocalCore, duties: ReadonlySet<Duty>): Promise<void>;
  stop(): Promise<void>;
}

export interface OpenMirrorOptions {
  store: MirrorStore;
  config: Config;
  ports: Ports;
  log: Logger;
  userAgent: string;
}

export async function openMirror({ store, config, ports, log, userAgent }: OpenMirrorOptions): Promise<OpenMirror> {
  await migrate(store, mirrorMigrations);
  await commentOnMirror(store);
  giveSealer(store, ports.sealer);
  await requireSameKey(store, ports.sealer);
  await sealMirror(store, ports.sealer, {
    more: sealedPlaces,
    forgetBytes: (tables) => forgetClear({ store, config, half: 'mirror', tables, log }),
    requireKey: () => requireSecrets(store, ports.sealer),
  });
  const fingerprint = await erasureFingerprint(store, { ...ports, log: erasureLog(config.data_dir) });
  await carryOutErasures({ store, config, ports, log, fingerprint });
  const propagations = propagationHistogram();
  const books = openBooks(config, { store, ports, log, userAgent });
  const automations = openAutomations({ store, config, ports, log, userAgent, fingerprint });
  let daemon: Daemon | undefined;
  let endpoints: OpenEndpoints | undefined;
  let ids: ConnectionId[] = [];
  const running = (): Daemon => {
    if (!daemon) throw new Error('the daemon has not started yet');
    return daemon;
  };
  const services: MirrorServices = {
    connectionsOf: (accountId) => (accountId === null ? Promise.resolve(ids) : mirroring(store, ids, accountId)),
    status: (connection) => running().status(connection),
    register: (connection, force) => running().register(connection, force),
    examine: (connection) => running().examine(connection),
    reconcile: async (connection, resource, progress) => ({
      resources: await running().reconcile(connection, resource, progress),
    }),
    quarantine: {
      list: (connection, limit) => quarantined(store.db, connection, limit),
      retry: async (connection, progress) => ({ resources: await running().retryQuarantined(connection, progress) }),
    },
    rebuild: async (connection, progress) => ({ resources: await running().rebuild(connection, progress) }),
    backfill: async (connection, progress) => {
      const { plan, resources, checks, finishedAt } = await running().backfill(connection, ({ finishAt, ...state }) =>
        progress({ ...state, finish_at: instantOf(finishAt) }),
      );
      return { plan: backfillPlanText(plan), resources, checks, finished_at: instantOf(finishedAt) };
    },
    planBackfill: async (connection) => backfillPlanText(await running().planBackfill(connection)),
    planReconcile: async (connection, size) => reconcilePlanText(await running().planReconciliation(connection, size)),
    verify: (connection, progress) => verify(running(), connection, progress),
    automations: automations.services,
    events: {
      list: (question) => receivedEvents(store.db, question),
      show: (connection, eventId) => eventById(store.db, connection, eventId),
      replay: (connection, eventIds) => running().replay(connection, eventIds),
    },
    changes: (connection, cursor, signal) => readChanges(running(), connection, cursor, signal),
    reports: reportsReader(config, store, ports.clock),
    erasure: erasureServices({ store, config, ports, log, fingerprint, notify: (one) => daemon?.feed(one).notify() }),
    exports: books.exports,
    endpoints(connection) {
      if (!endpoints) throw new Error('the daemon has not started yet');
      return endpoints.service(connection);
    },
    states: {
      one: (question) => stateOf({ db: store.db, clock: ports.clock }, question),
      many: (question) => statesOf({ db: store.db, clock: ports.clock }, question),
    },
  };
  return {
    services,
    receive: (connection, body, headers, path) =>
      receive(daemon?.accept(connection, body, headers, path), daemon !== undefined),
    async collectMetrics(registry) {
      if (!registry.getSingleMetric(PROPAGATION_SECONDS)) registry.registerMetric(propagations);
      await collectMetrics(registry, ids, running());
    },
    async alarms() {
      const now = ports.clock.now();
      const found = await Promise.all(ids.map(async (id) => connectionAlarms(id, await troublesOf(store.db, id, now))));
      return found.flat();
    },
    async caughtUp() {
      for (const id of ids) await daemon?.caughtUp(id);
      return ids;
    },
    async start(local, duties) {
      const connections = connectionSettings(config, ports.clock, local);
      ids = connections.map((one) => one.id);
      await tellOfLoss(store, config, ids);
      const instance = instanceId(config.data_dir, ports.ids);
      daemon = await startDaemon({
        store,
        ...ports,
        log,
        userAgent,
        connections,
        duties,
        instance,
        fingerprint,
        retention: { days: retentionOf(config), inUse: conversationsInUse },
        onPropagated: (connection, resource, seconds) => propagations.observe({ connection, resource }, seconds),
      });
      const sends = duties.has('read');
      endpoints = await openEndpoints({ store, config, ports, log, userAgent, daemon, connections: ids, sends });
      if (duties.has('scan')) books.exports.start();
      await automations.start(daemon, ids, duties.has('scan'));
    },
    async stop() {
      await automations.stop();
      await books.stop();
      await endpoints?.stop();
      await daemon?.stop();
    },
  };
}

/** Lets a new mirror continue the feeds of the lost one, and disarms its automations until a person arms them. */
async function tellOfLoss(store: MirrorStore, config: Config, connections: readonly ConnectionId[]): Promise<void> {
  const loss = mirrorLoss(config);
  if (!loss) return;
  for (const connection of connections) {
    await beginFeed(store.db, connection, loss.heads[connection] ?? loss.beyond);
  }
  await disarmAutomations(store, connections, loss.why, loss.at);
  lossIsKnown(config);
}

function retentionOf({ daemon: { retention } }: Config): RetentionDays {
  return {
    events: retention.event_bodies_days,
    changes: retention.changes_days,
    versions: retention.versions_days,
    messages: retention.messages_days,
    scans: retention.scan_days,
  };
}

/** Refuses before the first complete read since the start, because a difference would mean nothing until then. */
async function verify(daemon: Daemon, connection: ConnectionId, progress: Progress): Promise<VerifyReport> {
  const { state } = await daemon.status(connection);
  if (state === 'active') await daemon.caughtUp(connection);
  return { ...(await daemon.verify(connection, progress)) };
}

async function receive(
  accepting: Promise<Acceptance> | undefined,
  isRunning: boolean,
): Promise<{ status: number; problem?: string }> {
  if (!accepting) {
    return isRunning
      ? { status: 404, problem: 'No such connection is received here.' }
      : { status: 503, problem: 'Starting.' };
  }
  const { status } = await accepting;
  const problem = problems[status];
  return problem === undefined ? { status } : { status, problem };
}

const problems: Partial<Record<number, string>> = {
  400: 'The body is no event: a JSON object with event, and an event_id, if any, of at most 64 letters and digits.',
  401: 'The token or the signature is wrong.',
  503: 'The event could not be stored.',
};

/** Returns the connections that mirror this account: all that a token of the core may see. */
async function mirroring(store: MirrorStore, ids: readonly ConnectionId[], accountId: string): Promise<ConnectionId[]> {
  const rows = await store.db.selectFrom('accounts').where('account_id', '=', accountId).select('connection').execute();
  const connections = new Set(rows.map((row) => row.connection));
  return ids.filter((id) => connections.has(id));
}

async function readChanges(
  daemon: Daemon,
  connection: ConnectionId,
  { after, limit, waitMs }: FeedCursor,
  signal: AbortSignal,
): Promise<{ seq: number }[]> {
  const feed = daemon.feed(connection);
  const rows = waitMs > 0 ? await feed.wait(after, limit, waitMs, signal) : await feed.read(after, limit);
  return rows.map(({ connection: _, diff, event_ids, needs_answer, ...row }) => ({
    ...row,
    needs_answer: needs_answer === 1,
    diff: diff === null ? null : (JSON.parse(diff) as unknown),
    event_ids: JSON.parse(event_ids) as unknown,
  }));
}

async function collectMetrics(registry: Registry, ids: readonly ConnectionId[], daemon: Daemon): Promise<void> {
  const mirrors = await Promise.all(
    ids.map(async (connection) => ({
      connection,
      status: await daemon.status(connection),
      measured: daemon.measured(connection),
    })),
  );
  collect(registry, mirrorMetrics, mirrors);
}

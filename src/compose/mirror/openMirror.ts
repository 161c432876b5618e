import type { Registry } from 'prom-client';
import { mirrorMigrations } from '../../../migrations/mirror/index.ts';
import type { HookReceiver } from '../../api/http/hooks.ts';
import type { MirrorServices } from '../../api/portal/route.ts';
import type { Config } from '../../config.ts';
import type { ConnectionId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { giveSealer } from '../../store/sealing/keyed.ts';
import { migrate } from '../../store/migrate.ts';
import { requireSameKey } from '../../store/sealing/sealClear.ts';
import { commentOnMirror } from '../mirrorSchema/columnComments.ts';
import { disarmAutomations } from '../../sync/tables/connection/facts.ts';
import { type Daemon, startDaemon } from '../../sync/connection/daemon.ts';
import type { Duty } from '../../sync/connection/surroundings.ts';
import type { MirrorStore } from '../../sync/tables/database.ts';
import type { Fingerprint } from '../../sync/privacy/erasure/subjects.ts';
import { erasureFingerprint } from '../../sync/privacy/erasure/erasureKey.ts';
import { beginFeed } from '../../sync/feed/feedRows.ts';
import { requireSecrets } from '../../sync/connection/webhook/registerWebhook.ts';
import { sealMirror } from '../../sync/privacy/sealMirror.ts';
import { troublesOf } from '../../sync/connection/troubles/all.ts';
import { type Alarm, connectionAlarms } from '../health/alarms.ts';
import { conversationsInUse } from '../../automations/plans/inUse.ts';
import { type OpenAutomations, openAutomations } from './automations.ts';
import { connectionSettings, type LocalCore } from './connections.ts';
import { lossIsKnown, mirrorLoss } from './mirrorLoss.ts';
import type { Acceptance } from '../../sync/ingest/receive.ts';
import type { RetentionDays } from '../../sync/privacy/retention/prune.ts';
import { type OpenEndpoints, openEndpoints } from './endpoints.ts';
import { sealedPlaces } from './sealedPlaces.ts';
import { type OpenComparisons, openComparisons } from './comparisons.ts';
import { type OpenNotices, openNotices } from './notices.ts';
import { comparisonTroubles } from '../../comparisons/health.ts';
import { noticeTroubles } from '../../notices/health.ts';
import { erasureLog } from '../privacy/erasureLog.ts';
import { carryOutErasures } from '../privacy/erasures.ts';
import { forgetClear } from '../privacy/forgetClear.ts';
import type { OwnSettings } from '../ownSettings.ts';
import type { Ports } from '../ports.ts';
import { instanceId } from '../privacy/privateFiles.ts';
import { openBooks } from './exports.ts';
import { mirrorServices } from './services.ts';
import { consumerFigures, consumerMetrics } from '../metrics/consumers.ts';
import { mirrorMetrics, PROPAGATION_SECONDS, propagationHistogram } from '../metrics/mirror.ts';
import { collect } from '../metrics/registry.ts';

interface OpenMirrorOptions {
  store: MirrorStore;
  config: Config;
  ports: Ports;
  log: Logger;
  userAgent: string;
  /** Absent if the process takes new settings only at a restart. */
  settings?: OwnSettings | undefined;
}

type Books = ReturnType<typeof openBooks>;
type Parts = OpenMirrorOptions & { books: Books; automations: OpenAutomations; fingerprint: Fingerprint };

/** Migrates and seals the mirror, and opens what reads and writes it. Nothing is read from a source before `start`. */
export async function openMirror(options: OpenMirrorOptions): Promise<OpenMirror> {
  const { store, config, ports, log, userAgent, settings } = options;
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
  const books = openBooks(config, { store, ports, log, userAgent, settings });
  const automations = openAutomations({ store, config, ports, log, userAgent, fingerprint });
  return new OpenMirror({ ...options, books, automations, fingerprint });
}

/** The daemon with all that depends on it; it reads nothing before `start`. */
export class OpenMirror {
  readonly services: MirrorServices;
  readonly #parts: Parts;
  readonly #propagations = propagationHistogram();
  #daemon: Daemon | undefined;
  #endpoints: OpenEndpoints | undefined;
  #notices: OpenNotices | undefined;
  #comparisons: OpenComparisons | undefined;
  #ids: ConnectionId[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.services = mirrorServices({
      ...parts,
      connections: () => this.#ids,
      running: () => this.#running(),
      endpoints: () => this.#endpoints,
      notices: () => this.#notices,
      comparisons: () => this.#comparisons,
      notify: (connection) => this.#daemon?.feed(connection).notify(),
    });
  }

  receive: HookReceiver = (connection, body, headers, path) =>
    receive(this.#daemon?.accept(connection, body, headers, path), this.#daemon !== undefined);

  /** @param isWhole false while the database does not answer: then only what is counted here is known */
  async collectMetrics(registry: Registry, isWhole: boolean): Promise<void> {
    if (!registry.getSingleMetric(PROPAGATION_SECONDS)) registry.registerMetric(this.#propagations);
    const { store, ports } = this.#parts;
    const ids = isWhole ? this.#ids : [];
    await collectMirror(registry, ids, this.#daemon);
    const now = ports.clock.now();
    collect(registry, consumerMetrics, await Promise.all(ids.map((id) => consumerFigures(store.db, id, now))));
  }

  /** Returns the alarms of the connections. */
  async alarms(): Promise<Alarm[]> {
    return (await Promise.all(this.#ids.map((id) => this.#alarmsOf(id)))).flat();
  }

  async #alarmsOf(id: ConnectionId): Promise<Alarm[]> {
    const { store, ports } = this.#parts;
    const now = ports.clock.now();
    const troubles = await troublesOf(store.db, id, now);
    return [
      ...connectionAlarms(id, troubles),
      ...(await noticeTroubles(store.db, id, now)).map((one) => ({ kind: 'notices' as const, ...one })),
      ...(await comparisonTroubles(store.db, id, now)).map((one) => ({ kind: 'comparison' as const, ...one })),
    ];
  }

  /**
   * Resolves after the first complete read since the start. @returns the connections; none if this process does not
   * read
   */
  async caughtUp(): Promise<string[]> {
    for (const id of this.#ids) await this.#daemon?.caughtUp(id);
    return this.#ids;
  }

  /** @param machine what needs a person on this machine, whatever is mirrored */
  async start(local: LocalCore, duties: ReadonlySet<Duty>, machine: () => Promise<readonly Alarm[]>): Promise<void> {
    const { store, config, ports, log, userAgent, books, automations, fingerprint } = this.#parts;
    const connections = connectionSettings(config, ports.clock, local);
    const ids = connections.map((one) => one.id);
    this.#ids = ids;
    await takeLossIn(store, config, ids);
    const daemon = await startDaemon({
      store,
      ...ports,
      log,
      userAgent,
      connections,
      duties,
      instance: instanceId(config.data_dir, ports.ids),
      fingerprint,
      retention: { days: retentionOf(config), inUse: conversationsInUse },
      onPropagated: (connection, resource, seconds) => this.#propagations.observe({ connection, resource }, seconds),
    });
    this.#daemon = daemon;
    const sends = duties.has('read');
    const part = { store, config, ports, log, userAgent, daemon, connections: ids };
    this.#endpoints = await openEndpoints({ ...part, sends });
    this.#comparisons = await openComparisons({ ...part, reads: duties.has('scan') });
    if (duties.has('scan')) books.exports.start();
    const alarms = async (id: ConnectionId) => [...(await machine()), ...(await this.#alarmsOf(id))];
    const notices = await openNotices({ ...part, sends, alarms });
    this.#notices = notices;
    await automations.start(daemon, ids, duties.has('scan'), (id, order) => notices.service(id).tell(order));
  }

  async stop(): Promise<void> {
    const { automations, books } = this.#parts;
    await automations.stop();
    await books.stop();
    await this.#notices?.stop();
    await this.#comparisons?.stop();
    await this.#endpoints?.stop();
    await this.#daemon?.stop();
  }

  #running(): Daemon {
    if (!this.#daemon) throw new Error('the daemon has not started yet');
    return this.#daemon;
  }
}

/** Lets a new mirror continue the feeds of the lost one, and disarms its automations until a person arms them. */
async function takeLossIn(store: MirrorStore, config: Config, connections: readonly ConnectionId[]): Promise<void> {
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

/** @param daemon undefined before the start, and in a process without one */
async function collectMirror(
  registry: Registry,
  ids: readonly ConnectionId[],
  daemon: Daemon | undefined,
): Promise<void> {
  const figuresOf = async (connection: ConnectionId, of: Daemon) => ({
    connection,
    status: await of.status(connection),
    measured: of.measured(connection),
  });
  const mirrors = daemon ? await Promise.all(ids.map((id) => figuresOf(id, daemon))) : [];
  collect(registry, mirrorMetrics, mirrors);
}

import type { Registry } from 'prom-client';
import type { HookReceiver } from '../../api/http/hooks.ts';
import type { MirrorServices } from '../../api/portal/route.ts';
import type { Config } from '../../config.ts';
import { FIRST_CONNECTION } from '../../core/accounts/connections.ts';
import { instantOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { AccountId, ConnectionId } from '../../kernel/ids.ts';
import { type LogComponent, type Logger, loggerOf } from '../../kernel/log.ts';
import { giveSealer } from '../../store/sealing/keyed.ts';
import { requireSameKey } from '../../store/sealing/sealClear.ts';
import { migrateMirror } from '../analytics/migrateMirror.ts';
import { disarmAutomations } from '../../sync/tables/connection/facts.ts';
import { type Daemon, startDaemon } from '../../sync/connection/daemon.ts';
import type { Duty } from '../../sync/connection/surroundings.ts';
import { oneAtATime } from '../../sync/scans/oneAtATime.ts';
import type { MirrorDb, MirrorStore } from '../../sync/tables/database.ts';
import type { Fingerprint } from '../../sync/privacy/erasure/subjects.ts';
import { erasureFingerprint } from '../../sync/privacy/erasure/erasureKey.ts';
import { beginFeed } from '../../sync/feed/feedRows.ts';
import { requireSecrets } from '../../sync/connection/webhook/registerWebhook.ts';
import { sealMirror } from '../../sync/privacy/sealMirror.ts';
import { troublesOf } from '../../sync/connection/troubles/all.ts';
import { type Alarm, connectionAlarms } from '../health/alarms.ts';
import { conversationsInUse } from '../../automations/plans/inUse.ts';
import { type OpenAutomations, openAutomations } from './automations.ts';
import type { AppliedConnections } from './applied.ts';
import { type LocalCore, type WantedConnection, wantedConnections } from './connections.ts';
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
import { brokerTroubles } from '../../broker/health.ts';
import { hasBroker, type OpenBroker, openBroker } from './broker.ts';
import { openBooks } from './exports.ts';
import { mirrorServices } from './services.ts';
import { brokerMetrics, brokerOf } from '../metrics/broker.ts';
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
  /** Returns the account that owns the service where no core runs; undefined if there is none. */
  soleAccount(): Promise<AccountId | undefined>;
}

type Books = ReturnType<typeof openBooks>;
type Parts = OpenMirrorOptions & { books: Books; automations: OpenAutomations; fingerprint: Fingerprint };

/** Migrates and seals the mirror, and opens what reads and writes it. Nothing is read from a source before `start`. */
export async function openMirror(options: OpenMirrorOptions): Promise<OpenMirror> {
  const { store, config, ports, log, userAgent, settings } = options;
  await migrateMirror(store, { log });
  giveSealer(store, ports.sealer);
  await requireSameKey(store, ports.sealer);
  await sealMirror(store, ports.sealer, {
    more: sealedPlaces,
    forgetBytes: (tables) => forgetClear({ store, config, half: 'mirror', tables, log }),
    requireKey: () => requireSecrets(store, ports.sealer),
  });
  const fingerprint = await erasureFingerprint(store, { ...ports, log: erasureLog(config.data_dir) });
  await carryOutErasures({ store, config, ports, log, fingerprint });
  const books = openBooks(config, { store, ports, log: loggerOf(log, 'exports'), userAgent, settings });
  const automations = openAutomations({
    store,
    config,
    ports,
    log: loggerOf(log, 'automations'),
    userAgent,
    fingerprint,
  });
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
  /** Undefined where no broker is set, and in a process that does not publish. */
  #broker: OpenBroker | undefined;
  /** The connections that run, in the order in which people choose among them. */
  #running = new Map<ConnectionId, WantedConnection>();
  /** Changes of the connections, one after the other. */
  readonly #changes = oneAtATime();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.services = mirrorServices({
      ...parts,
      connections: () => this.#ids(),
      wanted: (connection) => this.#running.get(connection),
      alone: (work) => this.#changes.run(0, work),
      running: () => this.#started(),
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
    const { store, config, ports } = this.#parts;
    const ids = isWhole ? this.#ids() : [];
    await collectMirror(registry, ids, this.#daemon);
    const now = ports.clock.now();
    collect(registry, consumerMetrics, await Promise.all(ids.map((id) => consumerFigures(store.db, id, now))));
    const published = hasBroker(config) ? ids : [];
    collect(registry, brokerMetrics, (await Promise.all(published.map((id) => brokerOf(store.db, id, now)))).flat());
  }

  /** True if there is nothing to mirror. */
  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Returns the alarms of these connections; left out: of all. */
  async alarms(connections: readonly ConnectionId[] = this.#ids()): Promise<Alarm[]> {
    return (await Promise.all(connections.map((id) => this.#alarmsOf(id)))).flat();
  }

  async #alarmsOf(id: ConnectionId): Promise<Alarm[]> {
    const { store, ports } = this.#parts;
    const now = ports.clock.now();
    const troubles = await troublesOf(store.db, id, now);
    return [
      ...connectionAlarms(id, troubles),
      ...(await noticeTroubles(store.db, id, now)).map((one) => ({ kind: 'notices' as const, ...one })),
      ...(await comparisonTroubles(store.db, id, now)).map((one) => ({ kind: 'comparison' as const, ...one })),
      ...(await brokerTroubles(store.db, id, now)).map((one) => ({ kind: 'broker' as const, ...one })),
    ];
  }

  /**
   * Resolves after the first complete read since the start. @returns the connections; none if this process does not
   * read
   */
  async caughtUp(): Promise<string[]> {
    const ids = this.#ids();
    for (const id of ids) await this.#daemon?.caughtUp(id);
    return ids;
  }

  /** @param machine what needs a person beside a connection, as far as the people of its account are concerned */
  async start(
    local: LocalCore,
    duties: ReadonlySet<Duty>,
    machine: (owner: AccountId | null) => Promise<readonly Alarm[]>,
  ): Promise<void> {
    const { store, config, ports, log, userAgent, books, automations, fingerprint } = this.#parts;
    const wanted = wantedConnections(config, ports.clock, local);
    await takeLossIn(
      store,
      config,
      wanted.map(({ settings }) => settings.id),
    );
    const daemon = await startDaemon({
      store,
      ...ports,
      log,
      userAgent,
      connections: [],
      duties,
      instance: instanceId(config.data_dir, ports.ids),
      fingerprint,
      retention: { days: retentionOf(config), inUse: conversationsInUse },
      onPropagated: (connection, resource, seconds) => this.#propagations.observe({ connection, resource }, seconds),
    });
    this.#daemon = daemon;
    const sends = duties.has('read');
    const partOf = (component: LogComponent) => ({
      store,
      config,
      ports,
      log: loggerOf(log, component),
      userAgent,
      daemon,
    });
    this.#endpoints = openEndpoints({ ...partOf('endpoints'), sends });
    if (sends && hasBroker(config)) this.#broker = openBroker(partOf('broker'));
    this.#comparisons = openComparisons({ ...partOf('comparisons'), reads: duties.has('scan') });
    const alarms = async (id: ConnectionId) => [
      ...(await machine(this.#running.get(id)?.owner ?? null)),
      ...(await this.#alarmsOf(id)),
    ];
    const notices = openNotices({ ...partOf('notices'), sends, alarms });
    this.#notices = notices;
    automations.start(daemon, duties.has('scan'), (id, order) => notices.service(id).tell(order));
    for (const one of wanted) await this.#add(one);
    if (duties.has('scan')) books.exports.start();
  }

  /**
   * Runs exactly the connections that are configured and the accounts that are to be mirrored: stops the others, begins
   * new ones, and begins again those whose settings have changed. All others go on undisturbed.
   * @throws OperatorError with the fault of a connection; then nothing has changed
   */
  apply(config: Config, local: () => Promise<LocalCore>): Promise<AppliedConnections> {
    return this.#changes.run(0, async () => {
      const wanted = wantedConnections(config, this.#parts.ports.clock, await local());
      const byName = new Map(wanted.map((one) => [one.settings.id, one]));
      const applied: AppliedConnections = { added: [], removed: [], changed: [], failed: [] };
      for (const [id, { mark }] of this.#running) {
        const next = byName.get(id);
        if (next?.mark === mark) continue;
        await this.#remove(id, next === undefined);
        if (next === undefined) applied.removed.push(id);
        else applied.changed.push(id);
      }
      for (const [id, one] of byName) {
        const known = this.#running.get(id);
        if (known) {
          this.#running.set(id, { ...one, settings: known.settings });
          continue;
        }
        try {
          await this.#add(one);
          if (!applied.changed.includes(id)) applied.added.push(id);
        } catch (error) {
          this.#parts.log.error({ connection: id, err: error }, 'the connection could not begin');
          applied.failed.push({ connection: id, problem: messageOf(error) });
        }
      }
      this.#order([...byName.keys()]);
      return applied;
    });
  }

  async stop(): Promise<void> {
    await this.#changes.idle();
    const { automations, books } = this.#parts;
    await automations.stop();
    await books.stop();
    await this.#notices?.stop();
    await this.#comparisons?.stop();
    await this.#broker?.stop();
    await this.#endpoints?.stop();
    await this.#daemon?.stop();
  }

  /** Begins all that stands on a connection, the daemon first; undoes it if a part fails. */
  async #add(wanted: WantedConnection): Promise<void> {
    const { settings, beside } = wanted;
    const { id } = settings;
    const { store, ports, automations } = this.#parts;
    if (beside !== null && id !== FIRST_CONNECTION && !(await isKnown(store.db, id))) {
      await disarmAutomations(store, [id], NEW_ACCOUNT, instantOf(ports.clock.now()));
    }
    await this.#started().add(settings);
    this.#running.set(id, wanted);
    try {
      await this.#endpoints?.add(id);
      await this.#broker?.add(id);
      await this.#comparisons?.add(id);
      await this.#notices?.add(id);
      await automations.add(id, beside !== null);
    } catch (error) {
      await this.#remove(id, false);
      throw error;
    }
  }

  /** Ends all that stands on a connection, the daemon last. Nothing that was begun is lost; the rows stay. */
  async #remove(id: ConnectionId, leaves: boolean): Promise<void> {
    // From now on nobody is shown the connection.
    this.#running.delete(id);
    await this.#parts.automations.remove(id);
    await this.#notices?.remove(id);
    await this.#comparisons?.remove(id);
    await this.#broker?.remove(id);
    await this.#endpoints?.remove(id);
    await this.#started().remove(id, leaves);
  }

  #order(ids: readonly ConnectionId[]): void {
    const before = this.#running;
    this.#running = new Map(
      ids.flatMap((id): [ConnectionId, WantedConnection][] => {
        const one = before.get(id);
        return one ? [[id, one]] : [];
      }),
    );
  }

  #ids(): ConnectionId[] {
    return [...this.#running.keys()];
  }

  #started(): Daemon {
    if (!this.#daemon) throw new Error('the daemon has not started yet');
    return this.#daemon;
  }
}

/** Rules are written for accounts that their author knows, and what they send cannot be taken back. */
const NEW_ACCOUNT =
  'this account was not mirrored before, and the rules were written without it: look at what they would do (./stayd automations test)';

/** Returns true for a connection that has run at any time. */
async function isKnown(db: MirrorDb, connection: ConnectionId): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select('connection')
    .where('connection', '=', connection)
    .executeTakeFirst();
  return row !== undefined;
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

import type { AnswerSpoiler } from './api/http/answerFaults.ts';
import { ensureAccount, firstAccount, type OpenCore, openCore, secretForFirstSignIn } from './compose/core/openCore.ts';
import { ConnectionsInUse } from './compose/connectionsInUse.ts';
import { consoleOn } from './compose/console/console.ts';
import type { OwnSettings } from './compose/ownSettings.ts';
import { forgetCoreBytes } from './compose/privacy/erasures.ts';
import { openListener } from './compose/openListener.ts';
import type { AppliedConnections } from './compose/mirror/applied.ts';
import { type OpenMirror, openMirror } from './compose/mirror/openMirror.ts';
import { asDamage, findDamage } from './compose/health/damage.ts';
import { docsSources } from './compose/docsSources.ts';
import { settingDigests } from './compose/doctor/settings.ts';
import { backupPlan } from './compose/backup/schedule/plan.ts';
import { type Backups, startBackups } from './compose/backup/schedule/scheduler.ts';
import { alarmsOf } from './compose/health/alarms.ts';
import { alarmsOfService, type ServiceAlarms } from './compose/health/serviceAlarms.ts';
import { listenEarly } from './compose/health/earlyListener.ts';
import { ReadinessWatch } from './compose/health/readiness.ts';
import { collectService } from './compose/metrics/service.ts';
import { type Damage, type DamageWatch, watchDamage } from './compose/health/damageWatch.ts';
import { examineFiles } from './compose/mirror/mirrorLoss.ts';
import type { Ports } from './compose/ports.ts';
import { type Control, removeControl, secretKey, writeControl } from './compose/privacy/privateFiles.ts';
import { partsOf } from './compose/roles.ts';
import { watchRefusals } from './compose/health/refusals.ts';
import { finishRotation } from './compose/privacy/rotateSecrets.ts';
import { openStores, type Stores } from './compose/stores/stores.ts';
import { openTracing } from './compose/tracing/openTracing.ts';
import type { Tracing } from './compose/tracing/tracing.ts';
import { version } from './compose/version.ts';
import type { Config } from './config.ts';
import { handlers } from './core/handlers.ts';
import { type Clock, sleep, systemClock } from './kernel/clock.ts';
import { instantOf } from './kernel/dates.ts';
import { ulidMaker } from './kernel/ids.ts';
import { type Logger, loggerOf, withFields } from './kernel/log.ts';
import { type Random, systemRandom } from './kernel/random.ts';
import { sealer } from './kernel/seal.ts';
import { openHandlers } from './oauth/handlers.ts';
import { lockDataDir } from './store/lock.ts';

const CONTROL_SECRET_BYTES = 32;

/** A running service. */
export interface Service {
  /** The address that users see. */
  url: string;
  /** The address and secret by which commands of this machine reach the management API. */
  control: Control;
  /** Resolves after the first complete read since the start. @returns the mirrored connections */
  caughtUp(): Promise<string[]>;
  /** True if people sign in here. */
  people: boolean;
  /** Returns the one-time secret for the first sign-in while no person can sign in and none was invited. */
  firstSecret(): Promise<string | undefined>;
  /** Resolves when a database proves damaged, or its disk fails; never resolves otherwise. */
  damage: Promise<Damage>;
  /** Reads the certificate again. @returns false if the service speaks plain HTTP. @throws OperatorError with the unusable file */
  renewCertificate(): boolean;
  /** Runs the connections of these settings, whose other values are those in use. @throws OperatorError; then nothing has changed */
  applyConnections(config: Config): Promise<AppliedConnections>;
  /**
   * Says that it stops, still serves for the seconds of `drain_seconds` unless it has to stop at once, then drains and closes
   * everything, and releases the data directory.
   */
  stop(how?: { atOnce?: boolean }): Promise<void>;
}

interface ComposeOptions {
  log: Logger;
  clock?: Clock;
  random?: Random;
  /** Damage of the mirror that an earlier run found; the mirror then starts empty. */
  mirrorDamage?: string | undefined;
  /** The settings file, and the function that restarts the service with the current settings. */
  settings?: OwnSettings;
}

/**
 * Assembles and starts the parts: lock, stores, core, listener, then the daemon, which needs an open listener. `stop`
 * undoes the steps in reverse order; so does a step that fails.
 */
export async function startService(config: Config, options: ComposeOptions): Promise<Service> {
  const undo = new UndoSteps();
  const watch = watchDamage();
  try {
    return await start(config, { ...options, undo, watch });
  } catch (error) {
    await undo.all();
    throw await asDamage(error, watch);
  }
}

/** What undoes the steps of a start. */
class UndoSteps {
  readonly #steps: (() => unknown)[] = [];

  push(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Undoes all steps, the last one first, even if one fails; then throws the first failure. */
  async all(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.splice(0).toReversed()) {
      try {
        await step();
      } catch (error) {
        // The remaining steps must be undone as well, the lock last.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

type Starting = ComposeOptions & { undo: UndoSteps; watch: DamageWatch };

async function start(config: Config, options: Starting): Promise<Service> {
  const { undo, watch, clock = systemClock, random = systemRandom } = options;
  const tracing = await openTracing(config, { clock, random, log: loggerOf(options.log, 'service') });
  undo.push(() => tracing.close());
  const { tracer } = tracing;
  const everything = tracer.isOn ? withFields(options.log, () => tracer.inProgress() ?? {}) : options.log;
  const log = loggerOf(everything, 'service');
  const refusals = watchRefusals(clock, log);
  const lock = lockDataDir(config.data_dir);
  undo.push(() => lock.release());
  const readiness = new ReadinessWatch(clock);
  const endEarly = await listenEarly(config, readiness);
  undo.push(endEarly);
  const unchecked = examineFiles(config, { clock, log, known: options.mirrorDamage });
  const stores = await openStores(config, { damage: watch, refusals });
  undo.push(() => stores.close());
  readiness.watch(stores);
  readiness.enter('migrating');
  await finishRotation(config, stores, random);
  const ports: Ports = {
    tracer,
    clock,
    random,
    ids: ulidMaker(clock, random),
    sealer: sealer(secretKey(config.data_dir, config.secret_key, random), random),
  };
  const userAgent = `stayd/${version()}`;
  const { core: servesCore, ownAccounts, duties, people } = partsOf(config);
  const opened = await openCore({ store: stores.core, config, ports, log: loggerOf(log, 'core'), userAgent });
  // People without a core are kept in its database all the same.
  if (people) await ensureAccount(opened.core, config, log);
  const soleAccount = async () => (people ? (await firstAccount(opened.core, config)).account_id : undefined);
  const { settings } = options;
  const mirror = await openMirror({
    store: stores.mirror,
    config,
    ports,
    log: loggerOf(log, 'sync'),
    userAgent,
    settings,
    soleAccount,
  });

  const secret = random.bytes(CONTROL_SECRET_BYTES).toString('base64url');
  const plan = await backupPlan(config);
  let backups: Backups | undefined;
  const connections = new ConnectionsInUse({ opened, mirror, config, ownAccounts, duties, clock, log });
  const alarms = alarmsOfService({
    ofMachine: () => [...alarmsOf(config, refusals), ...(backups?.alarms() ?? [])],
    mirror,
    core: servesCore ? stores.core.db : null,
    clock,
  });
  readiness.enter('starting');
  await endEarly();
  const serving = { tracing, log: everything, servesCore, people, secret, alarms, connections, readiness };
  const door = await openListener(config, listenerOptions(config, options, { ...serving, opened, mirror, stores }));
  undo.push(() => door.close());
  opened.reachedAt(door.url);
  undo.push(() => mirror.stop());
  const innerUrl = config.inner_url ?? door.innerUrl;
  await connections.start(innerUrl, alarms.beside);
  undo.push(() => connections.stop());
  // Deliveries start once the daemon can accept them and end before it stops, because a refused delivery is not
  // repeated.
  if (servesCore) {
    await opened.start({ ...door, receives: duties?.has('receive') === true });
    undo.push(() => opened.stop());
  }

  const control = { url: door.innerUrl, secret, pid: process.pid, core: servesCore };
  writeControl(config.data_dir, control);
  undo.push(() => removeControl(config.data_dir));
  readiness.enter(null);
  if (plan) {
    backups = startBackups(config, plan, { clock, log: loggerOf(log, 'backup') });
    undo.push(() => backups?.stop());
  }
  void findDamage(config, unchecked, { log, watch });
  const firstSecret = async () => (people ? await secretForFirstSignIn(opened.core, config) : undefined);
  const { url } = door;
  return {
    url,
    people,
    control,
    caughtUp: () => mirror.caughtUp(),
    firstSecret,
    damage: watch.first,
    renewCertificate: () => door.renewCertificate(),
    applyConnections: (next) => connections.apply(next),
    async stop({ atOnce = false } = {}) {
      readiness.enter('stopping');
      if (!atOnce && config.drain_seconds > 0) await sleep(clock, config.drain_seconds * 1_000);
      await undo.all();
    },
  };
}

interface Serving {
  tracing: Tracing;
  log: Logger;
  opened: OpenCore;
  mirror: OpenMirror;
  stores: Stores;
  servesCore: boolean;
  /** True if people sign in here. */
  people: boolean;
  /** The secret of the commands of this machine. */
  secret: string;
  alarms: ServiceAlarms;
  connections: ConnectionsInUse;
  readiness: ReadinessWatch;
}

/** Returns what the listener serves. */
function listenerOptions(
  config: Config,
  { clock = systemClock, settings }: ComposeOptions,
  { tracing, log, opened, mirror, stores, servesCore, people, secret, alarms, connections, readiness }: Serving,
): Parameters<typeof openListener>[1] {
  const { core, oauth, counters, dialect, delivery } = opened;
  const spoiler: AnswerSpoiler | null = servesCore ? { faults: config.faults.answers } : null;
  const services = {
    core,
    servesCore,
    delivery,
    oauth,
    mirror: mirror.services,
    eventDays: config.core.outbox_days,
    forgetBytes: servesCore ? (strings: readonly string[]) => forgetCoreBytes(stores.core, config, strings) : null,
    feeds: servesCore ? opened.feeds : null,
    direct: servesCore ? opened.direct : null,
    mail: servesCore ? opened.mail : null,
    spoiler,
    alarms: alarms.all,
    alarmsFor: alarms.forAccount,
    connectionsChanged: () => connections.apply(),
    settings: () => settingDigests(connections.config, secret),
    ownFile: settings?.ownFile ?? null,
    reload: settings?.reload ?? null,
    startedAt: instantOf(clock.now()),
    version: version(),
  };
  const { trusted_proxies: trustedProxies } = config;
  return {
    core,
    handlers,
    open: openHandlers(oauth),
    oauth,
    counters,
    ...(spoiler && { spoiler }),
    dialect,
    tracer: tracing.tracer,
    servesCore,
    tokenHeaders: config.token_headers,
    mcp: config.mcp,
    docs: docsSources(),
    securityContact: config.security_contact,
    log: loggerOf(log, 'api'),
    controlSecret: secret,
    services,
    ...(people && {
      serveConsole: consoleOn({
        core,
        handlers,
        open: openHandlers(oauth),
        counters,
        config,
        settings,
        services,
        db: stores.mirror.db,
        trustedProxies,
        log: loggerOf(log, 'console'),
      }),
    }),
    receive: mirror.receive,
    async collectMetrics(registry) {
      const core = servesCore ? opened : null;
      const isWhole = await collectService(registry, { config, readiness, alarms: () => alarms.all(), core, tracing });
      await mirror.collectMetrics(registry, isWhole);
    },
    readiness: () => readiness.now(),
    isStopping: () => readiness.isStopping,
  };
}

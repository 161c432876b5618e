import type { AnswerSpoiler } from './api/http/answerFaults.ts';
import { ensureAccount, localAccount, localToken, openCore, secretForFirstSignIn } from './compose/core/openCore.ts';
import { forgetCoreBytes } from './compose/privacy/erasures.ts';
import { openListener } from './compose/openListener.ts';
import { openMirror } from './compose/mirror/openMirror.ts';
import { asDamage, findDamage } from './compose/health/damage.ts';
import { settingDigests } from './compose/doctor/settings.ts';
import { alarmsOf } from './compose/health/alarms.ts';
import { collect } from './compose/metrics/registry.ts';
import { serviceMetrics } from './compose/metrics/service.ts';
import { type Damage, watchDamage } from './compose/health/damageWatch.ts';
import { examineFiles } from './compose/mirror/mirrorLoss.ts';
import type { Ports } from './compose/ports.ts';
import { type Control, removeControl, secretKey, writeControl } from './compose/privacy/privateFiles.ts';
import { partsOf } from './compose/roles.ts';
import { watchRefusals } from './compose/health/refusals.ts';
import { finishRotation } from './compose/privacy/rotateSecrets.ts';
import { openStores } from './compose/stores/stores.ts';
import { version } from './compose/version.ts';
import type { Config } from './config.ts';
import { handlers } from './core/handlers.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { instantOf } from './kernel/dates.ts';
import { ulidMaker } from './kernel/ids.ts';
import type { Logger } from './kernel/log.ts';
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
  /** Returns the one-time secret for the first sign-in while no person can sign in and none was invited. */
  firstSecret(): Promise<string | undefined>;
  /** Resolves when a database proves damaged, or its disk fails; never resolves otherwise. */
  damage: Promise<Damage>;
  /** Drains and closes everything, and releases the data directory. */
  stop(): Promise<void>;
}

export interface ComposeOptions {
  log: Logger;
  clock?: Clock;
  random?: Random;
  /** Damage of the mirror that an earlier run found; the mirror then starts empty. */
  mirrorDamage?: string | undefined;
  /** The settings file, and the function that restarts the service with the current settings. */
  settings?: { ownFile: string; reload(): Promise<void> };
}

/**
 * Assembles and starts the parts: lock, stores, core, listener, then the daemon, which needs an open listener. `stop`
 * undoes the steps in reverse order; so does a step that fails.
 */
export async function startService(config: Config, options: ComposeOptions): Promise<Service> {
  const { log, clock = systemClock, random = systemRandom } = options;
  const undo: (() => unknown)[] = [];
  const watch = watchDamage();
  const refusals = watchRefusals(clock, log);
  const stop = async () => {
    const failures: unknown[] = [];
    for (const step of undo.splice(0).toReversed()) {
      try {
        await step();
      } catch (error) {
        // The remaining steps must be undone as well, the lock last.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
  try {
    const lock = lockDataDir(config.data_dir);
    undo.push(() => lock.release());
    const unchecked = examineFiles(config, { clock, log, known: options.mirrorDamage });
    const stores = await openStores(config, { damage: watch, refusals });
    undo.push(() => stores.close());
    await finishRotation(config, stores, random);
    const ports: Ports = {
      clock,
      random,
      ids: ulidMaker(clock, random),
      sealer: sealer(secretKey(config.data_dir, config.secret_key, random), random),
    };
    const userAgent = `stayd/${version()}`;
    const { core: servesCore, duties } = partsOf(config);
    const opened = await openCore({ store: stores.core, config, ports, log, userAgent });
    if (servesCore) await ensureAccount(opened.core, config, log);
    const mirror = await openMirror({ store: stores.mirror, config, ports, log, userAgent });
    const alarms = async () => [...alarmsOf(config, refusals), ...(await mirror.alarms())];

    const secret = random.bytes(CONTROL_SECRET_BYTES).toString('base64url');
    const state = { ready: false };
    const { answers } = config.faults;
    const spoiler: AnswerSpoiler | null = servesCore ? { faults: answers } : null;
    const door = await openListener(config, {
      core: opened.core,
      handlers,
      open: openHandlers(opened.oauth),
      oauth: opened.oauth,
      counters: opened.counters,
      ...(spoiler && { spoiler }),
      dialect: opened.dialect,
      servesCore,
      tokenHeaders: config.token_headers,
      mcp: config.mcp,
      securityContact: config.security_contact,
      log,
      controlSecret: secret,
      services: {
        core: opened.core,
        servesCore,
        delivery: opened.delivery,
        oauth: opened.oauth,
        mirror: mirror.services,
        forgetBytes: servesCore ? (strings) => forgetCoreBytes(stores.core, config, strings) : null,
        spoiler,
        alarms,
        settings: () => settingDigests(config, secret),
        ownFile: options.settings?.ownFile ?? null,
        reload: options.settings?.reload ?? null,
        startedAt: instantOf(clock.now()),
        version: version(),
      },
      receive: mirror.receive,
      async collectMetrics(registry) {
        collect(registry, serviceMetrics, [{ alarms: await alarms() }]);
        await mirror.collectMetrics(registry);
      },
      ready: () => state.ready,
    });
    undo.push(() => door.close());
    opened.reachedAt(door.url);
    const token = servesCore ? await localToken(opened.core, config) : null;
    if (duties) {
      const account = servesCore ? await localAccount(opened, config) : undefined;
      await mirror.start({ url: door.innerUrl, token, account }, duties);
      undo.push(() => mirror.stop());
    }
    // Deliveries start once the daemon can accept them and end before it stops, because a refused delivery is not
    // repeated.
    if (servesCore) {
      await opened.start(door);
      undo.push(() => opened.stop());
    }

    const control = { url: door.innerUrl, secret, pid: process.pid, core: servesCore };
    writeControl(config.data_dir, control);
    undo.push(() => removeControl(config.data_dir));
    state.ready = true;
    void findDamage(config, unchecked, { log, watch });
    undo.push(() => (state.ready = false));
    const firstSecret = async () => (servesCore ? await secretForFirstSignIn(opened.core, config) : undefined);
    return { url: door.url, control, caughtUp: () => mirror.caughtUp(), firstSecret, damage: watch.first, stop };
  } catch (error) {
    await stop();
    throw await asDamage(error, watch);
  }
}

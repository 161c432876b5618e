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

/** A service that answers. */
export interface Service {
  /** Where it is reached. */
  url: string;
  /** How commands of this machine reach its management door. */
  control: Control;
  /** Resolves when everything was read once since the start. @returns what is mirrored */
  caughtUp(): Promise<string[]>;
  /** The one-time secret for the first sign-in, while nobody can sign in and nobody was invited. */
  firstSecret(): Promise<string | undefined>;
  /** Resolves when a database turns out to be damaged, or its disk to fail; never where they are sound. */
  damage: Promise<Damage>;
  /** Drains, closes and lets go of the data directory. */
  stop(): Promise<void>;
}

export interface ComposeOptions {
  log: Logger;
  clock?: Clock;
  random?: Random;
  /** What an earlier run has found wrong with the mirror, which then begins anew. */
  mirrorDamage?: string | undefined;
  /** Where the settings came from, and how the service is started again with those of now. */
  settings?: { ownFile: string; reload(): Promise<void> };
}

/**
 * Brings the parts together and starts them: lock, stores, core, door, then the daemon, which needs the door
 * open. Stopping undoes the steps from the last to the first; so does a step that fails.
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
        // The others must be undone, too: the lock last.
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
    // Deliveries begin when the daemon can take them and end before it stops: a refused one is not sent again.
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

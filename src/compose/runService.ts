import { Session } from 'node:inspector/promises';
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { type Service, startService } from '../compose.ts';
import { type Config, ownConfigFile, supervision } from '../config.ts';
import { messageOf, OperatorError } from '../kernel/errors.ts';
import { pause, systemClock } from '../kernel/clock.ts';
import { backupPlan } from './backup/schedule/plan.ts';
import { appliedText, applyInPlace } from './applyInPlace.ts';
import type { OwnSettings, Reloaded } from './ownSettings.ts';
import { connectionSettings } from './mirror/connections.ts';
import { coreDamaged, DamagedError } from './health/damage.ts';
import { type Damage, damageText } from './health/damageWatch.ts';
import { openLog, type ServiceLog } from './log/serviceLog.ts';
import { type Supervisor, supervisor } from './supervisor.ts';
import { welcome } from './terminal.ts';
import { version } from './version.ts';

/**
 * Collects garbage when the heap has grown by this many per cent. By default V8 lets the heap double on a machine with
 * much memory, and an import of a hundred thousand reservations ends above 300 MB instead of 230.
 */
const HEAP_GROWTH = '--heap-growing-percent=30';

/** Milliseconds between the first complete read and the collection of its garbage. */
const QUIET_MS = 10_000;

/**
 * Collects all garbage once, some seconds after everything has been read. V8 leaves the garbage of a start alone while
 * little else is allocated, a sixth of what the process holds at rest.
 */
async function collectAfterStart(service: Service, signal: AbortSignal): Promise<void> {
  await service.caughtUp();
  await pause(QUIET_MS, signal);
  if (signal.aborted) return;
  // Unlike `gc()`, the request of the inspector gives the memory back to the system.
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}

interface Surroundings {
  /** @throws OperatorError if the settings are invalid */
  loadConfig(): Config;
  signal: AbortSignal;
  /** Runs the listener when somebody asks to read the settings again. */
  onHangUp(listener: () => void): void;
  out(text: string): void;
  /** True if a person reads the output, line by line. */
  isRead: boolean;
}

/** New mirrors after which repeated damage points to a damaged disk. */
const MOST_MIRRORS = 3;
/** Short runs that may end with a disk failure before the problem is left to a person. */
const MOST_FAILURES = 8;
const LONG_RUN_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 250;
const RELOADING = 'starting again with new settings';
const REFUSED_SETTINGS = 'the new settings cannot be used';

/** A request to serve new settings. */
interface Reload {
  kind: 'reload';
  config: Config;
}

/**
 * Runs the service in the foreground until the signal, then drains and stops it. A damaged mirror is not served: the
 * service restarts with a new one. A damaged core ends the service. After a disk failure the files are closed and
 * opened again, so that each later acknowledgement rests on what was read from them. On request the service restarts
 * with the current settings, or with the former ones if the new ones fail.
 */
export async function runService(first: Config, surroundings: Surroundings): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const supervised = supervisor(supervision(), systemClock, surroundings.out);
  try {
    await serveAgain(first, { ...surroundings, supervised });
  } finally {
    await supervised.close();
  }
}

interface Supervised extends Surroundings {
  supervised: Supervisor;
}

async function serveAgain(first: Config, surroundings: Supervised): Promise<void> {
  let mirrors = 0;
  let failures = 0;
  let damage: Damage | undefined;
  let config = first;
  let before: Config | undefined;
  while (!surroundings.signal.aborted) {
    const begun = systemClock.monotonic();
    const log = openLog(config, surroundings);
    const problem = damage?.kind === 'damaged' ? damage.problem : undefined;
    let end: Damage | Reload | undefined;
    try {
      end = await serve(config, log, surroundings, problem);
    } catch (error) {
      if (!before || surroundings.signal.aborted) throw error;
      surroundings.out(`${REFUSED_SETTINGS}: ${messageOf(error)}; going on with those of before`);
      [config, before] = [before, undefined];
      continue;
    }
    if (!end) return;
    if (end.kind === 'reload') {
      [config, before, damage] = [end.config, config, undefined];
      continue;
    }
    before = undefined;
    damage = end;
    if (damage.kind === 'disk') {
      failures = systemClock.monotonic() - begun > LONG_RUN_MS ? 1 : failures + 1;
      if (failures >= MOST_FAILURES) throw diskFailed(damage);
      await pause(FIRST_PAUSE_MS * 2 ** (failures - 1), surroundings.signal);
    } else {
      if (damage.half === 'core') throw coreDamaged(config, damage.problem);
      mirrors += 1;
      if (mirrors >= MOST_MIRRORS) {
        throw new OperatorError(`mirror.db is damaged again: ${damage.problem}`, 'check the disk that it lies on');
      }
    }
  }
}

function diskFailed(damage: Damage): OperatorError {
  return new OperatorError(`${damageText(damage)} again and again`, 'check the disk; what was acknowledged is on it');
}

/** Prints one line after the first complete read; failures meanwhile are in the log. */
function tellFirstRead(service: Service, out: (text: string) => void): void {
  const begun = systemClock.monotonic();
  service.caughtUp().then(
    (connections) => {
      if (connections.length === 0) return;
      const seconds = Math.max(1, Math.round((systemClock.monotonic() - begun) / 1_000));
      out(`the mirror is up to date: all of ${connections.join(', ')} was read in ${seconds} s`);
    },
    () => {},
  );
}

/** @returns the reason of the end: damage, or new settings; undefined if it was asked to stop */
async function serve(
  config: Config,
  { log, levels }: ServiceLog,
  { signal, onHangUp, out, isRead, loadConfig, supervised }: Supervised,
  mirrorDamage: string | undefined,
): Promise<Damage | Reload | undefined> {
  let service: Service;
  // Who asks while it starts is heard when it has.
  let isAskedEarly = false;
  onHangUp(() => (isAskedEarly = true));
  let renew: (reload: Reload) => void = () => {};
  const renewed = new Promise<Reload>((resolve) => (renew = resolve));
  let inUse = config;
  let running: Service | undefined;
  // Invalid settings are refused while the service continues.
  const reload = async (): Promise<Reloaded> => {
    const next = await usable(loadConfig());
    const applied = running && (await applyInPlace(running, inUse, next, levels));
    if (applied) {
      inUse = next;
      return { restarting: false, ...applied };
    }
    renew({ kind: 'reload', config: next });
    return { restarting: true };
  };
  const settings: OwnSettings = { ownFile: ownConfigFile().file, loadConfig, reload };
  try {
    service = await startService(config, { log, mirrorDamage, settings });
    running = service;
  } catch (error) {
    if (error instanceof DamagedError) return error.damage;
    throw error;
  }
  out(`stayd ${version()} is ready on ${service.url} (data in ${config.data_dir}); Ctrl-C stops it`);
  supervised.ready(`serves on ${service.url}`);
  const secret = await service.firstSecret();
  if (isRead) {
    for (const line of welcome(
      { url: service.url, core: service.control.core, people: service.people, secret },
      config,
    ))
      out(line);
    tellFirstRead(service, out);
  } else if (secret !== undefined) {
    out(`nobody can sign in yet; one-time secret for the first sign-in, shown only now: ${secret}`);
  }
  const readAgain = () =>
    void readSettings({ service, isSame: () => isDeepStrictEqual(loadConfig(), inUse), reload, out });
  onHangUp(readAgain);
  if (isAskedEarly) readAgain();
  collectAfterStart(service, signal).catch(() => {});
  const asked = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  // A damaged database must not be served any longer.
  const end = await Promise.race([asked, service.damage, renewed]);
  const isDamage = end !== undefined && end.kind !== 'reload';
  const why = isDamage ? `${damageText(end)}: stopping` : end ? RELOADING : 'stopping: finishing what is under way';
  out(why);
  if (end) supervised.restarting(why);
  else supervised.stopping(why);
  try {
    await service.stop({ atOnce: isDamage });
  } catch (error) {
    // With an unreadable database, a clean stop is not possible everywhere.
    if (!isDamage) throw error;
    log.warn({ problem: messageOf(error) }, 'the stop was not a clean one');
  }
  if (!end) out('stopped');
  return end;
}

interface Reading {
  service: Service;
  /** True if the settings are those in use. */
  isSame(): boolean;
  reload(): Promise<Reloaded>;
  out(text: string): void;
}

/** Reads the settings again: connections change at once, and so does a certificate; anything else begins with a new start. */
async function readSettings({ service, isSame, reload, out }: Reading): Promise<void> {
  try {
    if (isSame()) {
      out(service.renewCertificate() ? 'the certificate was read again' : 'the settings are the same as before');
      return;
    }
    const reloaded = await reload();
    if (!reloaded.restarting) out(appliedText(reloaded));
  } catch (error) {
    out(`${REFUSED_SETTINGS}: ${messageOf(error)}; going on with those of before`);
  }
}

/** @throws OperatorError with the fault in the connections or the backups of these settings */
async function usable(config: Config): Promise<Config> {
  await backupPlan(config);
  connectionSettings(config, systemClock, { url: 'http://127.0.0.1', accounts: [] });
  return config;
}

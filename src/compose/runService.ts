import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { type Service, startService } from '../compose.ts';
import type { Config } from '../config.ts';
import { instantOf } from '../kernel/dates.ts';
import { messageOf, OperatorError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';
import { pause, systemClock } from '../kernel/clock.ts';
import { coreDamaged, DamagedError } from './damage.ts';
import { type Damage, damageText } from './damageWatch.ts';
import { terminalLogger, welcome } from './terminal.ts';
import { version } from './version.ts';

/** Headers and fields whose values never reach the log. */
const SECRET_PATHS = [
  'headers.authorization',
  'headers["service-access-token"]',
  'headers["service-webhook-secret-token"]',
  '*.token',
  '*.secret',
  '*.secret_token',
  '*.code_verifier',
  '*.refresh_token',
];

/** Structured lines; instants as ISO text so that people can read them. */
export function serviceLogger(level: Config['log_level']) {
  return pino({
    level,
    base: null,
    timestamp: () => `,"time":"${instantOf(systemClock.now())}"`,
    redact: { paths: SECRET_PATHS, censor: '…' },
  });
}

/**
 * Collects garbage when the heap has grown by so many per cent. Left to itself, V8 lets it double on a machine
 * with much memory, and an import of a hundred thousand bookings ends above 300 MB in place of 230.
 */
const HEAP_GROWTH = '--heap-growing-percent=30';

interface Surroundings {
  signal: AbortSignal;
  out(text: string): void;
  /** Whether a person reads what is printed, line by line. */
  isRead: boolean;
}

/** A mirror that is damaged again and again lies on a disk that is. */
const MOST_MIRRORS = 3;
/** A disk that fails in so many runs, none of which lasted long, is left to a person. */
const MOST_FAILURES = 8;
const LONG_RUN_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 250;

/**
 * Runs the service in the foreground until the signal, then drains and stops it. A mirror that turns out to be
 * damaged is not served on: the service starts again with a new one. A damaged core ends it. When the disk fails,
 * the files are closed and opened anew, and what is acknowledged after that stands in what was read from them.
 */
export async function runService(config: Config, surroundings: Surroundings): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const log = surroundings.isRead
    ? terminalLogger(config.log_level, systemClock, surroundings.out)
    : serviceLogger(config.log_level);
  let mirrors = 0;
  let failures = 0;
  let damage: Damage | undefined;
  while (!surroundings.signal.aborted) {
    const begun = systemClock.monotonic();
    damage = await serve(config, log, surroundings, damage?.kind === 'damaged' ? damage.problem : undefined);
    if (!damage) return;
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

/** One line when the mirror has read everything once; what fails meanwhile stands in the log. */
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

/** @returns the damage that ended it; undefined when it was asked to stop */
async function serve(
  config: Config,
  log: Logger,
  { signal, out, isRead }: Surroundings,
  mirrorDamage: string | undefined,
): Promise<Damage | undefined> {
  let service: Service;
  try {
    service = await startService(config, { log, mirrorDamage });
  } catch (error) {
    if (error instanceof DamagedError) return error.damage;
    throw error;
  }
  out(`stayd ${version()} is ready on ${service.url} (data in ${config.data_dir}); Ctrl-C stops it`);
  const secret = await service.firstSecret();
  if (isRead) {
    for (const line of welcome({ url: service.url, core: service.control.core, secret }, config)) out(line);
    tellFirstRead(service, out);
  } else if (secret !== undefined) {
    out(`nobody can sign in yet; one-time secret for the first sign-in, shown only now: ${secret}`);
  }
  const asked = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  // A damaged database must not go on being served.
  const damage = await Promise.race([asked, service.damage]);
  out(damage ? `${damageText(damage)}: stopping` : 'stopping: finishing what is under way');
  try {
    await service.stop();
  } catch (error) {
    // With a database that cannot be read, not everything can be brought to its end.
    if (!damage) throw error;
    log.warn({ problem: messageOf(error) }, 'the stop was not a clean one');
  }
  if (!damage) out('stopped');
  return damage;
}

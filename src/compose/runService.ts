import { setFlagsFromString } from 'node:v8';
import { pino } from 'pino';
import { startService } from '../compose.ts';
import type { Config } from '../config.ts';
import { instantOf } from '../kernel/dates.ts';
import { systemClock } from '../kernel/clock.ts';
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
}

/** Runs the service in the foreground until the signal, then drains and stops it. */
export async function runService(config: Config, { signal, out }: Surroundings): Promise<void> {
  setFlagsFromString(HEAP_GROWTH);
  const log = serviceLogger(config.log_level);
  const service = await startService(config, { log });
  out(`stayd ${version()} is ready on ${service.url} (data in ${config.data_dir}); Ctrl-C stops it`);
  const secret = await service.firstSecret();
  if (secret !== undefined) {
    out(`nobody can sign in yet; one-time secret for the first sign-in, shown only now: ${secret}`);
  }
  const asked = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  // A damaged database must not go on being served; a sound one waits for the signal like everything else.
  const damage = await Promise.race([asked, service.damage.then((found) => found ?? asked)]);
  out('stopping: finishing what is under way');
  await service.stop();
  if (damage) throw damage;
  out('stopped');
}

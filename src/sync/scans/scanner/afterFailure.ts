import { CallError } from '../../../client/callError.ts';
import { sleep } from '../../../kernel/clock.ts';
import { messageOf } from '../../../kernel/errors.ts';
import type { ScanContext } from '../purpose.ts';
import { needsHost } from '../run.ts';

/** Milliseconds to wait after a failed scan. */
const REST_MS = 30_000;
const LONGEST_REST_MS = 15 * 60_000;

export interface FailureOptions extends Pick<ScanContext, 'clock' | 'connection' | 'log' | 'signal'> {
  onHostTrouble(error: CallError): Promise<void>;
}

/** Rests after a failed scan, or reports that only a person can help. */
export async function afterFailure(options: FailureOptions, error: unknown): Promise<void> {
  const { clock, connection, log, signal } = options;
  if (signal.aborted) return;
  if (needsHost(error)) return options.onHostTrouble(error);
  log.warn({ connection, problem: messageOf(error) }, 'reading everything failed; it is tried again');
  const held = error instanceof CallError ? (error.retryAfterMs ?? 0) : 0;
  await sleep(clock, Math.max(REST_MS, Math.min(held, LONGEST_REST_MS)), signal);
}

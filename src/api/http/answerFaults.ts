import type { FastifyReply } from 'fastify';
import { type Clock, sleep } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Random } from '../../kernel/random.ts';
import { RateLimited } from '../../core/limits/rateLimited.ts';
import type { Pieces } from './envelope.ts';

/** The faults to inject into answers of v3, for tests of clients. Shares are 0 to 1. */
interface AnswerFaults {
  /** Milliseconds; every answer waits a random time up to this. */
  delay_ms: number;
  /** Share answered with 502, 503 or 504; nothing is done. */
  fail: number;
  /** Share answered with 429; nothing is done. */
  limit: number;
  /** Share answered with an undocumented error code; nothing is done. */
  unknown_code: number;
  /** Share that is done, and whose answer then breaks off in the middle. */
  cut: number;
}

export const NO_ANSWER_FAULTS: AnswerFaults = { delay_ms: 0, fail: 0, limit: 0, unknown_code: 0, cut: 0 };

/** The current faults; the management API changes them. */
export interface AnswerSpoiler {
  faults: AnswerFaults;
}

const OUTAGES = [502, 503, 504] as const;
/** A code in no table of error codes. */
const ODD_CODE = 599;
const WAIT_SECONDS = 1;

/** The fault of one answer. */
type AnswerFault = 'fail' | 'limit' | 'unknown_code' | 'cut' | 'as it is';

const KINDS = ['fail', 'limit', 'unknown_code', 'cut'] as const;

/** Draws at most one fault: the shares add up, and the rest is answered normally. */
export function answerFaultOf(faults: AnswerFaults, random: Random): AnswerFault {
  let left = random.fraction();
  for (const kind of KINDS) {
    if (left < faults[kind]) return kind;
    left -= faults[kind];
  }
  return 'as it is';
}

/** Waits for the delay of an answer. */
export function holdAnswer(faults: AnswerFaults, { clock, random }: { clock: Clock; random: Random }): Promise<void> {
  return faults.delay_ms === 0 ? Promise.resolve() : sleep(clock, Math.ceil(random.fraction() * faults.delay_ms));
}

/** Returns the failure that replaces the work. */
export function corruptedFailure(kind: 'fail' | 'limit', random: Random): ApiError {
  if (kind === 'fail') return new ApiError(OUTAGES[Math.floor(random.fraction() * OUTAGES.length)] ?? 503, '');
  const window = { seconds: 60, max: 0 };
  return new RateLimited(
    'Too Many Attempts.',
    'user',
    { window, resetsAt: 0, retryAfter: WAIT_SECONDS },
    'a fault, on purpose',
  );
}

/** Returns the envelope of a failure that no client knows. */
export function unknownCodeFailure(requestId: string): string {
  return JSON.stringify({ request_id: requestId, error_code: ODD_CODE, error_msg: 'A fault, on purpose.' });
}

/** Announces the full length, sends half of the answer, and closes the connection. */
export function cutShort(reply: FastifyReply, envelope: string | Pieces): FastifyReply {
  const bytes = typeof envelope === 'string' ? Buffer.from(envelope) : Buffer.concat(envelope);
  void reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
  reply.raw.write(bytes.subarray(0, bytes.length / 2), () => reply.raw.destroy());
  return reply;
}

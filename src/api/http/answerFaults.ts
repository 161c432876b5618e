import type { FastifyReply } from 'fastify';
import { type Clock, sleep } from '../../kernel/clock.ts';
import { ApiError } from '../../kernel/errors.ts';
import type { Random } from '../../kernel/random.ts';
import { RateLimited } from '../../core/limits/rateLimited.ts';

/** How answers of v3 are spoilt on purpose, to see how a client copes. Shares are 0 to 1. */
export interface AnswerFaults {
  /** Every answer waits a random time up to this many milliseconds. */
  delay_ms: number;
  /** Answered 502, 503 or 504; nothing was done. */
  fail: number;
  /** Answered 429; nothing was done. */
  limit: number;
  /** Answered an error code that nobody has described; nothing was done. */
  unknown_code: number;
  /** Done, and then the answer breaks off in the middle. */
  cut: number;
}

export const NO_ANSWER_FAULTS: AnswerFaults = { delay_ms: 0, fail: 0, limit: 0, unknown_code: 0, cut: 0 };

/** The faults that hold now; the management door changes them. */
export interface AnswerSpoiler {
  faults: AnswerFaults;
}

const OUTAGES = [502, 503, 504] as const;
/** In no table of error codes. */
const ODD_CODE = 599;
const WAIT_SECONDS = 1;

/** What happens to one answer. */
export type AnswerFault = 'fail' | 'limit' | 'unknown_code' | 'cut' | 'as it is';

const KINDS = ['fail', 'limit', 'unknown_code', 'cut'] as const;

/** One fate at most: the shares stand beside each other, and what they leave is answered as it is. */
export function answerFaultOf(faults: AnswerFaults, random: Random): AnswerFault {
  let left = random.fraction();
  for (const kind of KINDS) {
    if (left < faults[kind]) return kind;
    left -= faults[kind];
  }
  return 'as it is';
}

/** Waits as long as an answer is to be late. */
export function holdAnswer(faults: AnswerFaults, { clock, random }: { clock: Clock; random: Random }): Promise<void> {
  return faults.delay_ms === 0 ? Promise.resolve() : sleep(clock, Math.ceil(random.fraction() * faults.delay_ms));
}

/** What is answered in place of doing anything. */
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

/** The envelope of a failure that no client knows. */
export function unknownCodeFailure(requestId: string): string {
  return JSON.stringify({ request_id: requestId, error_code: ODD_CODE, error_msg: 'A fault, on purpose.' });
}

/** Promises the whole answer, sends half of it, and hangs up. */
export function cutShort(reply: FastifyReply, text: string | Buffer): FastifyReply {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  void reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
  reply.raw.write(bytes.subarray(0, bytes.length / 2), () => reply.raw.destroy());
  return reply;
}

import { z } from 'zod';
import { transportFailure } from './callError.ts';
import { type ClientOptions, timeLimit, tokenHeader } from './client.ts';
import { exchange, TOTAL_MS } from './transport.ts';

/** The operation in the messages of failures: a core of ours answers this beside its list of webhooks. */
const OPERATION = 'listWebhooks';

const shape = z.object({
  webhook_id: z.int(),
  /** True if the other side has forgotten nothing since that moment. */
  complete: z.boolean(),
  /** Deliveries that failed since that moment. They are not sent again. */
  failed: z.int().nonnegative(),
  /** When the oldest event was queued that is still to be delivered. */
  waiting_since: z.iso.datetime().nullable(),
});

/** What the other side could not deliver to a webhook. */
export type Undelivered = z.output<typeof shape>;

type Options = Pick<
  ClientOptions,
  'baseUrl' | 'token' | 'renew' | 'profile' | 'userAgent' | 'clock' | 'dispatcher' | 'onAnswered'
>;

/** Asks what could not be delivered to a webhook since a moment. */
export type AskUndelivered = (
  webhook: { id: number; since: string },
  signal: AbortSignal,
) => Promise<Undelivered | undefined>;

/**
 * Returns a question that only a core of ours answers. It resolves to undefined where the other side is something else,
 * or its token may not ask. It throws a CallError where no answer came, or one that may pass.
 */
export function undeliveredQuestion(options: Options): AskUndelivered {
  const { origin } = new URL(options.baseUrl);
  const { dispatcher, clock, userAgent, onAnswered } = options;
  return async ({ id, since }, signal) => {
    const limit = timeLimit(clock, TOTAL_MS, signal);
    try {
      const headers = {
        accept: 'application/json',
        'user-agent': userAgent,
        ...tokenHeader(options, await options.token()),
      };
      const path = `/portal/webhooks/${id}/undelivered?since=${encodeURIComponent(since)}`;
      const request = { method: 'GET', path, headers, body: undefined } as const;
      const askedMs = clock.now();
      const { status, body, header } = await exchange(dispatcher, origin, OPERATION, request, limit.signal);
      onAnswered?.(header('date'), askedMs);
      if (status >= 500 || status === 429) throw transportFailure(OPERATION, `HTTP status ${status}`);
      const answer = status === 200 ? readAnswer(body.toString('utf8')) : undefined;
      return answer?.webhook_id === id ? answer : undefined;
    } finally {
      limit.clear();
    }
  };
}

/** Returns undefined for the answer of something else. */
function readAnswer(text: string): Undelivered | undefined {
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

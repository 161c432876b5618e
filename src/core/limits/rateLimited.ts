import { errorCodes } from '../../contract/errors.ts';
import { ApiError } from '../../kernel/errors.ts';
import { type FullWindow, windowName } from '../../kernel/limits/windows.ts';
import type { LimitScope, Stop } from './decide.ts';

/** Thrown for a request that came too early (429). `headers` contain the wait and the limit. */
export class RateLimited extends ApiError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(message: string, scope: LimitScope, full: FullWindow, reason: string) {
    super(429, message);
    this.headers = {
      'retry-after': String(full.retryAfter),
      'x-ratelimit-scope': scope,
      'x-ratelimit-window': windowName(full.window),
      'x-ratelimit-reason': reason,
    };
  }
}

/** The subject of each limit. The text contains no numbers, since the cap of a token concerns its owner only. */
const REASONS: Record<LimitScope, string> = {
  user: 'requests of the account',
  token: 'requests of the token',
  endpoint: 'requests to the endpoint',
  endpoint_error: 'failed requests to the endpoint',
};

/** Returns the error for a request that exceeds a limit of the account, its token or the endpoint. */
export function tooManyRequests({ scope, ...full }: Stop): RateLimited {
  const text = errorCodes[429].text;
  const message =
    scope === 'endpoint_error'
      ? `${text} Too many of these requests failed: sent like this they cannot succeed. Correct them first.`
      : text;
  return new RateLimited(message, scope, full, REASONS[scope]);
}

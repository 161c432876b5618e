import { errorCodes } from '../../contract/errors.ts';
import { ApiError } from '../../kernel/errors.ts';
import { type FullWindow, windowName } from '../../kernel/windows.ts';
import type { LimitScope, Stop } from './decide.ts';

/** A request that came too early (429). `headers` say how long to wait and which limit it was. */
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

/** What each limit counts. No numbers: the cap of a token is nobody's business but its owner's. */
const REASONS: Record<LimitScope, string> = {
  user: 'requests of the account',
  token: 'requests of the token',
  endpoint: 'requests to the endpoint',
  endpoint_error: 'failed requests to the endpoint',
};

/** The answer to a request that the account, its token or the endpoint has no room for. */
export function tooManyRequests({ scope, ...full }: Stop): RateLimited {
  const text = errorCodes[429].text;
  const message =
    scope === 'endpoint_error'
      ? `${text} Too many of these requests failed: sent like this they cannot succeed. Correct them first.`
      : text;
  return new RateLimited(message, scope, full, REASONS[scope]);
}

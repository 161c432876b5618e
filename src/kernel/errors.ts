/** Codes of the v3 envelope; `contract/errors.ts` has their meanings. */
export type ErrorCode = 400 | 401 | 403 | 404 | 409 | 420 | 422 | 429 | 500 | 501 | 502 | 503 | 504;

/** The limit that refused a request, as the headers of the answer name it. */
export interface RateLimit {
  readonly scope: 'user' | 'endpoint' | 'token' | 'endpoint_error';
  /** `5s`, `1m`, `24h`. */
  readonly window: string;
  /** Whole seconds. */
  readonly retryAfter: number;
  readonly reason: string;
}

/** A failure that the caller of v3 sees. `message` is public; `cause` and `detail` are for the operator's log only. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** The wrong field of the request, if there is one. */
  readonly field: string | undefined;
  readonly detail: string | undefined;
  /** The limit that was reached; set with 429. */
  readonly limit: RateLimit | undefined;
  /** Whole seconds to wait; set with 429 if no limit of an account was reached. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    more: { field?: string; detail?: string; cause?: unknown; limit?: RateLimit; retryAfter?: number } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.field = more.field;
    this.detail = more.detail;
    this.limit = more.limit;
    this.retryAfter = more.retryAfter;
  }
}

/** Returns a validation failure (422) that names the field. */
export function invalid(field: string, problem: string): ApiError {
  return new ApiError(422, `${field}: ${problem}`, { field });
}

/** A failure that the person who runs stayd must resolve: what happened, and what to do. Shown without a stack. */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/** Wrong use of a command or a setting: nothing was attempted. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError';
}

/** Returns the text of any thrown value, for logs and messages. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Marks a branch that is unreachable by its types. */
export function unreachable(value: never): never {
  throw new Error(`unreachable value ${JSON.stringify(value)}`);
}

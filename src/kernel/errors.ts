/** Codes of the v3 envelope; what each means stands in `contract/errors.ts`. */
export type ErrorCode = 400 | 401 | 403 | 404 | 409 | 420 | 422 | 429 | 500 | 501 | 502 | 503 | 504;

/** Which limit refused a request, as the headers of the answer say it. */
export interface RateLimit {
  readonly scope: 'user' | 'endpoint' | 'token' | 'endpoint_error';
  /** `5s`, `1m`, `24h`. */
  readonly window: string;
  /** Whole seconds. */
  readonly retryAfter: number;
  readonly reason: string;
}

/**
 * A failure that the caller of v3 is told about. `message` is public; `cause` and `detail` are for the
 * operator's log only.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /** The request field at fault, when there is one. */
  readonly field: string | undefined;
  readonly detail: string | undefined;
  /** Set with 429: the limit that was met. */
  readonly limit: RateLimit | undefined;
  /** Set with 429 where no limit of an account was met: whole seconds to wait. */
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

/** A validation failure (422) that names the field. */
export function invalid(field: string, problem: string): ApiError {
  return new ApiError(422, `${field}: ${problem}`, { field });
}

/**
 * A failure that the person running stayd must act on: what went wrong, and what to do about it.
 * Shown without a stack.
 */
export class OperatorError extends Error {
  override readonly name: string = 'OperatorError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint;
  }
}

/** A command or a setting that was used wrongly: nothing was tried. */
export class UsageError extends OperatorError {
  override readonly name = 'UsageError';
}

/** The text of any thrown value, for logs and messages. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Marks a branch that the types say cannot be reached. */
export function unreachable(value: never): never {
  throw new Error(`unreachable value ${JSON.stringify(value)}`);
}

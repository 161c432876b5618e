/** What the service says of a failure. */
export interface Failure {
  /** `error_code` of the envelope. */
  code: number;
  /** Whose request failed: the name of the operation. */
  operation: string;
  /** To be named when you ask whoever runs the service. */
  requestId: string;
  /** Seconds until a request has room again, with 429. */
  retryAfterSeconds?: number | undefined;
  /** Which limit stopped the request, with 429: `user`, `endpoint`, `token` or `endpoint_error`. */
  limitScope?: string | undefined;
}

/** A failure that the service has told in its envelope. Its classes by code are in `errors`. */
export class StaydError extends Error {
  readonly code: number;
  readonly operation: string;
  readonly requestId: string;
  readonly retryAfterSeconds: number | undefined;
  readonly limitScope: string | undefined;

  constructor(message: string, failure: Failure) {
    super(`${failure.operation}: ${failure.code} ${message}`);
    this.name = new.target.name;
    this.code = failure.code;
    this.operation = failure.operation;
    this.requestId = failure.requestId;
    this.retryAfterSeconds = failure.retryAfterSeconds;
    this.limitScope = failure.limitScope;
  }
}

/** No envelope came: no connection, no answer in time, or an answer of something between you and the service. */
export class StaydConnectionError extends Error {
  readonly operation: string;
  /** The HTTP status, if there was an answer. */
  readonly status: number | undefined;

  constructor(operation: string, message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(`${operation}: ${message}`, { cause });
    this.name = 'StaydConnectionError';
    this.operation = operation;
    this.status = status;
  }
}

import { errorCodes, type ErrorMeaning } from '../contract/errors.ts';
import type { OperationId } from '../contract/index.ts';
import type { ErrorCode } from '../kernel/errors.ts';

/** The action of a caller after a failure; see contract/errors.ts. */
type Remedy = ErrorMeaning['client'];

interface CallErrorFields {
  operation: OperationId;
  kind: 'transport' | 'api';
  /** The envelope's code; 0 if none was readable. */
  code: number;
  client: Remedy;
  message: string;
  /** The wait that the other side asked for. */
  retryAfterMs?: number | undefined;
  /** `X-RateLimit-Scope` of a 429: user, endpoint, token, endpoint_error. */
  scope?: string | undefined;
  /** `X-RateLimit-Window` of a 429, in seconds. */
  windowSeconds?: number | undefined;
  cause?: unknown;
}

/**
 * Thrown for a call that failed. Nothing of its answer may be used. `client` names the remedy: a correction (fix), a
 * person (host), a wait (wait), or a repetition (retry).
 */
export class CallError extends Error {
  override readonly name = 'CallError';
  readonly operation: OperationId;
  readonly kind: 'transport' | 'api';
  readonly code: number;
  readonly client: Remedy;
  readonly retryAfterMs: number | undefined;
  readonly scope: string | undefined;
  readonly windowSeconds: number | undefined;

  constructor(fields: CallErrorFields) {
    super(`${fields.operation}: ${fields.message}`, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.operation = fields.operation;
    this.kind = fields.kind;
    this.code = fields.code;
    this.client = fields.client;
    this.retryAfterMs = fields.retryAfterMs;
    this.scope = fields.scope;
    this.windowSeconds = fields.windowSeconds;
  }
}

/** Returns the error for a missing or unreadable answer, which is worth a retry. */
export function transportFailure(operation: OperationId, message: string, cause?: unknown): CallError {
  return new CallError({ operation, kind: 'transport', code: 0, client: 'retry', message, cause });
}

/** Returns the error for an answer whose code is no success. An undocumented code may pass, so it is retried. */
export function apiFailure(
  operation: OperationId,
  code: number,
  text: string,
  limit: Pick<CallErrorFields, 'retryAfterMs' | 'scope' | 'windowSeconds'> = {},
): CallError {
  const known = code in errorCodes ? errorCodes[code as ErrorCode] : undefined;
  return new CallError({
    operation,
    kind: 'api',
    code,
    client: known?.client ?? 'retry',
    message: `${code} ${text}`,
    ...limit,
  });
}

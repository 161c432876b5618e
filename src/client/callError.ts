import { errorCodes, type ErrorMeaning } from '../contract/errors.ts';
import type { OperationId } from '../contract/index.ts';
import type { ErrorCode } from '../kernel/errors.ts';

/** What a caller does about a failure; see contract/errors.ts. */
export type Remedy = ErrorMeaning['client'];

interface CallErrorFields {
  operation: OperationId;
  kind: 'transport' | 'api';
  /** The envelope's code; 0 when none could be read. */
  code: number;
  client: Remedy;
  message: string;
  /** How long the other side asked us to wait. */
  retryAfterMs?: number | undefined;
  /** `X-RateLimit-Scope` of a 429: user, endpoint, token, endpoint_error. */
  scope?: string | undefined;
  /** `X-RateLimit-Window` of a 429, in seconds. */
  windowSeconds?: number | undefined;
  cause?: unknown;
}

/**
 * A call that did not succeed. Nothing of an answer that carried it may be used.
 * `client` says what helps: nothing (fix), a person (host), waiting (wait), or trying again (retry).
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

/** The answer could not be had or not be read: worth another try. */
export function transportFailure(operation: OperationId, message: string, cause?: unknown): CallError {
  return new CallError({ operation, kind: 'transport', code: 0, client: 'retry', message, cause });
}

/** The other side answered a code that is no success. One that nobody described may pass, so it is tried again. */
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

import type { ErrorCode } from '../kernel/errors.ts';
import type { Operation } from './operation.ts';

/** Name, default text and expected reaction of an error code. */
export interface ErrorMeaning {
  readonly name: string;
  /** Text of the answer when the thrower gives none. */
  readonly text: string;
  /** Reaction of a client: stop for good, wait for a person, wait for Retry-After, or retry with backoff. */
  readonly client: 'fix' | 'host' | 'wait' | 'retry';
}

/** Every code of the envelope except success. */
export const errorCodes: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  400: { name: 'bad_request', text: 'Bad request.', client: 'fix' },
  401: { name: 'unauthorized', text: 'Invalid access token', client: 'host' },
  403: { name: 'forbidden', text: 'This resource belongs to another operator.', client: 'fix' },
  404: { name: 'not_found', text: 'Not found.', client: 'fix' },
  409: { name: 'conflict', text: 'Conflict.', client: 'fix' },
  420: { name: 'account', text: 'Subscription expired', client: 'host' },
  422: { name: 'validation', text: 'Validation failed.', client: 'fix' },
  429: { name: 'rate_limited', text: 'Too Many Attempts.', client: 'wait' },
  500: { name: 'server', text: 'Server error.', client: 'retry' },
  501: { name: 'not_implemented', text: 'This feature is not enabled.', client: 'fix' },
  502: { name: 'upstream', text: 'A channel failed.', client: 'retry' },
  503: { name: 'unavailable', text: 'Temporarily unavailable.', client: 'retry' },
  504: { name: 'upstream_timeout', text: 'A channel did not answer in time.', client: 'retry' },
};

/**
 * Codes that every operation can answer. 400 covers a body that is not JSON, and an address or headers that are too
 * long.
 */
const SHARED_CODES = [400, 401, 420, 422, 429, 500] as const;

/** Returns every code that the operation can answer except success, ascending. */
export function codesOf({ errors, method }: Pick<Operation, 'errors' | 'method'>): ErrorCode[] {
  // A POST can carry an Idempotency-Key whose first request is still in progress.
  const codes = new Set<ErrorCode>([...SHARED_CODES, ...(method === 'POST' ? ([409] as const) : []), ...errors]);
  return [...codes].toSorted((a, b) => a - b);
}

/** Codes that mean success. One variant of the description shows 0. */
export const successCodes: ReadonlySet<number> = new Set([0, 200]);
/** Code and text of the envelope for success. */
export const SUCCESS = { code: 200, text: 'Done.' } as const;

/** Texts that callers of v3 know word for word. */
export const texts = {
  invalidToken: 'Invalid access token',
  readOnlyToken: 'Not authorized for this action',
  subscriptionExpired: 'Subscription expired',
  basicEdition: 'Basic edition does not support this feature',
  accountSuspended: 'Account suspended',
  propertyQuota: 'Property quota exhausted',
  notManual: 'Only manually created reservations can be cancelled through this endpoint.',
  tooManyAttempts: 'Too many attempts.',
  goneResource: 'This resource is no longer available.',
} as const;

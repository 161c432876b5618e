import type { ErrorCode } from '../kernel/errors.ts';
import type { Operation } from './operation.ts';

export interface ErrorMeaning {
  readonly name: string;
  /** The text answered when the thrower has none of its own. */
  readonly text: string;
  /** What a client does: stop for good, wait for a person, wait for Retry-After, or try again with backoff. */
  readonly client: 'fix' | 'host' | 'wait' | 'retry';
}

/** Every code the envelope can carry beside success. */
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

/** Codes that every operation can answer; 400 for a body that is no JSON, and for too long an address or headers. */
const SHARED_CODES = [400, 401, 420, 422, 429, 500] as const;

/** Every code a call of the operation can be answered with beside success, ascending. */
export function codesOf({ errors, method }: Pick<Operation, 'errors' | 'method'>): ErrorCode[] {
  // A POST can come with an Idempotency-Key whose first request is still under way.
  const codes = new Set<ErrorCode>([...SHARED_CODES, ...(method === 'POST' ? ([409] as const) : []), ...errors]);
  return [...codes].toSorted((a, b) => a - b);
}

/** The codes that mean success; one variant of the description shows 0. */
export const successCodes: ReadonlySet<number> = new Set([0, 200]);
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

// Made by `npm run integrations` from the OpenAPI document; do not change it by hand.

import { StaydError } from '../staydError.js';

/** error_code 400: Bad request. */
export class BadRequestError extends StaydError {}

/** error_code 401: Invalid access token */
export class UnauthorizedError extends StaydError {}

/** error_code 403: This resource belongs to another operator. */
export class ForbiddenError extends StaydError {}

/** error_code 404: Not found. */
export class NotFoundError extends StaydError {}

/** error_code 409: Conflict. */
export class ConflictError extends StaydError {}

/** error_code 420: Subscription expired */
export class AccountError extends StaydError {}

/** error_code 422: Validation failed. */
export class ValidationError extends StaydError {}

/** error_code 429: Too Many Attempts. */
export class RateLimitedError extends StaydError {}

/** error_code 500: Server error. */
export class ServerError extends StaydError {}

/** error_code 501: This feature is not enabled. */
export class NotEnabledError extends StaydError {}

/** error_code 502: A channel failed. */
export class UpstreamError extends StaydError {}

/** error_code 503: Temporarily unavailable. */
export class UnavailableError extends StaydError {}

/** error_code 504: A channel did not answer in time. */
export class UpstreamTimeoutError extends StaydError {}

/** The class of each error_code. */
export const ERRORS: Readonly<Record<number, typeof StaydError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  420: AccountError,
  422: ValidationError,
  429: RateLimitedError,
  500: ServerError,
  501: NotEnabledError,
  502: UpstreamError,
  503: UnavailableError,
  504: UpstreamTimeoutError,
};

/** OAuth's error codes (RFC 6749, 7591, 8707), with their HTTP status outside of redirects. */
const STATUSES = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  access_denied: 403,
  request_not_supported: 400,
  not_implemented: 501,
  temporarily_unavailable: 429,
  server_error: 500,
} as const;

export type OAuthError = keyof typeof STATUSES;

export function isOAuthError(name: string): name is OAuthError {
  return Object.hasOwn(STATUSES, name);
}

/** Thrown for a refusal that the application receives: its code, and a text for the application's developer. */
export class OAuthFailure extends Error {
  override readonly name = 'OAuthFailure';
  readonly error: OAuthError;
  /** Seconds to wait, where waiting helps. */
  readonly retryAfter: number | undefined;

  constructor(error: OAuthError, message: string, more: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.error = error;
    this.retryAfter = more.retryAfter;
  }

  get status(): number {
    return STATUSES[this.error];
  }
}

import type { Data, Input, OpenId } from '../contract/index.ts';
import { ApiError, type ErrorCode } from '../kernel/errors.ts';
import { authenticateClient } from './clients.ts';
import { type OAuthError, OAuthFailure } from './failure.ts';
import { revokeToken } from './revoke.ts';
import type { OAuth } from './server.ts';
import { exchange } from './token.ts';

/**
 * Returns the handlers of the v3 operations by which applications obtain and revoke tokens. They use the envelope like
 * all others.
 */
export function openHandlers(oauth: OAuth): { [Id in OpenId]: (input: Input<Id>) => Promise<Data<Id>> } {
  return {
    createAuthorization: (input) =>
      inEnvelope(async () => {
        const { client_secret, code, code_verifier, redirect_uri, refresh_token, ...rest } = input;
        const asked = {
          ...rest,
          client_secret,
          code,
          code_verifier,
          redirect_uri,
          refresh_token,
          scope: undefined,
          resources: [],
        };
        const { access_token, refresh_token: next, expires_in } = await exchange(oauth, asked);
        return { access_token, refresh_token: next, expires_in };
      }),
    revokeAuthorization: ({ client_id: clientId, client_secret: secret, token }) =>
      inEnvelope(async () => {
        const client = await authenticateClient(oauth, { clientId, secret });
        await revokeToken(oauth, client, { token, cascades: false });
        return undefined;
      }),
  };
}

/** Status codes by remedy: 401 asks a person for permission again, 400 addresses the application's developer. */
const CODES: Partial<Record<OAuthError, ErrorCode>> = {
  invalid_client: 401,
  invalid_grant: 401,
  temporarily_unavailable: 429,
};

async function inEnvelope<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthFailure)) throw error;
    const { retryAfter } = error;
    const code = CODES[error.error] ?? 400;
    throw new ApiError(code, error.message, { cause: error, ...(retryAfter !== undefined && { retryAfter }) });
  }
}

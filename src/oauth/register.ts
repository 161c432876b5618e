import { z } from 'zod';
import { addClient, requireRedirects } from './clients.ts';
import { ApiError } from '../kernel/errors.ts';
import { OAuthFailure } from './failure.ts';
import type { OAuth } from './server.ts';

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const;

/** An application's description of itself (RFC 7591). Other fields are ignored. */
const request = z.object({
  client_name: z.string().trim().min(1).max(200).default('An application without a name'),
  redirect_uris: z.array(z.string()).max(20),
  token_endpoint_auth_method: z.enum(METHODS).default('client_secret_basic'),
  grant_types: z
    .array(z.enum(['authorization_code', 'refresh_token']))
    .default(['authorization_code', 'refresh_token']),
  response_types: z.array(z.enum(['code'])).default(['code']),
});

/**
 * Registers an application at its own request. @returns the answer of RFC 7591
 * @throws OAuthFailure 501 where this is disabled, which is the default
 */
export async function register(oauth: OAuth, body: unknown): Promise<Record<string, unknown>> {
  if (!oauth.settings.dynamicRegistration) {
    throw new OAuthFailure(
      'not_implemented',
      'Applications do not register themselves here. Ask the owner for a client_id, or use the address of a client metadata document as one.',
    );
  }
  const result = request.safeParse(body);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new OAuthFailure('invalid_client_metadata', `${issue?.path.join('.') || 'the body'}: ${issue?.message}`);
  }
  const { client_name, redirect_uris, token_endpoint_auth_method: method, grant_types, response_types } = result.data;
  refuseRedirects(redirect_uris);
  const kind = method === 'none' ? 'public' : 'confidential';
  const draft = { name: client_name, kind, redirectUris: redirect_uris, scope: 'write' } as const;
  const made = await addClient(oauth, null, draft, 'dynamic');
  return {
    ...made,
    ...(made.client_secret !== undefined && { client_secret_expires_at: 0 }),
    client_id_issued_at: Math.floor(oauth.core.clock.now() / 1_000),
    client_name,
    redirect_uris,
    token_endpoint_auth_method: method,
    grant_types,
    response_types,
  };
}

function refuseRedirects(uris: readonly string[]): void {
  try {
    requireRedirects(uris);
  } catch (error) {
    if (error instanceof ApiError) throw new OAuthFailure('invalid_redirect_uri', error.message, { cause: error });
    throw error;
  }
}

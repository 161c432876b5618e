import { RESOURCES, resourceUrl } from './audience.ts';
import { CHALLENGE_METHOD } from './pkce.ts';
import { SCOPES } from './scopes.ts';
import type { OAuth } from './server.ts';

type Metadata = Readonly<Record<string, unknown>>;

const SERVER = '/.well-known/oauth-authorization-server';
const RESOURCE = '/.well-known/oauth-protected-resource';

/** Returns the metadata of the authorization server (RFC 8414). */
function serverMetadata({ core, settings }: OAuth): Metadata {
  const issuer = core.publicUrl();
  const methods = ['none', 'client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    ...(settings.dynamicRegistration && { registration_endpoint: `${issuer}/oauth/register` }),
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: [CHALLENGE_METHOD],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: settings.metadataDocuments,
    service_documentation: `${issuer}/docs`,
  };
}

/** Returns the metadata of one protected resource (RFC 9728), by its path: `/v3`, `/mcp`, `/v3/mcp`. */
function resourceMetadata(oauth: Pick<OAuth, 'core'>, path: string): Metadata | undefined {
  const audience = RESOURCES[path];
  if (audience === undefined) return undefined;
  return {
    resource: resourceUrl(oauth, path),
    resource_name: audience === 'mcp' ? 'stayd for assistants (MCP)' : 'stayd v3',
    authorization_servers: [oauth.core.publicUrl()],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
    resource_documentation: `${oauth.core.publicUrl()}/docs`,
  };
}

/** Returns the address of a protected resource's metadata, which a 401 gives as `resource_metadata`. */
export function resourceMetadataUrl({ core }: Pick<OAuth, 'core'>, path: string): string {
  const { origin, pathname } = new URL(core.publicUrl());
  return `${origin}${RESOURCE}${pathname.replace(/\/$/, '')}${path}`;
}

/**
 * Returns the metadata at a path of `/.well-known`. The name is followed by the path of its subject, which begins with
 * the service's own path where it has one.
 */
export function wellKnown(oauth: OAuth, path: string): Metadata | undefined {
  const own = new URL(oauth.core.publicUrl()).pathname.replace(/\/$/, '');
  const behind = (name: string) => {
    const rest = path.slice(name.length);
    return own !== '' && rest.startsWith(own) ? rest.slice(own.length) : rest;
  };
  if (path.startsWith(SERVER)) return behind(SERVER) === '' ? serverMetadata(oauth) : undefined;
  if (!path.startsWith(RESOURCE)) return undefined;
  return resourceMetadata(oauth, behind(RESOURCE) || '/mcp');
}

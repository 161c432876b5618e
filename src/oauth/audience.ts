import type { Audience } from '../core/accounts/authenticate.ts';
import type { OAuth } from './server.ts';
import { OAuthFailure } from './failure.ts';

/** The protected resources that tokens of applications can be for, by their path below the service's address. */
export const RESOURCES: Readonly<Record<string, Exclude<Audience, 'management'>>> = {
  '/v3': 'v3',
  '/mcp': 'mcp',
  '/v3/mcp': 'mcp',
};

/** Returns the identifier of a resource as its metadata gives it. */
export function resourceUrl({ core }: Pick<OAuth, 'core'>, path: string): string {
  return `${core.publicUrl()}${path}`;
}

/**
 * Returns the protected resources that a request's `resource` parameters (RFC 8707) name; none: v3.
 * @throws OAuthFailure for an address that is not one of ours
 */
export function audienceAsked(oauth: Pick<OAuth, 'core'>, resources: readonly string[]): Audience[] {
  if (resources.length === 0) return ['v3'];
  const known = new Map(Object.entries(RESOURCES).map(([path, audience]) => [resourceUrl(oauth, path), audience]));
  known.set(oauth.core.publicUrl(), 'v3');
  const audiences = resources.map((resource) => known.get(resource.replace(/\/$/, '')));
  if (audiences.includes(undefined)) {
    throw new OAuthFailure('invalid_target', `resource: is none of ${[...known.keys()].join(', ')}`);
  }
  return [...new Set(audiences.filter((one) => one !== undefined))].toSorted();
}

import { validateOriginHeader } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { isOwnName } from '../http/near.ts';
import { problem } from './problem.ts';

/** Names that always reach a service on this machine. */
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const REFUSED = -32_000;

export interface GuardOptions {
  /** Further names of this service, without ports, beside those of loopback and its public address. */
  readonly hosts: readonly string[];
  /** Hosts whose pages may call from a browser, beside the service's own. */
  readonly origins: readonly string[];
}

/**
 * Refuses requests that a foreign page makes a browser send (DNS rebinding, cross-site requests), by the Host and
 * Origin headers.
 */
export function foreignRequest(
  request: FastifyRequest,
  { hosts, origins }: GuardOptions,
  publicUrl: string,
): Response | undefined {
  const own = [...LOOPBACK_NAMES, ...(URL.canParse(publicUrl) ? [new URL(publicUrl).hostname] : []), ...hosts];
  if (!isOwnName(request, own)) {
    return refused('This service does not go by the name in the Host header. Set STAYD_PUBLIC_URL or STAYD_MCP_HOSTS.');
  }
  if (!validateOriginHeader(request.headers.origin, [...own, ...origins]).ok) {
    return refused('Pages of this origin may not ask here. Name its host in STAYD_MCP_ORIGINS.');
  }
  return undefined;
}

function refused(message: string): Response {
  return problem({ status: 403, code: REFUSED, message });
}

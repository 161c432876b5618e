import type { IncomingHttpHeaders } from 'node:http';

/** The header for access tokens alone, which comes first. */
const TOKEN_HEADER = 'service-access-token';
const BEARER = /^Bearer +(\S+)$/i;

/**
 * Returns the access token of a request: from its own header, further configured ones, then `Authorization: Bearer`.
 */
export function tokenFrom(headers: IncomingHttpHeaders, further: readonly string[]): string | undefined {
  for (const name of [TOKEN_HEADER, ...further]) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value.trim();
  }
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

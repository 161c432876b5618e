import type { IncomingHttpHeaders } from 'node:http';

/** The header that belongs to access tokens alone; looked at first. */
const TOKEN_HEADER = 'service-access-token';
const BEARER = /^Bearer +(\S+)$/i;

/** The access token of a request: its own header, further configured ones, then `Authorization: Bearer`. */
export function tokenFrom(headers: IncomingHttpHeaders, further: readonly string[]): string | undefined {
  for (const name of [TOKEN_HEADER, ...further]) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value.trim();
  }
  return BEARER.exec(headers.authorization ?? '')?.[1];
}

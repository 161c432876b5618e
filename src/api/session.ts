import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MS } from '../core/people/sessions.ts';

/** The prefix makes browsers refuse it from anything but this very host over https. */
const SECURE_NAME = '__Host-stayd_session';
/** The name on plain HTTP, which serves this machine only. */
const LOCAL_NAME = 'stayd_session';

/** Returns the session in a request's cookie. */
export function sessionOf(request: FastifyRequest): string | undefined {
  const name = isSecure(request) ? SECURE_NAME : LOCAL_NAME;
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value] = part.trim().split('=', 2);
    if (key === name && value) return value;
  }
  return undefined;
}

export function setSession(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  void reply.header('set-cookie', cookie(request, secret, SESSION_MS / 1_000)).header('cache-control', 'no-store');
}

export function clearSession(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('set-cookie', cookie(request, '', 0)).header('cache-control', 'no-store');
}

/**
 * Returns true if a changing request comes from a page of this host: every current browser states its origin, and a
 * request without a statement comes from none.
 */
export function isSameOrigin({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined || !URL.canParse(headers.origin)) return false;
  return new URL(headers.origin).host === headers.host;
}

function cookie(request: FastifyRequest, value: string, seconds: number): string {
  const secure = isSecure(request);
  const parts = [
    `${secure ? SECURE_NAME : LOCAL_NAME}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Lax',
  ];
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ');
}

/** A false claim of https is harmless: it only makes the cookie stricter. */
function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https';
}

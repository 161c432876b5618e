import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_MS } from '../core/people/sessions.ts';

/** Makes browsers refuse a cookie from anything but this very host over https. */
const SECURE_PREFIX = '__Host-';
/** On plain HTTP, which serves this machine only, cookies have no prefix. */
const NAMES = { session: 'stayd_session', step: 'stayd_step' } as const;
/** Seconds between the password and the second factor. */
const STEP_SECONDS = 300;

type Kind = keyof typeof NAMES;

/** Returns the session in a request's cookie. */
export function sessionOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, 'session');
}

export function setSession(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  setCookie(request, reply, ['session', secret, SESSION_MS / 1_000]);
}

export function clearSession(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(request, reply, ['session', '', 0]);
}

/** Returns the sign-in that waits for its second factor on this browser. */
export function stepOf(request: FastifyRequest): string | undefined {
  return cookieOf(request, 'step');
}

export function setStep(request: FastifyRequest, reply: FastifyReply, secret: string): void {
  setCookie(request, reply, ['step', secret, STEP_SECONDS]);
}

export function clearStep(request: FastifyRequest, reply: FastifyReply): void {
  setCookie(request, reply, ['step', '', 0]);
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

/** Returns the origin that a browser shows for this request, such as `https://stay.example`. */
export function ownOrigin(request: FastifyRequest): string {
  return `${isSecure(request) ? 'https' : 'http'}://${request.headers.host ?? ''}`;
}

function cookieOf(request: FastifyRequest, kind: Kind): string | undefined {
  const name = nameOf(request, kind);
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const [key = '', value] = part.trim().split('=', 2);
    if (key === name && value) return value;
  }
  return undefined;
}

function nameOf(request: FastifyRequest, kind: Kind): string {
  return isSecure(request) ? `${SECURE_PREFIX}${NAMES[kind]}` : NAMES[kind];
}

function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  [kind, value, seconds]: readonly [Kind, string, number],
): void {
  const parts = [
    `${nameOf(request, kind)}=${value}`,
    'Path=/',
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isSecure(request) ? ['Secure'] : []),
  ];
  void reply.header('set-cookie', parts.join('; ')).header('cache-control', 'no-store');
}

/** A false claim of https is harmless: it only makes the cookie stricter. */
function isSecure(request: FastifyRequest): boolean {
  return request.protocol === 'https' || request.headers['x-forwarded-proto'] === 'https';
}

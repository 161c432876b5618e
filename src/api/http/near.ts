import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isLoopback, rangesOf, within } from './addresses.ts';

/** The address of almost every peer on this machine. */
const LOOPBACK = '127.0.0.1';
const STAY_ENCRYPTED = 'max-age=31536000';
const LOOPBACK_NAME = 'localhost';
/** Headers that proxies add; each shows that the peer forwards for another caller. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
] as const;

/** The parts of a request that show its origin. */
export type Arrival = Pick<FastifyRequest, 'headers' | 'protocol' | 'socket'> & {
  readonly raw: Pick<FastifyRequest['raw'], 'httpVersion'>;
};

export interface ListenerGuard {
  readonly trustedProxies: readonly string[];
  /** Returns further names and addresses of this service, without ports, beside those of this machine. */
  readonly names: () => readonly string[];
}

/**
 * Returns true if the caller is on this machine: the socket's address is loopback, no proxy is involved, the request
 * names this machine, and it is HTTP/1.1 (proxies that add no header speak the older version). All rules for this
 * machine alone rest on this.
 */
export function isNear(arrival: Arrival): boolean {
  return (
    isDirect(arrival) && arrival.raw.httpVersion !== '1.0' && isLoopbackName(nameIn(arrival.headers.host ?? '') ?? '')
  );
}

/**
 * Refuses plain HTTP from other machines: with HTTP 403 and no envelope, never a redirect, since a token in the request
 * has already crossed the network in clear. A trusted proxy, or one on this machine, may state that its client used
 * https; anyone may state http. Refuses requests with a name that is not the service's own, which a foreign page makes
 * a browser send (DNS rebinding).
 * @param judgesItself true for a path that answers foreign names in a form of its own
 */
export function guardListener(
  app: FastifyInstance,
  { trustedProxies, names }: ListenerGuard,
  judgesItself: (path: string) => boolean,
): void {
  const trusted = rangesOf(trustedProxies);
  // No promise here: every request passes this hook.
  app.addHook('onRequest', (request, reply, done) => {
    // Forbids browsers to treat an answer as another type than declared.
    void reply.header('x-content-type-options', 'nosniff');
    // Answers that may be cached say so themselves. Browsers heed the second header over https alone.
    void reply.header('cache-control', 'no-store').header('strict-transport-security', STAY_ENCRYPTED);
    const peer = request.socket.remoteAddress ?? '';
    const saysHttps = () =>
      saidProtocols(request).length > 0 && (isHere(peer) || trusted.some((one) => within(peer, one)));
    if (
      saidProtocols(request).some((one) => one !== 'https') ||
      !(isEncrypted(request) || isDirect(request) || saysHttps())
    ) {
      void reply.code(403).type('text/plain').send('Plain HTTP is not served here. Use https.\n');
    } else if (!isOwnName(request, names()) && !judgesItself(request.url)) {
      void reply
        .code(403)
        .type('text/plain')
        .send('This service does not go by the name in the Host header. Set STAYD_PUBLIC_URL or STAYD_MCP_HOSTS.\n');
    } else done();
  });
}

/** Returns true if a request names this machine, one of these names, or the very address that it reached. */
export function isOwnName({ headers, socket }: Pick<Arrival, 'headers' | 'socket'>, names: readonly string[]): boolean {
  const name = nameIn(headers.host ?? '');
  if (name === undefined) return false;
  return (
    isLoopbackName(name) || names.includes(name) || (isIP(name) !== 0 && name === plain(socket.localAddress ?? ''))
  );
}

/** Returns true if a proxy says that it forwards for another caller. */
export function isForwarded({ headers }: Pick<Arrival, 'headers'>): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined);
}

function isDirect({ headers, socket }: Arrival): boolean {
  return isHere(socket.remoteAddress ?? '') && !isForwarded({ headers });
}

function isHere(peer: string): boolean {
  return peer === LOOPBACK || isLoopback(peer);
}

/** Asks the socket, because the framework's answer may come from a header. */
function isEncrypted({ socket }: Pick<Arrival, 'socket'>): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}

/** Returns the protocol that each proxy on the way reports. */
function saidProtocols({ headers }: Pick<Arrival, 'headers'>): string[] {
  const said = [headers['x-forwarded-proto'] ?? []].flat().flatMap((text) => text.split(','));
  const standard = [headers.forwarded ?? ''].flat().flatMap((text) => [...text.matchAll(/\bproto="?([a-z]+)/gi)]);
  return [...said, ...standard.map(([, protocol = '']) => protocol)].map((one) => one.trim().toLowerCase());
}

function isLoopbackName(name: string): boolean {
  return name === LOOPBACK || name === LOOPBACK_NAME || isLoopback(name);
}

/** Returns the name in a Host header, in lower case and without port or brackets. */
function nameIn(host: string): string | undefined {
  const [, bracketed, name] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/@[\]]+))(?::\d{1,5})?$/i.exec(host) ?? [];
  return (bracketed ?? name)?.toLowerCase();
}

function plain(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toString();
}

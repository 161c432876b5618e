import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { isLoopback, rangesOf, within } from './addresses.ts';

/** How almost every peer on this machine calls itself. */
const LOOPBACK = '127.0.0.1';
const STAY_ENCRYPTED = 'max-age=31536000';
const LOOPBACK_NAME = 'localhost';
/** What proxies add: with one of these somebody else than the peer is asking. */
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

/** The parts of a request by which it is judged where it comes from. */
export type Arrival = Pick<FastifyRequest, 'headers' | 'protocol' | 'socket'> & {
  readonly raw: Pick<FastifyRequest['raw'], 'httpVersion'>;
};

export interface ListenerGuard {
  readonly trustedProxies: readonly string[];
  /** Names and addresses, without a port, under which this service is reached beside those of this machine. */
  readonly names: () => readonly string[];
}

/**
 * Whether whoever asks sits at this machine: the socket's own address is loopback, no proxy has a hand in it, and it was
 * asked for by a name of this machine, in HTTP/1.1 (the older version is what proxies speak that add no header).
 * Everything that is for this machine alone goes by this.
 */
export function isNear(arrival: Arrival): boolean {
  return (
    isDirect(arrival) && arrival.raw.httpVersion !== '1.0' && isLoopbackName(nameIn(arrival.headers.host ?? '') ?? '')
  );
}

/**
 * Refuses plain HTTP from anywhere but this machine: with HTTP 403 and no envelope, never a redirect, since a token in
 * the request has already crossed the network in clear. The word of a trusted proxy, or of one on this machine, that its
 * client came by https is believed; anybody's word that it came by http is, too. Refuses requests by a name that is not
 * the service's own, which a page of somebody else makes a browser send (DNS rebinding).
 * @param judgesItself whether a path answers foreign names in a form of its own
 */
export function guardListener(
  app: FastifyInstance,
  { trustedProxies, names }: ListenerGuard,
  judgesItself: (path: string) => boolean,
): void {
  const trusted = rangesOf(trustedProxies);
  // Without a promise: every request passes here.
  app.addHook('onRequest', (request, reply, done) => {
    // No answer of any kind is to be taken for another kind than it says.
    void reply.header('x-content-type-options', 'nosniff');
    // Those that may be kept say so themselves. Browsers heed the second over https alone.
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

/** Whether a request names this machine, one of these names, or the very address it has reached. */
export function isOwnName({ headers, socket }: Pick<Arrival, 'headers' | 'socket'>, names: readonly string[]): boolean {
  const name = nameIn(headers.host ?? '');
  if (name === undefined) return false;
  return (
    isLoopbackName(name) || names.includes(name) || (isIP(name) !== 0 && name === plain(socket.localAddress ?? ''))
  );
}

function isDirect({ headers, socket }: Arrival): boolean {
  return isHere(socket.remoteAddress ?? '') && FORWARDING.every((name) => headers[name] === undefined);
}

function isHere(peer: string): boolean {
  return peer === LOOPBACK || isLoopback(peer);
}

/** Asked of the socket: the framework's word for it may come from a header. */
function isEncrypted({ socket }: Pick<Arrival, 'socket'>): boolean {
  return 'encrypted' in socket && socket.encrypted === true;
}

/** What the proxies on the way say of the protocol, each of them. */
function saidProtocols({ headers }: Pick<Arrival, 'headers'>): string[] {
  const said = [headers['x-forwarded-proto'] ?? []].flat().flatMap((text) => text.split(','));
  const standard = [headers.forwarded ?? ''].flat().flatMap((text) => [...text.matchAll(/\bproto="?([a-z]+)/gi)]);
  return [...said, ...standard.map(([, protocol = '']) => protocol)].map((one) => one.trim().toLowerCase());
}

function isLoopbackName(name: string): boolean {
  return name === LOOPBACK || name === LOOPBACK_NAME || isLoopback(name);
}

/** The name in a Host header, in lower case and without port or brackets. */
function nameIn(host: string): string | undefined {
  const [, bracketed, name] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/@[\]]+))(?::\d{1,5})?$/i.exec(host) ?? [];
  return (bracketed ?? name)?.toLowerCase();
}

function plain(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.process(address).toString();
}

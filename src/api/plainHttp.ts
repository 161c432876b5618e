import { isIP } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { OperatorError } from '../kernel/errors.ts';

/** How almost every peer on this machine calls itself. */
const LOOPBACK = '127.0.0.1';

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * Refuses plain HTTP from anywhere but this machine, judged by the socket's own address: with HTTP 403 and
 * no envelope, never a redirect, since a token in the request has already crossed the network in clear.
 * A trusted proxy's word that its client came by https is believed.
 */
export function refusePlainHttp(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const trusted = trustedProxies.map(readRange);
  // Without a promise: every request passes here.
  app.addHook('onRequest', (request, reply, done) => {
    // No answer of any kind is to be taken for another kind than it says.
    void reply.header('x-content-type-options', 'nosniff');
    const peer = request.socket.remoteAddress ?? '';
    const isTrusted = () =>
      request.headers['x-forwarded-proto'] === 'https' && trusted.some((range) => within(peer, range));
    if (peer === LOOPBACK || request.protocol === 'https' || isLoopback(peer) || isTrusted()) done();
    else void reply.code(403).type('text/plain').send('Plain HTTP is not served here. Use https.\n');
  });
}

/**
 * Where a request comes from: the socket's own address, or, where that is a trusted proxy, what the last of
 * those says. An IPv6 address stands for its whole network, which one caller owns.
 */
export function clientAddressOf(trustedProxies: readonly string[]): (request: FastifyRequest) => string {
  const trusted = trustedProxies.map(readRange);
  const isProxy = (address: string) => trusted.some((range) => within(address, range));
  return (request) => {
    const forwarded = [request.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
    let address = request.socket.remoteAddress ?? '';
    for (const before of forwarded.toReversed()) {
      if (!isProxy(address) || isIP(before.trim()) === 0) break;
      address = before.trim();
    }
    if (isIP(address) === 0) return address;
    const parsed = ipaddr.process(address);
    return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':');
  };
}

/** @throws OperatorError when the address would be reachable from outside without TLS */
export function requireSafeListener(listen: { host: string; tls: boolean; trustedProxies: readonly string[] }): void {
  if (listen.tls || listen.trustedProxies.length > 0 || isLoopback(listen.host) || listen.host === 'localhost') return;
  throw new OperatorError(
    `refusing to listen on ${listen.host} with plain HTTP: other machines would be answered 403 only`,
    'give tls.cert and tls.key, or name the proxies that end TLS in trusted_proxies (also in a container)',
  );
}

function isLoopback(address: string): boolean {
  if (isIP(address) === 0) return false;
  return ipaddr.process(address).range() === 'loopback';
}

function readRange(text: string): Range {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return [address, address.kind() === 'ipv4' ? 32 : 128] as Range;
  } catch (cause) {
    throw new OperatorError(
      `trusted_proxies: "${text}" is no address or range`,
      'write 10.0.0.2 or 10.0.0.0/24',
      cause,
    );
  }
}

function within(address: string, [range, bits]: Range): boolean {
  if (isIP(address) === 0) return false;
  const peer = ipaddr.process(address);
  return peer.kind() === range.kind() && peer.match([range, bits] as Range);
}

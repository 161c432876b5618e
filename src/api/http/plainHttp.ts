import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../../core/people/throttle.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { isLoopback, networkOf, rangesOf, within } from './addresses.ts';

/**
 * Returns the origin of a request: the socket's own address, or, if that is a trusted proxy, the address that the last
 * proxy reports. An IPv6 address represents its whole network, which one caller owns.
 *
 * A trusted proxy passes a caller's own statements on in the same header, so a caller whose address is in a trusted
 * range can name any other. Such an address carries the range that vouches for it: it never equals the one that its
 * real owner is counted by.
 */
export function clientAddressOf(trustedProxies: readonly string[]): (request: FastifyRequest) => string {
  const trusted = rangesOf(trustedProxies);
  const proxyAt = (address: string) => trusted.find((range) => within(address, range));
  return (request) => {
    const forwarded = [request.headers['x-forwarded-for'] ?? ''].flat().join(',').split(',');
    const via: string[] = [];
    let address = request.socket.remoteAddress ?? '';
    for (const before of forwarded.toReversed()) {
      const proxy = proxyAt(address);
      if (!proxy || isIP(before.trim()) === 0) break;
      via.push(proxy.text);
      address = before.trim();
    }
    // The nearest proxy has seen this caller itself.
    return [networkOf(address), ...via.slice(1)].join(VIA);
  };
}

const VIA = ' via ';

/** Returns the origin with the address that vouches for it, if the nearest proxy has not seen it itself. */
export function originOf(trustedProxies: readonly string[]): (request: FastifyRequest) => Origin {
  const addressOf = clientAddressOf(trustedProxies);
  return (request) => {
    const address = addressOf(request);
    const [, ...via] = address.split(VIA);
    return { address, ...(via.length > 0 && { word: via.join(VIA) }) };
  };
}

/** @throws OperatorError if the address would be reachable from outside without TLS */
export function requireSafeListener(listen: { host: string; tls: boolean; trustedProxies: readonly string[] }): void {
  if (listen.tls || listen.trustedProxies.length > 0 || isLoopback(listen.host) || listen.host === 'localhost') return;
  throw new OperatorError(
    `refusing to listen on ${listen.host} with plain HTTP: other machines would be answered 403 only`,
    'give tls.cert and tls.key, or name the proxies that end TLS in trusted_proxies (also in a container)',
  );
}

import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Origin } from '../../core/people/throttle.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { isLoopback, networkOf, rangesOf, within } from './addresses.ts';

/**
 * Where a request comes from: the socket's own address, or, where that is a trusted proxy, what the last of
 * those says. An IPv6 address stands for its whole network, which one caller owns.
 *
 * What a caller says of itself reaches a trusted proxy in the same header, so a caller whose own address lies in a
 * trusted range can name any other. Such an address is told apart by the range that stands behind its word: it is never
 * the one that its real owner is counted by.
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
    // The nearest proxy saw with its own eyes who came.
    return [networkOf(address), ...via.slice(1)].join(VIA);
  };
}

const VIA = ' via ';

/** The same, with by whose word it is, where the nearest proxy has not seen it itself. */
export function originOf(trustedProxies: readonly string[]): (request: FastifyRequest) => Origin {
  const addressOf = clientAddressOf(trustedProxies);
  return (request) => {
    const address = addressOf(request);
    const [, ...via] = address.split(VIA);
    return { address, ...(via.length > 0 && { word: via.join(VIA) }) };
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

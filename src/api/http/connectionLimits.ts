import type { Server } from 'node:net';
import { isLoopback, networkOf, rangesOf, within } from './addresses.ts';

/** Limits of open connections. */
export interface ConnectionLimits {
  /** The total; the other descriptors of the process serve databases, files and its own requests. */
  readonly inAll: number;
  /** Connections from outside this machine and its proxies, so that these can still connect under load. */
  readonly fromElsewhere: number;
  /** Connections from one such address; of IPv6 from one network. */
  readonly fromAddress: number;
}

const SHARE_OF_DESCRIPTORS = 0.75;
const LEAST = 64;
/** Connections reserved for this machine and its proxies, at most a quarter of the total. */
const MOST_KEPT = 128;
const MOST_FROM_ADDRESS = 256;

/** Returns the limits for a process with this many descriptors. */
export function limitsFor(descriptors: number): ConnectionLimits {
  const inAll = Math.max(LEAST, Math.floor(descriptors * SHARE_OF_DESCRIPTORS));
  const fromElsewhere = inAll - Math.min(MOST_KEPT, Math.floor(inAll / 4));
  return { inAll, fromElsewhere, fromAddress: Math.min(MOST_FROM_ADDRESS, Math.floor(fromElsewhere / 4)) };
}

/**
 * Closes excess connections immediately, before anything is read from them: at the limit of descriptors nothing works
 * any more, neither databases nor deliveries. All callers of a proxy come from its address, so proxies, like this
 * machine, have only the total limit.
 */
export function limitConnections(
  server: Server,
  { inAll, fromElsewhere, fromAddress }: ConnectionLimits,
  isKnown: (address: string) => boolean,
): void {
  const open = new Map<string, number>();
  let elsewhere = 0;
  server.maxConnections = inAll;
  server.on('connection', (socket) => {
    const peer = socket.remoteAddress ?? '';
    if (isKnown(peer)) return;
    const network = networkOf(peer);
    const own = open.get(network) ?? 0;
    if (own >= fromAddress || elsewhere >= fromElsewhere) {
      socket.destroy();
      return;
    }
    elsewhere += 1;
    open.set(network, own + 1);
    socket.once('close', () => {
      elsewhere -= 1;
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

/** Returns a test for addresses of this machine and of trusted proxies. */
export function knownPeers(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = rangesOf(trustedProxies);
  return (address) => isLoopback(address) || trusted.some((range) => within(address, range));
}

import type { Server } from 'node:net';
import { isLoopback, networkOf, rangesOf, within } from './addresses.ts';

/** How many connections may be open at once. */
export interface ConnectionLimits {
  /** In all; the rest of the descriptors of the process is for databases, files and what it sends itself. */
  readonly inAll: number;
  /** From elsewhere than this machine and its proxies, so that these still get in when there are many. */
  readonly fromElsewhere: number;
  /** From one address there; of IPv6 from one network. */
  readonly fromAddress: number;
}

const SHARE_OF_DESCRIPTORS = 0.75;
const LEAST = 64;
/** Kept for this machine and its proxies: as much as a quarter. */
const MOST_KEPT = 128;
const MOST_FROM_ADDRESS = 256;

/** What a process that may open so many descriptors can take. */
export function limitsFor(descriptors: number): ConnectionLimits {
  const inAll = Math.max(LEAST, Math.floor(descriptors * SHARE_OF_DESCRIPTORS));
  const fromElsewhere = inAll - Math.min(MOST_KEPT, Math.floor(inAll / 4));
  return { inAll, fromElsewhere, fromAddress: Math.min(MOST_FROM_ADDRESS, Math.floor(fromElsewhere / 4)) };
}

/**
 * Ends connections that are one too many as soon as they are made, before anything is read from them: at the limit of
 * descriptors nothing would work any more, neither databases nor deliveries. All callers of a proxy come from its address,
 * so that proxies, like this machine, have only the limit of all.
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

/** Whether an address is this machine's, or a trusted proxy's. */
export function knownPeers(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = rangesOf(trustedProxies);
  return (address) => isLoopback(address) || trusted.some((range) => within(address, range));
}

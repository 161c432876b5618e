import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The only block of IPv6 that is routed on the internet; blocks that IANA has not opened yet stay outside. */
const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** ipaddr.js reads `::1.2.3.4`, a form without meaning today, as the v4-mapped `::ffff:1.2.3.4`. */
const V4_COMPATIBLE = /^::\d+\./;

/** Looks public, but on a virtual machine in Azure the host itself answers it. */
const AZURE_HOST = '168.63.129.16';

/**
 * Parses an address in its canonical notation; a v4-mapped one (`::ffff:10.0.0.1`) becomes its v4 address. Zone ids and
 * the lax v4 notations (`0x7f.1`, `127.1`) are not accepted: a URL has already passed the URL parser, and a resolver
 * never returns them.
 */
export function readAddress(text: string): Address | undefined {
  if (isIP(text) === 0 || text.includes('%') || V4_COMPATIBLE.test(text)) return undefined;
  try {
    return ipaddr.process(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns true for an address of the public internet. Returns false for everything special (private, loopback,
 * link-local, carrier NAT, documentation, multicast, reserved), for every IPv6 form that carries a v4 address through a
 * translator (NAT64, 6to4, Teredo; even of a public v4 address, because the translator may be in our own network), and
 * for text that is no address.
 */
export function isPublicAddress(text: string): boolean {
  const address = readAddress(text);
  if (address === undefined || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? address.match(GLOBAL_UNICAST_V6) : address.toString() !== AZURE_HOST;
}

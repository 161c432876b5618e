import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { OperatorError } from '../../kernel/errors.ts';

/** A range of addresses, as configured. */
interface AddressRange {
  readonly text: string;
  readonly cidr: ReturnType<typeof ipaddr.parseCIDR>;
}

export function isLoopback(address: string): boolean {
  if (isIP(address) === 0) return false;
  return ipaddr.process(address).range() === 'loopback';
}

/** @throws OperatorError for a text that is neither an address nor a range */
export function rangesOf(texts: readonly string[]): AddressRange[] {
  return texts.map((text) => ({ text, cidr: readRange(text) }));
}

export function within(address: string, { cidr }: AddressRange): boolean {
  if (isIP(address) === 0) return false;
  const peer = ipaddr.process(address);
  return peer.kind() === cidr[0].kind() && peer.match(cidr);
}

/** Returns the unit that one caller owns: an IPv4 address, or an IPv6 network. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}

function readRange(text: string): AddressRange['cidr'] {
  try {
    if (text.includes('/')) return ipaddr.parseCIDR(text);
    const address = ipaddr.parse(text);
    return ipaddr.parseCIDR(`${text}/${address.kind() === 'ipv4' ? 32 : 128}`);
  } catch (cause) {
    throw new OperatorError(
      `trusted_proxies: "${text}" is no address or range`,
      'write 10.0.0.2 or 10.0.0.0/24',
      cause,
    );
  }
}

import { isPublicAddress, readAddress } from './addresses.ts';
import { allowsAddress, allowsName, type TargetPolicy } from './policy.ts';

/** The maximum length of a URL. */
export const MAX_URL_LENGTH = 2_048;
/** The ports of HTTPS; with other ports we would be a port scanner. */
const DEFAULT_PORTS: ReadonlySet<number> = new Set([443, 8443]);

/** The reasons for a refusal of a URL. */
const TARGET_REFUSALS = ['too_long', 'not_a_url', 'scheme', 'userinfo', 'port', 'private_address'] as const;
export type TargetRefusal = (typeof TARGET_REFUSALS)[number];

/** Each refusal in words that follow "the address". */
const refusalWords: Readonly<Record<TargetRefusal, string>> = {
  too_long: `is too long: at most ${MAX_URL_LENGTH} characters`,
  not_a_url: 'must be a whole address such as https://example.com/path',
  scheme: 'must begin with https://',
  userinfo: 'must hold no name and password',
  port: 'must have the port 443 or 8443',
  private_address: 'leads into a private network',
};
const PERMITS: Partial<Record<TargetRefusal, string>> = {
  scheme: '; plain http:// needs its host:port in outbound.allow of the configuration',
  private_address: '; name its host:port in outbound.allow of the configuration to permit that',
};

/** Returns why an address is refused, and what permits it, for a sentence that begins with the address. */
export function refusalOf(refusal: TargetRefusal): string {
  return `${refusalWords[refusal]}${PERMITS[refusal] ?? ''}`;
}

/** The same as words of their own. */
export function saysRefused(refusal: TargetRefusal): string {
  return `the address ${refusalOf(refusal)}`;
}

/** Returns why an address is refused that outbound.allow does not permit. */
export function saysWhy(refusal: TargetRefusal): string {
  return `the address ${refusalWords[refusal]}`;
}

/**
 * Names that never lead into the public internet: RFC 6761 and 8375, ICANN's `.internal` and its withheld `.home` and
 * `.corp`, and the suffixes of routers and clusters. Single labels are all refused.
 */
const INNER_SUFFIX = /\.(?:localhost|local|localdomain|internal|intranet|private|lan|home|corp|home\.arpa)$/;
/** Characters that URL parsers repair, each in its own way; a URL that parsers may read differently is not called. */
const REPAIRED = /[\p{Cc}\s\\]/u;

/**
 * Judges a URL from a user before any look-up. The host is classified after parsing, because the parser turns `0x7f.1`,
 * `2130706433` and circled digits into dotted quads. A host name may still lead to a private address: the dispatcher
 * finds that when it connects.
 * @returns the URL to call (one trailing dot of the host removed), or the name of the refusal
 */
export function checkTarget(text: string, policy: TargetPolicy): { url: URL } | { refused: TargetRefusal } {
  if (text.length > MAX_URL_LENGTH) return { refused: 'too_long' };
  if (REPAIRED.test(text) || !URL.canParse(text)) return { refused: 'not_a_url' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { refused: 'scheme' };
  if (!tidyHost(url)) return { refused: 'not_a_url' };
  if (url.username !== '' || url.password !== '') return { refused: 'userinfo' };
  if (isTrusted(url, policy)) return { url };
  if (url.protocol !== 'https:') return { refused: 'scheme' };
  if (isInner(url.hostname)) return { refused: 'private_address' };
  if (!DEFAULT_PORTS.has(portOf(url))) return { refused: 'port' };
  return { url };
}

/**
 * Returns why a URL that somebody enters is refused, and what permits it, for a sentence that begins with the field.
 * @returns undefined for one that may be called, as far as can be told before its name is looked up
 */
export function targetRefusal(text: string, policy: TargetPolicy): string | undefined {
  const checked = checkTarget(text, policy);
  return 'refused' in checked ? refusalOf(checked.refused) : undefined;
}

/**
 * Returns true if a checked URL leads into this very service, outside the paths of its policy: URLs of users must not
 * reach endpoints that a service reserves for its own machine. A permitted name on a port of ours counts as ours,
 * whatever it resolves to.
 */
export function leadsInside(url: URL, policy: TargetPolicy): boolean {
  const { self } = policy;
  if (self === undefined || !self.ports.includes(portOf(url)) || self.path.test(url.pathname)) return false;
  const host = bareHost(url.hostname);
  const address = readAddress(host);
  if (address === undefined) return allowsName(policy, url.hostname, portOf(url));
  const isOurs = self.addresses.some((one) => readAddress(one)?.toNormalizedString() === address.toNormalizedString());
  return isOurs || address.range() === 'loopback' || address.range() === 'unspecified';
}

/** Returns the port of a URL, by default that of its scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** Returns a hostname without the brackets of an IPv6 address in a URL. */
export function bareHost(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

/**
 * Removes one trailing dot. `example.com.` is `example.com` to a resolver, but not to a certificate or to our own
 * lists.
 */
function tidyHost(url: URL): boolean {
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1);
  return !url.hostname.split('.').includes('');
}

function isTrusted(url: URL, policy: TargetPolicy): boolean {
  const port = portOf(url);
  return allowsName(policy, url.hostname, port) || allowsAddress(policy, bareHost(url.hostname), port);
}

function isInner(hostname: string): boolean {
  const host = bareHost(hostname);
  if (readAddress(host) !== undefined) return !isPublicAddress(host);
  return !host.includes('.') || INNER_SUFFIX.test(host);
}

import ipaddr from 'ipaddr.js';
import { OperatorError } from '../kernel/errors.ts';
import { type Address, isPublicAddress, readAddress } from './addresses.ts';

/**
 * The targets that the operator permits beyond the public internet. Entries:
 * - `receiver.lan:8080`, `127.0.0.1:9000`, `[::1]:9000`: this host on this port, whatever the name resolves to;
 * - `192.168.4.0/24`, `fd00::/8`: these addresses on any port;
 * - `192.168.4.0/24:8080`, `fd00::/8:8080`: these addresses on this port.
 *
 * Permitted targets may also use plain HTTP. A *name* over plain HTTP, or on another port than 443 and 8443, needs an
 * entry of the first form: its address is unknown before the connection.
 */
export interface TargetPolicy {
  readonly allow: readonly string[];
  /** This service itself, which permitted targets may include. */
  readonly self?: SelfTarget;
}

/** The addresses of a service on its own machine, and the paths that it may call itself. */
interface SelfTarget {
  readonly ports: readonly number[];
  /** The addresses of this machine beside loopback. */
  readonly addresses: readonly string[];
  /** The only paths that may be called there, permitted or not. */
  readonly path: RegExp;
}

interface AllowedRange {
  range: [Address, number];
  /** undefined for any port */
  port: number | undefined;
}

interface AllowRules {
  /** `host:port` of names. */
  names: ReadonlySet<string>;
  ranges: readonly AllowedRange[];
}

/** Parsed policies; every delivery needs its policy. */
const rulesOf = new WeakMap<TargetPolicy, AllowRules>();

/** Parses a policy's entries. Throws OperatorError with the unreadable entry. */
export function readPolicy(policy: TargetPolicy): AllowRules {
  let rules = rulesOf.get(policy);
  if (!rules) {
    const names = new Set<string>();
    const ranges: AllowedRange[] = [];
    for (const entry of policy.allow) readEntry(entry, names, ranges);
    rules = { names, ranges };
    rulesOf.set(policy, rules);
  }
  return rules;
}

/** Returns true if an entry names this very host and port. `hostname` is in the form of `URL.hostname`. */
export function allowsName(policy: TargetPolicy, hostname: string, port: number): boolean {
  return readPolicy(policy).names.has(`${hostname}:${port}`);
}

/** Returns true if an entry covers this address and port. */
export function allowsAddress(policy: TargetPolicy, text: string, port: number): boolean {
  const address = readAddress(text);
  if (address === undefined) return false;
  return readPolicy(policy).ranges.some(
    (allowed) =>
      (allowed.port === undefined || allowed.port === port) &&
      allowed.range[0].kind() === address.kind() &&
      address.match(allowed.range),
  );
}

/** Returns true if a socket to `address` may be opened on behalf of `hostname`. */
export function mayDial(policy: TargetPolicy, hostname: string, port: number, address: string): boolean {
  if (readAddress(address) === undefined) return false;
  return isPublicAddress(address) || allowsAddress(policy, address, port) || allowsName(policy, hostname, port);
}

const RANGE = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})(?::(\d{1,5}))?$/i;
/** A host name from the URL parser, which accepts much that is none, such as a hopeful `*`. */
const HOSTNAME = /^(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])$/;
const HOST_PORT = /^(\[[0-9a-f.:]+\]|[^\s[\]/:@]+):(\d{1,5})$/i;

function readEntry(entry: string, names: Set<string>, ranges: AllowedRange[]): void {
  const range = RANGE.exec(entry);
  if (range) {
    ranges.push({ range: readRange(entry, `${range[1]}/${range[2]}`), port: readPort(entry, range[3]) });
    return;
  }
  const pair = HOST_PORT.exec(entry);
  if (!pair) throw unreadable(entry);
  const port = readPort(entry, pair[2]);
  // The URL parser gives the host the same spelling as in later comparisons.
  const hostname = hostnameOf(entry, pair[1] ?? '');
  const literal = readAddress(hostname.replace(/^\[|\]$/g, ''));
  if (literal) ranges.push({ range: [literal, literal.kind() === 'ipv4' ? 32 : 128], port });
  else names.add(`${hostname}:${port}`);
}

function readRange(entry: string, cidr: string): [Address, number] {
  if (!ipaddr.isValidCIDR(cidr) || readAddress(cidr.slice(0, cidr.indexOf('/'))) === undefined) throw unreadable(entry);
  return ipaddr.parseCIDR(cidr);
}

function readPort(entry: string, digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined;
  const port = Number(digits);
  if (port < 1 || port > 65_535) throw unreadable(entry);
  return port;
}

function hostnameOf(entry: string, host: string): string {
  if (!URL.canParse(`https://${host}/`)) throw unreadable(entry);
  const { hostname } = new URL(`https://${host}/`);
  if (!HOSTNAME.test(hostname)) throw unreadable(entry);
  return hostname;
}

function unreadable(entry: string): OperatorError {
  return new OperatorError(
    `The outbound allow-list entry "${entry}" cannot be read.`,
    'Write host:port (receiver.lan:8080, [::1]:9000), a range (192.168.4.0/24), or a range with a port (192.168.4.0/24:8080).',
  );
}

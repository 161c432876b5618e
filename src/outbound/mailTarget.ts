import { messageOf } from '../kernel/errors.ts';
import { readAddress } from './addresses.ts';
import { allowsAddress, allowsName, mayDial, type TargetPolicy } from './policy.ts';
import { type Resolve, systemResolve } from './resolve.ts';

/** The ports of mail: reading (143, 993) and sending (25, 465, 587, 2525). Others need an entry in `outbound.allow`. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 143, 465, 587, 993, 2525]);
/** The names that a certificate may carry. */
const HOSTNAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** How a connection to a mail server is protected; starttls: not at all if the server cannot encrypt; none: in clear. */
export type MailSecurity = 'starttls' | 'tls' | 'none';

/** A mail server that a user has named, with who signs in there. */
export interface MailHost {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  readonly user: string;
  readonly password: string;
}

/** An address that may be dialled, and the name that its certificate must bear. */
export interface JudgedHost {
  readonly address: string;
  /** undefined where the host was given as an address. */
  readonly servername: string | undefined;
}

/**
 * Judges the mail server that a user has named: looks its name up once and refuses it if any of its addresses is not
 * public, unless the operator permits it in `outbound.allow`. The caller dials the returned address, so that a name
 * cannot answer otherwise the second time.
 */
export async function judgeMailHost(
  policy: TargetPolicy,
  { host, port, security }: Pick<MailHost, 'host' | 'port' | 'security'>,
  resolve: Resolve = systemResolve,
): Promise<JudgedHost | { readonly problem: string }> {
  const name = host.toLowerCase().replace(/\.$/, '');
  const literal = readAddress(name) !== undefined;
  if (!literal && !HOSTNAME.test(name)) return { problem: `${host} is no name of a server` };
  const isNamed = allowsName(policy, name, port);
  let addresses: readonly string[];
  try {
    addresses = literal ? [name] : await resolve(name, isNamed);
  } catch (error) {
    return { problem: `${host} was not found: ${messageOf(error)}` };
  }
  const [address] = addresses;
  if (address === undefined) return { problem: `${host} has no address` };
  const isPermitted = isNamed || addresses.every((one) => allowsAddress(policy, one, port));
  if (addresses.some((one) => !mayDial(policy, name, port, one))) {
    return { problem: `${host} leads into a private network; permit it with ${host}:${port} in outbound.allow` };
  }
  if (!isPermitted && !MAIL_PORTS.has(port)) {
    return { problem: `port ${port} is none of mail; permit it with ${host}:${port} in outbound.allow` };
  }
  if (!isPermitted && security === 'none') {
    return { problem: `${host} would be sent the password in clear; choose tls or starttls` };
  }
  return { address, servername: literal ? undefined : name };
}

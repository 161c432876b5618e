import { promises as dns } from 'node:dns';

/**
 * Resolves a host name to all its addresses, in the order to try them. Rejects if it has none.
 * @param trusted true if the operator allowed this very name
 */
export type Resolve = (hostname: string, trusted: boolean) => Promise<readonly string[]>;

/**
 * Resolves a trusted name like all software on this machine, hosts file and local networks included. Any other name
 * goes to the DNS servers alone: `getaddrinfo` would reveal our hosts file to strangers, and four slow names would
 * occupy all threads that file access also needs.
 */
export const systemResolve: Resolve = async (hostname, trusted) => {
  if (trusted) return (await dns.lookup(hostname, { all: true })).map((answer) => answer.address);
  // Created each time, since a resolver reads the list of DNS servers once and a daemon lives for months.
  return askDns(new dns.Resolver({ timeout: 1_000, tries: 2 }), hostname);
};

/**
 * Puts IPv4 first: a machine without IPv6 still gets IPv6 answers. One family may fail, because many servers botch the
 * other.
 */
export async function askDns(
  resolver: Pick<dns.Resolver, 'resolve4' | 'resolve6'>,
  hostname: string,
): Promise<readonly string[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
  return addresses;
}

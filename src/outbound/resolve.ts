import { promises as dns } from 'node:dns';

/**
 * Looks a host name up: every address it has, in the order to try them. Rejects when it has none.
 * @param trusted the self-hoster allowed this very name
 */
export type Resolve = (hostname: string, trusted: boolean) => Promise<readonly string[]>;

/**
 * A trusted name is looked up as everything on this machine is, hosts file and local networks included.
 * Any other name is asked of the DNS servers alone: `getaddrinfo` would tell strangers what our hosts file
 * knows, and four slow names would occupy all threads that file access also needs.
 */
export const systemResolve: Resolve = async (hostname, trusted) => {
  if (trusted) return (await dns.lookup(hostname, { all: true })).map((answer) => answer.address);
  // Made anew each time, since a resolver reads the list of DNS servers once and a daemon lives for months.
  return askDns(new dns.Resolver({ timeout: 1_000, tries: 2 }), hostname);
};

/** IPv4 first: a machine without IPv6 still gets IPv6 answers. One family may fail, many servers botch the other. */
export async function askDns(
  resolver: Pick<dns.Resolver, 'resolve4' | 'resolve6'>,
  hostname: string,
): Promise<readonly string[]> {
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length === 0 && v4.status === 'rejected') throw v4.reason;
  return addresses;
}

import type { Config, Role } from '../config.ts';
import { UsageError } from '../kernel/errors.ts';
import type { Duty } from '../sync/connection/surroundings.ts';

/** The duty of the daemon that each role performs. */
const daemonRoles = { receive: 'receive', work: 'read', schedule: 'scan' } as const satisfies Partial<
  Record<Role, Duty>
>;

/** The parts of the service that run in this process. */
interface Parts {
  core: boolean;
  /** True if the daemon here mirrors the accounts of a core on the same database, in this process or in others. */
  ownAccounts: boolean;
  /** The duties of the daemon here; undefined if it does not run. */
  duties: ReadonlySet<Duty> | undefined;
  /**
   * True if people sign in here: beside a core, and where other deployments alone are mirrored. In a database that
   * several processes share, people belong to the core that one of them serves.
   */
  people: boolean;
}

/** @throws UsageError for roles that cannot be split on this database, and for what only PostgreSQL has */
export function partsOf({ roles, upstream, database_url, database_replica_url, inner_url }: Config): Parts {
  const all = Object.entries(daemonRoles);
  const duties = all.filter(([role]) => roles.some((one) => one === role)).map(([, duty]) => duty);
  if (database_url === null && duties.length > 0 && duties.length < all.length) {
    const names = all.map(([role]) => role).join(', ');
    throw new UsageError(
      `roles: ${roles.join(', ')} is not possible on SQLite, where one process does the whole work of the daemon`,
      `allowed: ${names} together, or none of them; to share the work among processes, set database_url to PostgreSQL`,
    );
  }
  // A process that mirrors another deployment has no core of its own.
  const core = upstream.url === null && roles.includes('core');
  if (inner_url !== null && database_url === null) {
    throw new UsageError(
      'inner_url: on SQLite one process does everything and has nobody to reach',
      'leave it out, or set database_url to PostgreSQL',
    );
  }
  if (database_replica_url !== null && database_url === null) {
    throw new UsageError(
      'database_replica_url: the files of SQLite have no replica',
      'leave it out, or set database_url to PostgreSQL',
    );
  }
  const ownAccounts = core || (inner_url !== null && upstream.url === null);
  const isAlone = database_url === null || upstream.url !== null;
  const people = core || (isAlone && duties.length > 0 && roles.includes('console'));
  return { core, ownAccounts, duties: duties.length > 0 ? new Set(duties) : undefined, people };
}

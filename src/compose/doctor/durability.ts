import { type Kysely, sql } from 'kysely';
import type { Config } from '../../config.ts';
import { readRows } from '../../store/queries/readRows.ts';
import { locationOf } from '../stores/stores.ts';
import { type Finding, note, ok, problem } from './finding.ts';

const CHECK = 'durability';

interface Durability {
  /** Settings that must be on, and are not. */
  off: string[];
  /** `on`, `remote_apply`, `remote_write`, `local` or `off`. */
  commit: string;
  /** Whether a commit waits for other servers. */
  awaits: boolean;
  replica: boolean;
  /** How many servers follow this one. */
  followers: number;
  /** How many of them commits wait for; null if the role may not see it. */
  synchronous: number | null;
}

/** Checks what PostgreSQL promises of a commit; of a file stayd sees to that itself. */
export async function lookAtDurability(config: Config): Promise<Finding[]> {
  const location = locationOf(config, 'core');
  if (location.kind === 'sqlite') return [];
  const found = await readRows(location, durability);
  return [...onOneServer(found), ...onOthers(found)];
}

async function durability(db: Kysely<unknown>): Promise<Durability> {
  const { rows } = await sql<
    Omit<Durability, 'followers' | 'synchronous'> & { followers: string; synchronous: string }
  >`
    select array(select name from pg_settings where name in ('fsync', 'full_page_writes') and setting = 'off') as off,
      current_setting('synchronous_commit') as commit,
      current_setting('synchronous_standby_names') <> '' as awaits,
      pg_is_in_recovery() as replica,
      count(*) as followers,
      -- Who may not see a server's state sees that it is there.
      case when count(*) = count(sync_state) then count(*) filter (where sync_state in ('sync', 'quorum')) end
        as synchronous
    from pg_stat_replication`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('an aggregate has one row');
  return {
    ...row,
    followers: Number(row.followers),
    synchronous: row.synchronous === null ? null : Number(row.synchronous),
  };
}

function onOneServer({ off, commit, replica }: Durability): Finding[] {
  const findings = off.map((name) =>
    problem(
      CHECK,
      `PostgreSQL runs with ${name} off: a power cut may damage the database`,
      `set ${name} to on in postgresql.conf, and load it: select pg_reload_conf()`,
    ),
  );
  if (commit === 'off') {
    const says = 'synchronous_commit is off: what was acknowledged in the last moments is lost when the server fails';
    findings.push(problem(CHECK, says, 'set it to on, also where it was set for the role or the database'));
  }
  if (replica) {
    const says = 'the server only follows another one, and takes no writes';
    findings.push(problem(CHECK, says, 'let database_url lead to the primary; see docs/deploy.md'));
  }
  return findings;
}

function onOthers({ commit, awaits, replica, followers, synchronous }: Durability): Finding[] {
  if (replica || commit === 'off') return [];
  if (!awaits) {
    if (followers === 0)
      return [ok(CHECK, 'what is acknowledged is on the disk of the database server, and nowhere else')];
    const says = `replicas: ${followers}, and no commit waits for any of them. If one takes over, what was acknowledged in the last seconds may be missing`;
    return [note(CHECK, says, 'make one of them synchronous, if they are there to take over; see docs/deploy.md')];
  }
  if (commit === 'local') {
    const says = 'a replica is to be waited for, but synchronous_commit is local: commits wait for none';
    return [problem(CHECK, says, 'set it to on, also where it was set for the role or the database')];
  }
  if (followers === 0 || synchronous === 0) {
    const says = 'commits wait for a synchronous replica, and none is there: nothing is acknowledged until one is';
    return [problem(CHECK, says, 'start the replica, and look into its log; see docs/deploy.md')];
  }
  return [ok(CHECK, 'what is acknowledged is on the disks of two servers')];
}

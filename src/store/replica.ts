import { type Kysely, sql } from 'kysely';

/** How a server of PostgreSQL that follows another one stands. */
export interface Standing {
  /** False for a server that takes writes itself. */
  isReplica: boolean;
  /** Seconds by which it is behind at most; null if it has never followed. */
  behindSeconds: number | null;
}

/**
 * Asks a server how far it is behind. What has arrived and is applied is told as zero while it is connected to its primary;
 * else the age of the last transaction counts, since nobody knows what it has missed.
 */
export async function standingOf<DB>(db: Kysely<DB>): Promise<Standing> {
  const { rows } = await sql<{ replica: 0 | 1; behind: number | null }>`
    select pg_is_in_recovery() as replica,
      case when exists (select from pg_stat_wal_receiver) and pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
        else ceil(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()))::bigint end as behind`.execute(
    db,
  );
  const [row] = rows;
  return { isReplica: row?.replica === 1, behindSeconds: row?.behind ?? null };
}

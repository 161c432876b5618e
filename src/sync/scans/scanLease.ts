import type { Kysely } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { prepared } from '../../store/queries/prepared.ts';
import type { Mirror, MirrorStore } from '../tables/database.ts';

/** A process that has not renewed for this time has lost its lease. */
const LEASE_MS = 60_000;
/** The interval at which the lease is renewed. */
export const RENEW_MS = 20_000;

/** The lease of the one process that registers for events and makes the scans of a connection. */
export interface ScanLease {
  /** Takes the lease or renews it. @returns true if this process holds it */
  take(): Promise<boolean>;
  release(): Promise<void>;
}

type Arg = { connection: string; by: string; now: string; until: string };

const takeLease = prepared((db: Kysely<Mirror>, arg: Arg) =>
  db
    .updateTable('connections')
    .set({ scanner: arg.by, scanner_until: arg.until })
    .where('connection', '=', arg.connection)
    .where((eb) => eb.or([eb('scanner', 'is', null), eb('scanner', '=', arg.by), eb('scanner_until', '<', arg.now)]))
    .returning('scanner'),
);

/** @param by names this process */
export function scanLease(store: MirrorStore, connection: string, by: string, clock: Clock): ScanLease {
  // One process owns a SQLite store; every earlier holder of the lease is gone.
  if (store.kind === 'sqlite') return { take: () => Promise.resolve(true), release: () => Promise.resolve() };
  return {
    async take() {
      const now = clock.now();
      const rows = await takeLease(store.db, {
        connection,
        by,
        now: instantOf(now),
        until: instantOf(now + LEASE_MS),
      });
      return rows.length > 0;
    },
    async release() {
      await store.db
        .updateTable('connections')
        .set({ scanner: null, scanner_until: null })
        .where('connection', '=', connection)
        .where('scanner', '=', by)
        .execute();
    },
  };
}

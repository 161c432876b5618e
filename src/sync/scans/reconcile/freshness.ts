import { sql } from 'kysely';
import { type Instant, instantOf } from '../../../kernel/dates.ts';
import { next } from '../../../kernel/transitions.ts';
import { inList } from '../../../store/queries/inList.ts';
import { prepared } from '../../../store/queries/prepared.ts';
import type { MirrorDb, MirrorStore } from '../../tables/database.ts';
import { releaseUnseen } from '../../apply/quarantine.ts';
import type { ReconciliationsTable } from './tables.ts';
import { namesOf, type Scan } from '../scan.ts';
import { tierLife } from './states.ts';

/** A part of the mirror that is read again automatically, and its maximum age. */
export interface Tier {
  scan: Scan;
  maxAgeMs: number;
  /** The reason for this maximum age. */
  reason: string;
}

/** Returns the name of a part of a resource: `calendar.near`; for the whole, the name of the resource. */
export function partName({ resource, part }: Pick<Scan, 'resource' | 'part'>): string {
  return part === undefined ? resource : `${resource}.${part}`;
}

/** Finds the tier for a given name: its own, or that of a kind of rows that it reads with others. */
export function tierNamed(tiers: readonly Tier[], name: string): string | undefined {
  const own = tiers.find(({ scan }) => partName(scan) === name);
  const tier = own ?? tiers.find(({ scan }) => scan.part === undefined && namesOf(scan).includes(name));
  return tier && partName(tier.scan);
}

/** Makes sure that there is one row for each of these tiers and no other. Their stored freshness stays. */
export async function ensureTiers(store: MirrorStore, connection: string, tiers: readonly Tier[]): Promise<void> {
  await store.transaction(async (trx) => {
    const names = tiers.map((tier) => partName(tier.scan));
    await trx
      .deleteFrom('reconciliations')
      .where('connection', '=', connection)
      .$if(names.length > 0, (query) => query.where((eb) => eb.not(inList(eb.ref('tier'), names))))
      .execute();
    for (const { scan, maxAgeMs } of tiers) {
      const max_age_s = Math.round(maxAgeMs / 1_000);
      await trx
        .insertInto('reconciliations')
        .values({
          connection,
          tier: partName(scan),
          resource: scan.resource,
          max_age_s,
          fresh_since: null,
          state: next(tierLife, null, 'add'),
          tried_at: null,
          finished_at: null,
          requests: 0,
          rows: 0,
          failures: 0,
          problem: null,
        })
        .onConflict((conflict) => conflict.columns(['connection', 'tier']).doUpdateSet({ max_age_s }))
        .execute();
    }
  });
}

export function readTiers(db: MirrorDb, connection: string): Promise<ReconciliationsTable[]> {
  return tiersOf(db, { connection });
}

/** Prepared once, since each lane runs it every few seconds. */
const tiersOf = prepared((db: MirrorDb, arg: { connection: string }) =>
  db.selectFrom('reconciliations').selectAll().where('connection', '=', arg.connection).orderBy('tier'),
);

/** Records that a reconciliation of a tier begins. */
export async function noteBegin(db: MirrorDb, connection: string, tier: string, at: Instant): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ state: next(tierLife, 'waiting', 'begin'), tried_at: at })
    .where('connection', '=', connection)
    .where('tier', '=', tier)
    .execute();
}

interface ReconciliationOutcome {
  state: 'done' | 'suspect' | 'failed';
  requests: number;
  rows: number;
  problem: string | null;
}

/** Records that a reconciliation of a tier is over. {@link noteFresh} records that it was complete. */
export async function noteEnd(
  db: MirrorDb,
  connection: string,
  tier: string,
  outcome: ReconciliationOutcome,
  at: Instant,
): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ ...outcome, finished_at: at })
    .$if(outcome.state === 'done', (query) => query.set({ failures: 0 }))
    .$if(outcome.state !== 'done', (query) => query.set({ failures: sql`failures + 1` }))
    .where('connection', '=', connection)
    .where('tier', '=', tier)
    .execute();
}

/**
 * Records that a complete read, begun then, has made its part of a resource fresh; a read of the whole, all parts of
 * it.
 */
export async function noteFresh(db: MirrorDb, connection: string, scan: Scan, startedAtMs: number): Promise<void> {
  const since = instantOf(startedAtMs);
  const resources = namesOf(scan);
  if (scan.part === undefined) await releaseUnseen(db, connection, resources, since);
  await db
    .updateTable('reconciliations')
    .set({ fresh_since: since })
    .where('connection', '=', connection)
    .where((eb) => (scan.part === undefined ? inList(eb.ref('resource'), resources) : eb('tier', '=', partName(scan))))
    .where((eb) => eb.or([eb('fresh_since', 'is', null), eb('fresh_since', '<', since)]))
    .execute();
}

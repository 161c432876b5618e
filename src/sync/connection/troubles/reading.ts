import { msOf } from '../../../kernel/dates.ts';
import { EVERYTHING } from '../../scans/backfill/run.ts';
import { readConnection } from '../../tables/connection/state.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { ageOf } from '../../scans/reconcile/due.ts';
import { readTiers } from '../../scans/reconcile/freshness.ts';
import type { Trouble } from './trouble.ts';

/** The most parts that are named; beyond it only their number is. */
const MOST_NAMED = 5;
/** The multiple of its maximum age at which a part is in trouble, not just late. */
const OVERDUE = 2;

/** Reports failed reads of everything, parts that are overdue, and quarantined rows. */
export async function readingTroubles(db: MirrorDb, connection: string, nowMs: number): Promise<Trouble[]> {
  const { state, caught_up_at, catch_up_due } = await readConnection(db, connection);
  const failing = catch_up_due === null ? [] : await failedReadings(db, connection);
  const what = caught_up_at === null ? 'the first reading' : 'the reading of everything';
  const isRead = caught_up_at !== null && state === 'active';
  return [
    ...failing.map(({ resource, problem, finished_at }) => ({
      about: 'reading' as const,
      level: 'problem' as const,
      says: `${what} fails at ${resource}: ${problem ?? 'nothing is said why'} (last at ${finished_at})`,
      remedy: `it is tried again by itself; ./stayd reconcile ${resource} tries this part now`,
    })),
    ...(isRead ? await overdue(db, connection, nowMs) : []),
    ...(await quarantineTroubles(db, connection)),
  ];
}

/** Returns the newest read of each resource if it has failed. */
function failedReadings(db: MirrorDb, connection: string) {
  return (
    db
      .selectFrom('scans')
      .select(['resource', 'problem', 'finished_at'])
      .where('connection', '=', connection)
      .where('state', '=', 'failed')
      .where('purpose', 'in', ['first', 'catch_up', 'backfill'])
      // The parts of it say why.
      .where('resource', '!=', EVERYTHING)
      .where('scan_id', 'in', (eb) =>
        eb
          .selectFrom('scans')
          .select((of) => of.fn.max('scan_id').as('scan_id'))
          .where('connection', '=', connection)
          .groupBy('resource'),
      )
      .execute()
  );
}

async function overdue(db: MirrorDb, connection: string, nowMs: number): Promise<Trouble[]> {
  const late = (await readTiers(db, connection)).filter((row) => {
    const age = ageOf(row, nowMs);
    return age !== undefined && age > row.max_age_s * 1_000 * OVERDUE;
  });
  if (late.length === 0) return [];
  const because = late.find(({ problem }) => problem !== null);
  const failing = because ? `; ${because.tier} has failed at ${because.finished_at}: ${because.problem}` : '';
  const named = late.slice(0, MOST_NAMED).map(({ tier }) => tier);
  const more = late.length > MOST_NAMED ? ` and ${late.length - MOST_NAMED} more` : '';
  return [
    {
      about: 'freshness',
      level: 'problem',
      says: `older than twice what they may be: ${named.join(', ')}${more}${failing}`,
      remedy: './stayd status --verbose shows all ages, ./stayd reconcile --plan what the limits leave room for',
    },
  ];
}

async function quarantineTroubles(db: MirrorDb, connection: string): Promise<Trouble[]> {
  const rows = await db
    .selectFrom('quarantine')
    .select((of) => ['resource', of.fn.countAll<number>().as('rows'), of.fn.min('first_seen_at').as('since')])
    .where('connection', '=', connection)
    .groupBy('resource')
    .orderBy('resource')
    .execute();
  if (rows.length === 0) return [];
  const counts = rows.map(({ resource, rows: count }) => `${resource} ${Number(count)}`).join(', ');
  const [first] = rows.map(({ since }) => since).toSorted((a, b) => msOf(a) - msOf(b));
  return [
    {
      about: 'quarantine',
      level: 'problem',
      says: `rows could not be read and are quarantined since ${first}: ${counts}`,
      remedy: './stayd events quarantined lists them with the field; --retry reads them again',
    },
  ];
}

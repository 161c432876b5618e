import { type Kysely, sql } from 'kysely';
import type { Instant } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import { prepared } from '../../store/queries/prepared.ts';
import { count } from '../tables/connection/counters.ts';
import type { Mirror, MirrorDb, MirrorTrx, QuarantineTable } from '../tables/database.ts';
import type { IncomingRow, UnreadableRow } from '../tables/rows/resource.ts';
import { SEALED_RESOURCES } from '../tables/rows/sealedValues.ts';

const put = prepared((db: Kysely<Mirror>, arg: Omit<QuarantineTable, 'first_seen_at' | 'times'>) =>
  db
    .insertInto('quarantine')
    .values({ ...columnsOf(arg), first_seen_at: arg.last_seen_at, times: 1 })
    .onConflict((conflict) =>
      conflict.columns(['connection', 'resource', 'key']).doUpdateSet({
        problem: sql`excluded.problem`,
        last_seen_at: sql`excluded.last_seen_at`,
        times: sql`quarantine.times + 1`,
        raw: sql`excluded.raw`,
      }),
    ),
);

function columnsOf({
  connection,
  resource,
  key,
  problem,
  last_seen_at,
  raw,
}: Omit<QuarantineTable, 'first_seen_at' | 'times'>) {
  return { connection, resource, key, problem, last_seen_at, raw };
}

/** Quarantines rows that do not fit the contract, for a person to look at. */
export async function quarantineRows(
  trx: MirrorTrx,
  connection: string,
  resource: string,
  at: Instant,
  rows: readonly UnreadableRow[],
): Promise<void> {
  // A row that could not be read may hold its address in an unexpected place.
  const isSealed = SEALED_RESOURCES.includes(resource);
  for (const { key, problem, rawText } of rows) {
    await put(trx, { connection, resource, key, problem, last_seen_at: at, raw: isSealed ? null : rawText });
  }
  await count(trx, connection, { quarantined: rows.length });
}

const takeOut = prepared((db: Kysely<Mirror>, arg: { connection: string; resource: string; keys: readonly string[] }) =>
  db
    .deleteFrom('quarantine')
    .where('connection', '=', arg.connection)
    .where('resource', '=', arg.resource)
    .where((eb) => inList(eb.ref('key'), arg.keys)),
);

/** Releases rows from quarantine that could be read. */
export async function release(
  trx: MirrorTrx,
  connection: string,
  resource: string,
  rows: readonly Pick<IncomingRow, 'rowKey' | 'key'>[],
): Promise<void> {
  if (rows.length === 0) return;
  const keys = [...new Set(rows.flatMap(({ rowKey, key }) => [String(rowKey), key]))];
  await takeOut(trx, { connection, resource, keys });
}

/** Releases, after a complete read, the rows that it has not quarantined again: they are gone, or could be read. */
export async function releaseUnseen(
  db: MirrorDb,
  connection: string,
  resources: readonly string[],
  before: Instant,
): Promise<void> {
  await db
    .deleteFrom('quarantine')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('resource'), resources))
    .where('last_seen_at', '<', before)
    .execute();
}

/** A row that could not be read: its key, since when, and why. */
interface Quarantined {
  resource: string;
  key: string;
  /** The field and its problem. */
  problem: string;
  first_seen_at: Instant;
  last_seen_at: Instant;
  times: number;
}

/** Reads the quarantined rows, the oldest first. */
export function quarantined(db: MirrorDb, connection: string, limit: number): Promise<Quarantined[]> {
  return db
    .selectFrom('quarantine')
    .select(['resource', 'key', 'problem', 'first_seen_at', 'last_seen_at', 'times'])
    .where('connection', '=', connection)
    .orderBy('first_seen_at')
    .orderBy('resource')
    .orderBy('key')
    .limit(limit)
    .execute();
}

/** Returns the resources that have quarantined rows. */
export async function quarantinedResources(db: MirrorDb, connection: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('quarantine')
    .select('resource')
    .distinct()
    .where('connection', '=', connection)
    .execute();
  return new Set(rows.map(({ resource }) => resource));
}

/** Counts the rows of these resources that were quarantined since a moment. */
export async function quarantinedSince(
  db: MirrorDb,
  connection: string,
  resources: readonly string[],
  since: Instant,
): Promise<number> {
  const { count: rows } = await db
    .selectFrom('quarantine')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('resource'), resources))
    .where('last_seen_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(rows);
}

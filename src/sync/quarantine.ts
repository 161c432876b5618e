import { type Kysely, sql } from 'kysely';
import type { Instant } from '../kernel/dates.ts';
import { prepared } from '../store/prepared.ts';
import { count } from './counters.ts';
import type { Mirror, MirrorTrx, QuarantineTable } from './database.ts';
import type { UnfitRow } from './mirror/resource.ts';
import { SEALED_RESOURCES } from './sealedValues.ts';

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

/** Sets rows aside that do not fit the contract, for a person to look at. */
export async function setAside(
  trx: MirrorTrx,
  connection: string,
  resource: string,
  at: Instant,
  rows: readonly UnfitRow[],
): Promise<void> {
  // What is not understood is not known to hold its address where it should.
  const isSealed = SEALED_RESOURCES.includes(resource);
  for (const { key, problem, rawText } of rows) {
    await put(trx, { connection, resource, key, problem, last_seen_at: at, raw: isSealed ? null : rawText });
  }
  await count(trx, connection, { quarantined: rows.length });
}

import { type Kysely, sql } from 'kysely';
import { prepared } from '../../../store/queries/prepared.ts';
import type { Mirror, MirrorDb } from '../database.ts';

/** Names of the things that are counted since the mirror was created. */
const counterNames = [
  'events',
  'duplicates',
  'id_conflict',
  'unknown_kind',
  'ignored',
  'unreadable',
  'quarantined',
  'stale_answers',
] as const;
type CounterName =
  | (typeof counterNames)[number]
  | `requests/${string}`
  | `${'rows_read' | 'fields_missing' | 'fields_unreadable'}/${string}`
  | `${'lost' | 'unproven' | 'late' | 'unconfirmed'}/${string}`;

type Counts = Partial<Record<CounterName, number>>;

const addOne = prepared((db: Kysely<Mirror>, arg: { connection: string; name: string; value: number }) =>
  db
    .insertInto('counters')
    .values(arg)
    .onConflict((conflict) =>
      conflict.columns(['connection', 'name']).doUpdateSet({ value: sql`counters.value + excluded.value` }),
    ),
);

/** Adds to the counters of a connection, each name at most once per call. Zeros cost nothing. */
export async function count(db: MirrorDb, connection: string, counts: Counts): Promise<void> {
  for (const [name, value] of Object.entries(counts)) {
    if (value) await addOne(db, { connection, name, value });
  }
}

/** Returns all counters of a connection. */
export async function readCounters(db: MirrorDb, connection: string): Promise<Record<string, number>> {
  const rows = await db.selectFrom('counters').select(['name', 'value']).where('connection', '=', connection).execute();
  return Object.fromEntries(rows.map((row) => [row.name, row.value]));
}

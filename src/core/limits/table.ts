import { sql } from 'kysely';
import type { Store } from '../../store/store.ts';
import type { CoreDatabase, CoreDb } from '../database.ts';

export type CounterRow = CoreDatabase['request_counters'];

/** Rows per statement. */
const CHUNK_ROWS = 500;

/** Returns the counters of windows that are still open and deletes the others. */
export async function openCounts({ db }: Pick<Store<CoreDatabase>, 'db'>, nowMs: number): Promise<CounterRow[]> {
  const seconds = Math.floor(nowMs / 1_000);
  await db
    .deleteFrom('request_counters')
    .where(sql<number>`window_start + window_seconds`, '<=', seconds)
    .execute();
  return db.selectFrom('request_counters').selectAll().execute();
}

/**
 * Adds counts to the stored ones of the same window. A later window replaces an earlier one, and late counts of an
 * earlier one are dropped. @returns the rows after the addition
 */
export async function addCounts(db: CoreDb, counts: readonly CounterRow[]): Promise<CounterRow[]> {
  // All processes write in one order, so that two concurrent writes do not deadlock.
  const rows = counts.toSorted(byKey);
  const stored: CounterRow[] = [];
  for (let start = 0; start < rows.length; start += CHUNK_ROWS) {
    const chunk = db
      .insertInto('request_counters')
      .values(rows.slice(start, start + CHUNK_ROWS))
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'bucket', 'window_seconds']).doUpdateSet({
          count: sql`case
            when request_counters.window_start = excluded.window_start then request_counters.count + excluded.count
            when request_counters.window_start < excluded.window_start then excluded.count
            else request_counters.count end`,
          window_start: sql`case
            when request_counters.window_start < excluded.window_start then excluded.window_start
            else request_counters.window_start end`,
        }),
      )
      .returningAll();
    stored.push(...(await chunk.execute()));
  }
  return stored;
}

function byKey(a: CounterRow, b: CounterRow): number {
  if (a.account_id !== b.account_id) return a.account_id < b.account_id ? -1 : 1;
  if (a.bucket !== b.bucket) return a.bucket < b.bucket ? -1 : 1;
  return a.window_seconds - b.window_seconds;
}

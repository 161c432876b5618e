import { sql } from 'kysely';
import { inList } from '../../store/queries/inList.ts';
import type { MirrorStore } from '../tables/database.ts';
import { NO_PROPERTY } from '../tables/rowFacts.ts';
import { orphans } from './verify/orphans.ts';

/** Tables whose rows depend on a stay, and the column that names it. */
const hanging = {
  guests: 'stay_code',
  stay_figures: 'stay_code',
  stay_items: 'stay_code',
  reservations: 'reservation_code',
} as const;
const BATCH = 200;

/**
 * Deletes the dependents of missing stays, for example after rows were deleted by hand. @returns the number of these
 * stays
 */
export async function mendOrphans(store: MirrorStore, connection: string): Promise<number> {
  const found = await orphans(store.db, connection);
  for (const [table, column] of Object.entries(hanging)) {
    for (const keys of batches(keysIn(table))) {
      await store.transaction(async (trx) => {
        await sql`delete from ${sql.table(table)} where connection = ${connection}
          and ${inList(sql.ref<string>(column), keys)}`.execute(trx);
      });
    }
  }
  for (const keys of batches(keysIn('stay_nights'))) {
    await store.transaction(async (trx) => {
      await sql`delete from stay_nights where connection = ${connection}
        and ${inList(sql.ref<string>('stay_code'), keys)} and not exists (
          select 1 from stays where stays.connection = stay_nights.connection
            and stays.stay_code = stay_nights.stay_code and stays.deleted_at is null
            and coalesce(stays.property_id, ${sql.lit(NO_PROPERTY)}) = stay_nights.property_id
            and stays.check_in_date <= stay_nights.night and stay_nights.night < stays.check_out_date)`.execute(trx);
    });
  }
  return new Set(found.map(({ key }) => key)).size;

  function keysIn(table: string): string[] {
    return [...new Set(found.filter(({ paths }) => paths.includes(table)).map(({ key }) => key))];
  }
}

function batches(keys: readonly string[]): string[][] {
  const count = Math.ceil(keys.length / BATCH);
  return Array.from({ length: count }, (_, index) => keys.slice(index * BATCH, (index + 1) * BATCH));
}

import { sql } from 'kysely';
import type { MirrorDb, MirrorTrx } from '../../tables/database.ts';
import type { RefusedDeliveriesTable } from './refusedTable.ts';

export async function addRefused(trx: MirrorTrx, row: Omit<RefusedDeliveriesTable, 'first_at'>): Promise<void> {
  await trx
    .insertInto('refused_deliveries')
    .values({ ...row, first_at: row.last_at })
    .onConflict((conflict) =>
      conflict.columns(['connection', 'reason']).doUpdateSet({
        times: sql`refused_deliveries.times + excluded.times`,
        last_at: sql`excluded.last_at`,
      }),
    )
    .execute();
}

/** Returns the counts of refused deliveries. */
export function refusedDeliveries(db: MirrorDb, connection: string): Promise<RefusedDeliveriesTable[]> {
  return db
    .selectFrom('refused_deliveries')
    .selectAll()
    .where('connection', '=', connection)
    .orderBy('last_at', 'desc')
    .execute();
}

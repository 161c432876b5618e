import { inList } from '../../store/queries/inList.ts';
import type { MirrorTrx } from '../../sync/tables/database.ts';
import type { Change } from '../../sync/feed/feed.ts';

/** The column of each resource that gives the time of the fact itself. */
const dated = {
  reservation: { table: 'stays', key: 'reservation_code', at: 'booked_at' },
  transaction: { table: 'transactions', key: 'id', at: 'created_at' },
  special_offer: { table: 'special_offers', key: 'conversation_id', at: 'created_at' },
  review: { table: 'reviews', key: 'review', at: 'guest_reviewed_at' },
  task: { table: 'tasks', key: 'id', at: 'created_at' },
  listing: { table: 'listings', key: 'listing', at: 'created_at' },
  channel_account: { table: 'channel_accounts', key: 'id', at: 'created_at' },
} as const;

/**
 * Returns the times of the facts behind changes, by the number of the change. Leaves out resources without such a
 * column.
 */
export async function factTimes(
  trx: MirrorTrx,
  connection: string,
  changes: readonly Change[],
): Promise<Map<number, string | null>> {
  const times = new Map<number, string | null>();
  for (const [resource, { table, key, at }] of Object.entries(dated)) {
    // A review changes repeatedly, but the time of the guest's writing stays.
    const mine = changes.filter(
      (change) => change.resource === resource && (change.op === 'created' || resource === 'review'),
    );
    if (mine.length === 0) continue;
    const nameOf = ({ key: shared, part }: Change) => (key === 'review' ? (part ?? shared) : shared);
    const keys = [...new Set(mine.map(nameOf))];
    // The tables share these columns. kysely cannot express that, so one table represents them all.
    const rows = await trx
      .selectFrom(table as 'stays')
      .select([`${key} as key`, `${at} as at`] as unknown as ['reservation_code as key', 'booked_at as at'])
      .where('connection', '=', connection)
      .where((eb) =>
        inList(eb.ref(key as 'reservation_code'), key === 'id' ? (keys.map(Number) as unknown as string[]) : keys),
      )
      .execute();
    for (const change of mine) {
      const found = rows.filter((row) => String(row.key) === nameOf(change)).map((row) => row.at);
      // Of several rows under one key, the newest counts.
      times.set(change.seq, found.toSorted((a, b) => ((a ?? '') < (b ?? '') ? 1 : -1))[0] ?? null);
    }
  }
  return times;
}

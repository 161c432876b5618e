import { msOf } from '../../../kernel/dates.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { remedies } from '../../ingest/refusals/remedies.ts';
import { refusedDeliveries } from '../../ingest/refusals/refusedRows.ts';
import type { RefusedDeliveriesTable } from '../../ingest/refusals/refusedTable.ts';
import { newestReceived } from '../../queue/inbox.ts';
import type { Trouble } from './trouble.ts';

const DAY_MS = 24 * 60 * 60_000;
/** The time after which a refusal no longer counts. */
const RECENT_MS = 7 * DAY_MS;

/** Reports refused deliveries without an accepted event after them. */
export async function deliveryTroubles(db: MirrorDb, connection: string, nowMs: number): Promise<Trouble[]> {
  const newest = await newestReceived(db, connection);
  const takenAt = newest === undefined ? 0 : msOf(newest);
  const rows = await refusedDeliveries(db, connection);
  return rows
    .filter((row) => msOf(row.last_at) > Math.max(takenAt, nowMs - RECENT_MS))
    .flatMap((row) => troubleOf(row, newest));
}

function troubleOf(
  { reason, times, first_at, last_at }: RefusedDeliveriesTable,
  newest: string | undefined,
): Trouble[] {
  const { says, remedy, from } = remedies[reason];
  if (from === 'nobody') return [];
  const taken = newest === undefined ? 'none was ever taken in' : `the newest that was taken in came at ${newest}`;
  const refused = `${times} deliveries of events were refused since ${first_at}, the last at ${last_at}; ${taken}`;
  return [{ about: 'deliveries', level: 'alarm', says: `${refused}: ${says}`, remedy }];
}

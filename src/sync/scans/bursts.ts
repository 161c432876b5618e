import type { MirrorDb } from '../tables/database.ts';
import { rowQueries } from '../tables/rows/rowTable.ts';
import { availabilityScan } from './resources/availability.ts';
import { calendarsScan } from './resources/calendars.ts';
import { channelAccountsScan } from './resources/channelAccounts.ts';
import { listingsScan } from './resources/listings.ts';
import { propertiesScan } from './resources/properties.ts';
import { reservationsScan } from './resources/reservations.ts';
import { transactionsScan } from './resources/transactions.ts';
import type { Scan } from './scan.ts';
import type { ScanFacts } from '../queue/loadMonitor.ts';

/** Scans that can replace many look-ups, in the order in which they are made; see all.ts. */
export const burstScans: readonly Scan[] = [
  propertiesScan,
  channelAccountsScan,
  listingsScan,
  transactionsScan,
  reservationsScan,
  availabilityScan,
  calendarsScan,
];

/** Estimates the costs of scans of a connection. It seldom counts the known rows, since that takes time. */
export function scanFacts(
  db: MirrorDb,
  connection: string,
  monotonic: () => number,
): ScanFacts & { began(resource: string, at: number): void; failed(resource: string): void } {
  const RECOUNT_MS = 30_000;
  const counted = new Map<string, { rows: number; at: number }>();
  const bursts = new Map<string, number>();

  async function rowsOf(scan: Scan): Promise<number> {
    const known = counted.get(scan.resource);
    if (known && monotonic() - known.at < RECOUNT_MS) return known.rows;
    const rows = await rowQueries(mustBe(scan.rows ?? scan.of)).count(db, connection);
    counted.set(scan.resource, { rows, at: monotonic() });
    return rows;
  }

  return {
    async cost(resource, dirty) {
      const scan = burstScans.find((one) => one.resource === resource);
      // No scan can replace these look-ups, however many they are.
      if (!scan) return Number.POSITIVE_INFINITY;
      // Dirty keys may be rows that are not stored yet. For days, the rows are the properties or listings.
      const rows = await rowsOf(scan);
      return scan.cost(scan.rows ? rows + dirty : rows);
    },
    lastBurst: (resource) => bursts.get(resource),
    began: (resource, at) => void bursts.set(resource, at),
    failed: (resource) => void bursts.delete(resource),
  };
}

function mustBe<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('this scan has rows');
  return value;
}

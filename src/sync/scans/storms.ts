import type { MirrorDb } from '../tables/database.ts';
import { rowQueries } from '../tables/rows/rowTable.ts';
import { availabilityWalk } from './resources/availability.ts';
import { calendarsWalk } from './resources/calendars.ts';
import { channelAccountsWalk } from './resources/channelAccounts.ts';
import { listingsWalk } from './resources/listings.ts';
import { propertiesWalk } from './resources/properties.ts';
import { reservationsWalk } from './resources/reservations.ts';
import { transactionsWalk } from './resources/transactions.ts';
import type { Walk } from './walk.ts';
import type { WalkFacts } from '../queue/weather.ts';

/** Walks that can stand in for many look-ups, in the order in which they are made; see all.ts. */
export const burstWalks: readonly Walk[] = [
  propertiesWalk,
  channelAccountsWalk,
  listingsWalk,
  transactionsWalk,
  reservationsWalk,
  availabilityWalk,
  calendarsWalk,
];

/** What the walks of a connection cost. The number of known rows is asked for seldom: it takes its time. */
export function walkFacts(
  db: MirrorDb,
  connection: string,
  monotonic: () => number,
): WalkFacts & { began(resource: string, at: number): void; failed(resource: string): void } {
  const RECOUNT_MS = 30_000;
  const counted = new Map<string, { rows: number; at: number }>();
  const bursts = new Map<string, number>();

  async function rowsOf(walk: Walk): Promise<number> {
    const known = counted.get(walk.resource);
    if (known && monotonic() - known.at < RECOUNT_MS) return known.rows;
    const rows = await rowQueries(mustBe(walk.rows ?? walk.of)).count(db, connection);
    counted.set(walk.resource, { rows, at: monotonic() });
    return rows;
  }

  return {
    async cost(resource, dirty) {
      const walk = burstWalks.find((one) => one.resource === resource);
      // Nothing stands in for these look-ups, however many they are.
      if (!walk) return Number.POSITIVE_INFINITY;
      // Dirty keys may be rows that nobody has seen yet; of days, they are what has the days.
      const rows = await rowsOf(walk);
      return walk.cost(walk.rows ? rows + dirty : rows);
    },
    lastBurst: (resource) => bursts.get(resource),
    began: (resource, at) => void bursts.set(resource, at),
    failed: (resource) => void bursts.delete(resource),
  };
}

function mustBe<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('this walk has rows');
  return value;
}

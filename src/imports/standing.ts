import type { Booking } from './outcome.ts';
import type { PlanOptions, StandingStay } from './planFile.ts';
import type { ImportedRow } from './table.ts';

type PooledStay = StandingStay & { pool: string };

/**
 * Returns the nights that reservations of earlier runs occupy now. A reservation that is still in the pool of its row
 * retains its unit for that row. Any other (moved to another pool, or its row is gone, refused, or now names a
 * property) holds its nights as a stay from elsewhere does; these are known only when the file has been read.
 */
export function standingStays(known: ReadonlyMap<string, ImportedRow>): {
  of: NonNullable<PlanOptions['known']>;
  others: (elsewhere: Iterable<PooledStay>) => Iterable<PooledStay>;
} {
  const inPlace = new Set<ImportedRow>();
  return {
    of({ key }: Booking, pool: string) {
      const earlier = known.get(key);
      if (!earlier) return undefined;
      if (earlier.standing === 'nothing' || earlier.standing.pool !== pool) return 'nothing';
      inPlace.add(earlier);
      return earlier.standing;
    },
    *others(elsewhere) {
      yield* elsewhere;
      for (const row of known.values()) if (row.standing !== 'nothing' && !inPlace.has(row)) yield row.standing;
    },
  };
}

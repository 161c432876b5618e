import type { Booking } from './outcome.ts';
import type { PlanOptions, StandingStay } from './planFile.ts';
import type { ImportedRow } from './table.ts';

type PooledStay = StandingStay & { pool: string };

/**
 * What bookings of earlier runs occupy now. One that still stands in the pool its row names keeps its unit for
 * that row. Any other (moved to another pool, or its row is gone, refused, or names a property by now) holds its
 * nights all the same, as a stay from elsewhere does; which they are is known when the file has been read.
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

import type { Place } from '../service.ts';
import { proveClosed } from './closed.ts';
import { proveGrowth } from './growth.ts';
import { proveOwnersAccount } from './ownersAccount.ts';
import { proveRealReservations } from './realReservations.ts';

/** Parts of the proof, in the order in which they run. */
export const booksParts = ['owners', 'real', 'growth', 'closed'] as const;
export type BooksPart = (typeof booksParts)[number];

/** What is proven, and of how much. */
export interface BooksSize {
  parts: readonly BooksPart[];
  /** Entries of the largest ledger. */
  entries: number;
  /** Of the account of owners. */
  reservationsAMonth: number;
  /** Of the real file; left out: all. */
  bookings?: number;
}

/**
 * The books: of an account of owners in four currencies, of the real bookings, of ledgers that grow, and of one
 * whose months are closed.
 */
export async function proveBooks(
  place: Place & { file: string },
  { parts, entries, reservationsAMonth, bookings }: BooksSize,
  say: (line: string) => void,
): Promise<void> {
  const run: Record<BooksPart, () => Promise<void>> = {
    owners: () => proveOwnersAccount(reservationsAMonth, say),
    real: () => proveRealReservations(place, bookings, say),
    growth: () => proveGrowth(entries, say),
    closed: () => proveClosed(entries, say),
  };
  for (const part of booksParts) if (parts.includes(part)) await run[part]();
}

import type { Place } from '../service.ts';
import { proveGrowth } from './growth.ts';
import { proveOwnersAccount } from './ownersAccount.ts';
import { proveRealBookings } from './realBookings.ts';

/** What is proven, and of how much. */
export interface BooksSize {
  /** Entries of the largest ledger. */
  entries: number;
  /** Of the account of owners. */
  bookingsAMonth: number;
  /** Of the real file; left out: all. */
  bookings?: number;
}

/** The books: of an account of owners in four currencies, of the real bookings, and of ledgers that grow. */
export async function proveBooks(
  place: Place & { file: string },
  { entries, bookingsAMonth, bookings }: BooksSize,
  say: (line: string) => void,
): Promise<void> {
  await proveOwnersAccount(bookingsAMonth, say);
  await proveRealBookings(place, bookings, say);
  await proveGrowth(entries, say);
}

import { proveGrowth } from './growth.ts';

/** What is proven, and of how much. */
export interface BooksSize {
  /** The real bookings. */
  file: string;
  root: string;
  /** Entries of the largest ledger. */
  most: number;
  port: number;
}

/** The books: of an account of owners in four currencies, of the real bookings, and of ledgers that grow. */
export async function proveBooks({ most }: BooksSize, say: (line: string) => void): Promise<void> {
  await proveGrowth(most, say);
}

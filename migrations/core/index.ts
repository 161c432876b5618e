import type { Migration } from 'kysely';
import * as bookings from './0001_bookings.ts';
import * as listings from './0003_listings.ts';

/** Forward only; a released one is never edited. */
export const coreMigrations: Record<string, Migration> = {
  '0001_bookings': { up: bookings.up },
  '0003_listings': { up: listings.up },
};

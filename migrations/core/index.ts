import type { Migration } from 'kysely';
import * as bookings from './0001_bookings.ts';
import * as work from './0006_work.ts';

/** Forward only; a released one is never edited. */
export const coreMigrations: Record<string, Migration> = {
  '0001_bookings': { up: bookings.up },
  '0006_work': { up: work.up },
};

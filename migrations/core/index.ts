import type { Migration } from 'kysely';
import * as bookings from './0001_bookings.ts';
import * as channelBookings from './0004_channel_bookings.ts';

/** Forward only; a released one is never edited. */
export const coreMigrations: Record<string, Migration> = {
  '0001_bookings': { up: bookings.up },
  '0004_channel_bookings': { up: channelBookings.up },
};

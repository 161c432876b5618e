import type { Migration } from 'kysely';
import * as bookings from './0001_bookings.ts';
import * as conversations from './0005_conversations.ts';

/** Forward only; a released one is never edited. */
export const coreMigrations: Record<string, Migration> = {
  '0001_bookings': { up: bookings.up },
  '0005_conversations': { up: conversations.up },
};

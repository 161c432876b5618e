import type { Kysely } from 'kysely';
import { createSequences } from '../../../src/store/leases/sequences.ts';
import { createTable } from '../tables.ts';
import { createDates } from './dates.ts';
import { createStateViews } from './states.ts';
import { automations } from './tables/automations.ts';
import { books } from './tables/books.ts';
import { calendars } from './tables/calendars.ts';
import { connections } from './tables/connections.ts';
import { conversations } from './tables/conversations.ts';
import { endpoints } from './tables/endpoints.ts';
import { events } from './tables/events.ts';
import { exports } from './tables/exports.ts';
import { feed } from './tables/feed.ts';
import { portfolio } from './tables/portfolio.ts';
import { privacy } from './tables/privacy.ts';
import { reservations } from './tables/reservations.ts';
import { scans } from './tables/scans.ts';
import { work } from './tables/work.ts';
import { createReportViews } from './views.ts';

const sequences = ['reads'];

const tables = [
  ...connections,
  ...events,
  ...scans,
  ...feed,
  ...privacy,
  ...portfolio,
  ...reservations,
  ...calendars,
  ...conversations,
  ...work,
  ...automations,
  ...exports,
  ...books,
  ...endpoints,
];

/** Makes the mirror's database as it was when the first baseline was drawn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSequences(db, sequences);
  for (const table of tables) await createTable(db, table);
  await createDates(db);
  await createStateViews(db);
  await createReportViews(db);
}

import { bookPage } from './book/page.ts';
import { bookingPage } from './booking/page.ts';
import { brandPage } from './brand/page.ts';
import { calendarPage } from './calendar/page.ts';
import { channelsPage } from './channels/page.ts';
import { healthPage } from './health/page.ts';
import { connectPage } from './connect/page.ts';
import { importPage } from './import/page.ts';
import { inboxPage } from './inbox/page.ts';
import { keysPage } from './keys/page.ts';
import { mePage } from './me/page.ts';
import { comparisonsPage } from './comparisons/page.ts';
import { mailPage } from './mail/page.ts';
import { noticesPage } from './notices/page.ts';
import { moneyPage } from './money/page.ts';
import type { ConsolePage } from './page.ts';
import { ratesPage } from './rates/page.ts';
import { propertiesPage } from './property/page.ts';
import { reportsPage } from './reports/page.ts';
import { rulesPage } from './rules/page.ts';
import { searchPage } from './search/page.ts';
import { setupPage } from './setup/page.ts';
import { peoplePage } from './people/page.ts';
import { recordPage } from './record/page.ts';
import { stayPage } from './stay/page.ts';
import { tasksPage } from './tasks/page.ts';
import { todayPage } from './today/page.ts';

/** Every page; those that the navigation names stand in its order there. */
export const PAGES: readonly ConsolePage[] = [
  todayPage,
  inboxPage,
  calendarPage,
  bookPage,
  tasksPage,
  stayPage,
  moneyPage,
  reportsPage,
  rulesPage,
  healthPage,
  setupPage,
  brandPage,
  bookingPage,
  importPage,
  connectPage,
  propertiesPage,
  channelsPage,
  ratesPage,
  keysPage,
  mailPage,
  noticesPage,
  comparisonsPage,
  peoplePage,
  recordPage,
  searchPage,
  mePage,
];

/** The page that `/` leads to; a person who may not see it is led to the first page that they may. */
export const HOME = 'today';

import { bookPage } from './book/page.ts';
import { calendarPage } from './calendar/page.ts';
import { healthPage } from './health/page.ts';
import type { ConsolePage } from './page.ts';
import { todayPage } from './today/page.ts';

/** Every page; those that the navigation names stand in its order there. */
export const PAGES: readonly ConsolePage[] = [todayPage, calendarPage, bookPage, healthPage];

/** The page that `/` leads to; a person who may not see it is led to the first page that they may. */
export const HOME = 'today';

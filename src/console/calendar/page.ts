import { z } from 'zod';
import { addDaysWithin, isPlainDate } from '../../kernel/dates.ts';
import { consolePage } from '../page.ts';
import { readCalendar } from './query.ts';
import { calendarView } from './view.ts';

const MOST_PAGES = 100_000;
/** Days before today with which the calendar begins. */
const BEFORE = 2;

/** Calendar: the nights of all properties, with their stays and blocks. */
export const calendarPage = consolePage({
  path: 'calendar',
  right: 'calendar',
  title: (texts) => texts.calendar.title,
  question: z.object({
    from: z.string().refine(isPlainDate, 'must be a date such as 2027-03-01').optional(),
    named: z.string().max(100).optional(),
    page: z.coerce.number().int().min(1).max(MOST_PAGES).default(1),
  }),
  async render(visit, { from, named, page }) {
    const { connection, services, today, person } = visit;
    const calendar = await readCalendar(services.db, {
      connection,
      from: from ?? addDaysWithin(today, -BEFORE),
      named,
      page,
      properties: person.properties ?? undefined,
      hasNames: visit.may('persons'),
    });
    return calendarView(visit, calendar, named);
  },
});

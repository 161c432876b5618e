import { addDaysWithin } from '../../kernel/dates.ts';
import { html } from '../../kernel/markup/html.ts';
import { consolePage } from '../page.ts';
import { readCalendar } from './query.ts';
import { question } from './state.ts';
import { calendarView } from './view.ts';

/** Days before today with which the calendar begins. */
const BEFORE = 2;

/** Calendar: the nights of all properties, with their stays, blocks and prices, and what a person changes on them. */
export const calendarPage = consolePage({
  path: 'calendar',
  right: 'calendar',
  title: (texts) => texts.calendar.title,
  question,
  async render(visit, asked) {
    const { connection, services, today, person, currency } = visit;
    const { named, group, tag, page, nights, prices } = asked;
    const calendar = await readCalendar(services.db, {
      connection,
      from: asked.from ?? addDaysWithin(today, -BEFORE),
      nights,
      named,
      group,
      tag,
      page,
      properties: person.properties ?? undefined,
      hasNames: visit.may('persons'),
      pricesIn: prices === undefined || nights === 365 ? undefined : currency,
    });
    return calendarView(visit, calendar, asked, html``);
  },
});

import { addDaysWithin } from '../../kernel/dates.ts';
import { type Html, html } from '../../kernel/markup/html.ts';
import { consolePage } from '../page.ts';
import type { Visit } from '../visit.ts';
import { calendarActions } from './panel/actions.ts';
import { movePanel } from './panel/moveView.ts';
import { unitPanel } from './panel/view.ts';
import { readCalendar } from './query.ts';
import { question, type Question } from './state.ts';
import { mayChange } from './rows.ts';
import { calendarView, rowsView } from './view.ts';

/** Days before today with which the calendar begins. */
const BEFORE = 2;

/** Calendar: the nights of all properties, with their stays, blocks and prices, and what a person changes on them. */
export const calendarPage = consolePage({
  path: 'calendar',
  right: 'calendar',
  title: (texts) => texts.calendar.title,
  question,
  actions: calendarActions,
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
    if (asked.only !== undefined) return rowsView(visit, calendar, asked);
    return calendarView(visit, calendar, asked, await panelOf(visit, asked));
  },
});

/** The part of the page where something is about to be changed, if it is. */
async function panelOf(visit: Visit, asked: Question): Promise<Html> {
  if (asked.move !== undefined && visit.may('calendar.move')) return movePanel(visit, asked.move, asked);
  return asked.unit !== undefined && mayChange(visit) ? unitPanel(visit, asked.unit, asked) : html``;
}

import { z } from 'zod';
import { isPlainDate } from '../../kernel/dates.ts';
import { daysAround } from '../frame/format.ts';
import { consolePage } from '../page.ts';
import { readProperties, shownProperties } from '../properties.ts';
import { type Day, readDay, type StayRow } from './query.ts';
import { todayView } from './view.ts';
import { countWaiting, readWaiting, waits } from './waiting.ts';
import { waitingView } from './waitingView.ts';

/** Today: who arrives, leaves and stays, what is missing for it, and what waits for a person. */
export const todayPage = consolePage({
  path: 'today',
  right: 'today',
  title: (texts) => texts.today.title,
  question: z.object({
    day: z.string().refine(isPlainDate, 'must be a date such as 2027-03-01').optional(),
    property: z.coerce.number().int().min(0).optional(),
    waiting: z.enum(waits).optional(),
  }),
  async render(visit, { day, property, waiting }) {
    const { connection, services, today, person } = visit;
    const seen = { connection, today, properties: person.properties ?? undefined };
    const counts = await countWaiting(services.db, seen);
    if (waiting !== undefined) {
      return waitingView(visit, { wait: waiting, counts, stays: await readWaiting(services.db, seen, waiting) });
    }
    const date = day ?? today;
    const [read, choices] = [
      await readDay(services.db, {
        connection,
        date,
        around: daysAround(date),
        properties: shownProperties(visit, property),
      }),
      await readProperties(services.db, { connection, properties: visit.person.properties ?? undefined }),
    ];
    const shown = visit.may('persons') ? read : withoutPersons(read);
    return todayView(visit, { day: shown, counts, choice: { properties: choices, property } });
  },
});

/** Leaves out the names of guests. */
function withoutPersons(day: Day): Day {
  const nameless = (rows: readonly StayRow[]) => rows.map((row) => ({ ...row, guest: null }));
  const { arrivals, departures, staying } = day;
  return { ...day, arrivals: nameless(arrivals), departures: nameless(departures), staying: nameless(staying) };
}

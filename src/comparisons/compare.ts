import { addDays, nightsOf, type PlainDate } from '../kernel/dates.ts';
import type { ComparisonFindingsTable } from './tables.ts';

/** Days ahead that are compared: calendars of marketplaces reach at least so far. */
export const DAYS_AHEAD = 365;

/** An event of the calendar: nights from `start` up to `end`. */
export interface CalendarEvent {
  readonly start: PlainDate;
  readonly end: PlainDate;
  /** reservation: guests come · block: closed by the host · unknown: one of both. */
  readonly kind: 'reservation' | 'block' | 'unknown';
}

/** An accepted stay of the mirror. */
export interface MirroredStay {
  readonly stay_code: string;
  readonly check_in_date: PlainDate;
  readonly check_out_date: PlainDate;
}

/** What the mirror holds of the property in the days that are compared. */
export interface MirroredProperty {
  readonly stays: readonly MirroredStay[];
  /** Accepted stays without a room: their nights are known, though they hold none. */
  readonly unplaced: readonly MirroredStay[];
  /** Nights that nobody can book there, whatever the reason. */
  readonly closed: ReadonlySet<PlainDate>;
}

export type Difference = Pick<
  ComparisonFindingsTable,
  'subject' | 'known_to' | 'stay_code' | 'start_date' | 'end_date' | 'is_sold'
>;

/**
 * Returns what only one side knows of the nights after today, up to {@link DAYS_AHEAD}: events with guests whose nights no
 * stay holds, closed nights that can be booked in the mirror, and stays whose nights the calendar shows as free. Blocks by
 * the host are nobody's stay. The night of today is left out, since marketplaces drop it at hours of their own.
 */
export function differencesOf(
  events: readonly CalendarEvent[],
  { stays, unplaced, closed }: MirroredProperty,
  today: PlainDate,
): Difference[] {
  const last = addDays(today, DAYS_AHEAD);
  const compared = (start: PlainDate, end: PlainDate) =>
    nightsOf(start, end).filter((night) => night > today && night <= last);
  const held = new Set(stays.flatMap((stay) => nightsOf(stay.check_in_date, stay.check_out_date)));
  const shut = new Set(events.flatMap(({ start, end }) => nightsOf(start, end)));
  const isUnplaced = ({ start, end }: CalendarEvent) =>
    unplaced.some(({ check_in_date: from, check_out_date: to }) => to === end && (from === start || start <= today));

  const atMarketplace = events.flatMap((event): Difference[] => {
    const nights = compared(event.start, event.end);
    if (event.kind === 'block' || nights.length === 0 || isUnplaced(event)) return [];
    const isSold = event.kind === 'reservation';
    const isKnown = isSold
      ? nights.every((night) => held.has(night))
      : nights.every((night) => held.has(night) || closed.has(night));
    if (isKnown) return [];
    const { start: start_date, end: end_date } = event;
    // A start that moves along with today is the same event.
    const subject = `calendar ${start_date <= today ? '' : start_date}/${end_date}`;
    return [{ subject, known_to: 'calendar', stay_code: null, start_date, end_date, is_sold: isSold ? 1 : 0 }];
  });
  const inMirror = stays.flatMap(({ stay_code, check_in_date, check_out_date }): Difference[] => {
    if (compared(check_in_date, check_out_date).every((night) => shut.has(night))) return [];
    return [
      {
        subject: `stay ${stay_code}`,
        known_to: 'mirror',
        stay_code,
        start_date: check_in_date,
        end_date: check_out_date,
        is_sold: 1,
      },
    ];
  });
  return [...new Map([...atMarketplace, ...inMirror].map((one) => [one.subject, one])).values()];
}

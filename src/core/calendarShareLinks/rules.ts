import { addDays, datesFromTo, type PlainDate } from '../../kernel/dates.ts';

/** A calendar month, `YYYY-MM`. */
export type Month = string;

/** Months that a visitor can look ahead, within the reach of the master calendar. */
export const MONTHS_AHEAD = 24;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export function monthOf(date: PlainDate): Month {
  return date.slice(0, 7);
}

/** Returns the month `count` months later; negative: earlier. */
export function addMonths(month: Month, count: number): Month {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** Returns every date of a month. */
export function datesOfMonth(month: Month): PlainDate[] {
  return datesFromTo(`${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1));
}

/** Returns the month to show, with its neighbours: the requested month if it can be shown, or else the present one. */
export function monthsAround(asked: string | undefined, today: PlainDate) {
  const present = monthOf(today);
  const last = addMonths(present, MONTHS_AHEAD);
  const isShown = asked !== undefined && MONTH.test(asked) && asked >= present && asked <= last;
  const month = isShown ? asked : present;
  return {
    month,
    previous: month > present ? addMonths(month, -1) : null,
    next: month < last ? addMonths(month, 1) : null,
  };
}

/** The state of a day that a visitor sees. It reveals only whether a night is free. */
export type DayState = 'free' | 'taken' | 'past';

export function dayState(date: PlainDate, available: boolean, today: PlainDate): DayState {
  if (date < today) return 'past';
  return available ? 'free' : 'taken';
}

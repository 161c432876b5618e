import { addDays, datesFromTo, type PlainDate } from '../../kernel/dates.ts';

/** A calendar month, `YYYY-MM`. */
export type Month = string;

/** Months that a visitor can look ahead; within what the master calendar answers. */
export const MONTHS_AHEAD = 24;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export function monthOf(date: PlainDate): Month {
  return date.slice(0, 7);
}

/** The month `count` months later; negative: earlier. */
export function addMonths(month: Month, count: number): Month {
  const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + count;
  return `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`;
}

/** Every date of a month. */
export function datesOfMonth(month: Month): PlainDate[] {
  return datesFromTo(`${month}-01`, addDays(`${addMonths(month, 1)}-01`, -1));
}

/** What is shown first: the month asked for, when it can be looked at, else the present one; and what lies beside it. */
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

/** What a visitor is told of a day: no more than whether a night can be had. */
export type DayState = 'free' | 'taken' | 'past';

export function dayState(date: PlainDate, available: boolean, today: PlainDate): DayState {
  if (date < today) return 'past';
  return available ? 'free' : 'taken';
}

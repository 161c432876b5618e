import { daysBetween, type PlainDate } from '../../../kernel/dates.ts';

/** A day that differs from its stored values. */
export interface ChangedDay<Values> {
  date: PlainDate;
  before: Values;
  after: Values;
}

/** Neighbouring days that changed in the same way. */
export interface Stretch<Values> {
  from: PlainDate;
  to: PlainDate;
  before: Values;
  after: Values;
}

/** Returns changed days as ranges, in order. */
export function stretchesOf<Values>(
  changed: readonly ChangedDay<Values>[],
  isSame: (a: Values, b: Values) => boolean,
): Stretch<Values>[] {
  const stretches: Stretch<Values>[] = [];
  for (const { date, before, after } of changed.toSorted((a, b) => (a.date < b.date ? -1 : 1))) {
    const last = stretches.at(-1);
    const goesOn = last && daysBetween(last.to, date) === 1 && isSame(last.before, before) && isSame(last.after, after);
    if (goesOn) last.to = date;
    else stretches.push({ from: date, to: date, before, after });
  }
  return stretches;
}

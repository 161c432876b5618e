import type { Kysely, Transaction } from 'kysely';
import { dateOfDay, dayNumber, isPlainDate } from '../../../src/kernel/dates.ts';
import { insertMany } from '../../../src/store/queries/insertMany.ts';
import { createTable } from '../../tables.ts';

type Db = Kysely<unknown>;

const FIRST_DATE = '2000-01-01';
const LAST_DATE = '2049-12-31';

/** Creates the calendar that reports count by, with its rows. */
export async function createDates(db: Db): Promise<void> {
  await createTable(db, {
    name: 'dates',
    columns: {
      date: 'text!',
      day_number: 'bigint!',
      day_before: 'text!',
      year_before: 'text!',
      month: 'text!',
      month_days: 'bigint!',
      weekday: 'bigint!',
    },
    key: ['date'],
    narrow: true,
    indexes: [{ name: 'dates_by_number', columns: ['day_number'], unique: true }],
  });
  const rows: DateRow[] = [];
  for (let day = dayNumber(FIRST_DATE); day <= dayNumber(LAST_DATE); day += 1) rows.push(rowOf(day));
  await insertMany(db as unknown as Transaction<{ dates: DateRow }>, 'dates', rows);
}

type DateRow = ReturnType<typeof rowOf>;

/** 1970-01-01 was a Thursday; weeks begin on Monday, the first day. */
const THURSDAY = 4;

function rowOf(day: number) {
  const date = dateOfDay(day);
  const year = Number(date.slice(0, 4));
  const sameDay = `${year - 1}${date.slice(4)}`;
  const nextMonth = date.slice(5, 7) === '12' ? `${year + 1}-01-01` : `${nextMonthOf(date)}-01`;
  return {
    date,
    day_number: day,
    day_before: dateOfDay(day - 1),
    // What 29 February is in a year without one.
    year_before: isPlainDate(sameDay) ? sameDay : `${year - 1}-02-28`,
    month: date.slice(0, 7),
    month_days: dayNumber(nextMonth) - dayNumber(`${date.slice(0, 7)}-01`),
    weekday: ((((day + THURSDAY - 1) % 7) + 7) % 7) + 1,
  };
}

function nextMonthOf(date: string): string {
  return `${date.slice(0, 5)}${String(Number(date.slice(5, 7)) + 1).padStart(2, '0')}`;
}

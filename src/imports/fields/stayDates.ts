import { dateOfDay, dayNumber, daysBetween, type PlainDate } from '../../kernel/dates.ts';
import { countReader } from './count.ts';
import { momentParser, type MomentParser } from './moment.ts';
import { refuse, type ReadingRow, type Scope } from './scope.ts';
import type { ReservationFields } from '../mapping.ts';
import type { Moment } from '../outcome.ts';

/** Most nights of a stay. A longer one is a typing error in a year. */
const MOST_NIGHTS = 1_096;

/** The readable dates of a stay. A missing part has a recorded problem. */
export interface StayDates {
  checkIn?: PlainDate | undefined;
  checkOut?: PlainDate | undefined;
  nights?: number | undefined;
}

type StayReader = (row: ReadingRow) => StayDates;

/**
 * Returns a reader of check-in, check-out and nights, which are given together or not at all. A file with both a
 * check-out and nights must agree with itself, which reveals a day that was taken for a month.
 */
export function stayReader(booking: ReservationFields, scope: Scope): StayReader {
  const readCheckIn = momentParser(booking.check_in_date, scope, 'check_in_date', 'booking.check_in_date');
  if (!booking.check_out_date) {
    if (!booking.nights) throw new Error('the mapping schema lets no stay pass without check-out and nights');
    return withNights(readCheckIn, booking.nights, scope);
  }
  const readCheckOut = momentParser(booking.check_out_date, scope, 'check_out_date', 'booking.check_out_date');
  const read = withCheckOut(readCheckIn, readCheckOut, 'from' in booking.check_in_date);
  return booking.nights ? agreeing(read, booking.nights, scope) : read;
}

function agreeing(read: StayReader, field: NonNullable<ReservationFields['nights']>, scope: Scope): StayReader {
  const readNights = countReader(field, scope, 'nights', 'booking.nights');
  return (row) => {
    const stay = read(row);
    const stated = readNights(row);
    if (typeof stated !== 'number' || !stay.checkIn || !stay.checkOut || stated === stay.nights) return stay;
    refuse(row, 'nights', 'nights do not match the dates', `${stated} for ${stay.checkIn} to ${stay.checkOut}`);
    return stay;
  };
}

function withNights(
  readCheckIn: MomentParser,
  field: NonNullable<ReservationFields['nights']>,
  scope: Scope,
): StayReader {
  const readNights = countReader(field, scope, 'nights', 'booking.nights');
  return (row) => {
    const checkIn = present(row, 'check_in_date', readCheckIn(row, {}));
    const nights = present(row, 'nights', readNights(row));
    if (nights === undefined) return { checkIn };
    if (!isStay(row, 'nights', nights, String(nights)) || checkIn === undefined) return { checkIn, nights };
    return { checkIn, checkOut: dateOfDay(dayNumber(checkIn) + nights), nights };
  };
}

function withCheckOut(readCheckIn: MomentParser, readCheckOut: MomentParser, countsBack: boolean): StayReader {
  return (row) => {
    const [checkIn, checkOut] = countsBack ? backward(row) : forward(row);
    if (checkIn === undefined || checkOut === undefined) return { checkIn, checkOut };
    const nights = daysBetween(checkIn, checkOut);
    return isStay(row, 'check_out_date', nights, `${checkIn} to ${checkOut}`)
      ? { checkIn, checkOut, nights }
      : { checkIn, nights };
  };

  function forward(row: ReadingRow) {
    const checkIn = dateOf(present(row, 'check_in_date', readCheckIn(row, {})));
    return [checkIn, dateOf(present(row, 'check_out_date', readCheckOut(row, { check_in_date: checkIn })))] as const;
  }

  function backward(row: ReadingRow) {
    const checkOut = dateOf(present(row, 'check_out_date', readCheckOut(row, {})));
    return [dateOf(present(row, 'check_in_date', readCheckIn(row, { check_out_date: checkOut }))), checkOut] as const;
  }
}

function isStay(row: ReadingRow, field: string, nights: number, value: string): boolean {
  if (nights === 0) refuse(row, field, 'zero nights', value);
  else if (nights < 0) refuse(row, field, 'check-out before check-in', value);
  else if (nights > MOST_NIGHTS) refuse(row, field, 'stay longer than three years', value);
  else return true;
  return false;
}

/** Returns the date of a moment. Nights are dates, so a time of day is left out. */
function dateOf(moment: Moment | undefined): PlainDate | undefined {
  return moment?.slice(0, 10);
}

function present<T>(row: ReadingRow, field: string, value: T | null | undefined): T | undefined {
  return value === null ? refuse(row, field, 'missing', '') : value;
}

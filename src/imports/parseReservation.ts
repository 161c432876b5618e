import { addDays, type PlainDate } from '../kernel/dates.ts';
import { countryCode } from './fields/countryCode.ts';
import { momentParser as dateReader } from './fields/dateFormats.ts';
import { momentParser } from './fields/moment.ts';
import { columnsOf, refuse, type ReadingRow, type Row, type Scope } from './fields/scope.ts';
import { textReader, type TextReader } from './fields/text.ts';
import { keyReader } from './identity.ts';
import { incomeReader } from './fields/income.ts';
import { isStatus, type ReservationFields, type Mapping } from './mapping.ts';
import { monthNames } from './fields/months.ts';
import { numberReader } from './fields/numbers.ts';
import type { Booking, Moment, Outcome, ReadingContext } from './outcome.ts';
import { partyReader } from './fields/party.ts';
import { priceReader } from './fields/price.ts';
import { roomsReader } from './fields/rooms.ts';
import { stayReader, type StayDates } from './fields/stayDates.ts';

/** The file that a mapping is compiled for. */
interface FileHead {
  name: string;
  header: readonly string[];
}

/** Context for reading a file that belongs to no account. */
export const NO_CONTEXT: ReadingContext = { currency: null, lastNight: null };

/**
 * Compiles a mapping for one file's header. Throws an OperatorError when the mapping names columns that the file does
 * not have. The parser is pure: the same row gives the same outcome.
 */
export function reservationParser(
  mapping: Mapping,
  { name, header }: FileHead,
  context: ReadingContext,
): (row: Row) => Outcome {
  const scope = scopeOf(mapping, header, context);
  const moved = mover(mapping.shift_days);
  const readers = readersOf(mapping, scope);
  const { readKey, readPlace, readStay, readState, readMoments, readParty, readPrice, readIncome, readGuest } = readers;
  scope.columns.assertAllFound(name);

  return ({ line, row: number, cells }) => {
    const row: ReadingRow = { line, row: number, cells, problems: [], remarks: [] };
    const key = readKey(row) ?? refuse(row, 'identity', 'missing', '');
    const place = readPlace(row);
    const { checkIn, checkOut, nights } = readStay(row);
    const state = readState(row);
    const moments = readMoments(row, { checkIn, checkOut }, state?.status);
    const party = readParty(row);
    const price = readPrice(row, nights ?? 0);
    const guest = readGuest(row);
    readers.readRooms(row);
    refuseTooFar(row, checkOut && moved(checkOut), context);
    const dates = {
      check_in_date: checkIn ?? null,
      check_out_date: checkOut ?? null,
      booked_at: moments.bookedAt,
      cancelled_at: moments.cancelledAt,
    };
    const income = state && price && row.problems.length === 0 ? readIncome(row, state.status, price, dates) : null;
    // A part is undefined only when its problem is recorded; testing both lets the types follow.
    const isComplete = key !== undefined && place && state && party && price && guest;
    if (row.problems.length > 0 || !isComplete || !checkIn || !checkOut || !nights) {
      return { kind: 'rejection', line, row: number, problems: row.problems };
    }
    // Written field by field: spreading the parts costs ten times as much as all the reading.
    return {
      kind: 'booking',
      line,
      row: number,
      key,
      place,
      checkIn: moved(checkIn),
      checkOut: moved(checkOut),
      nights,
      status: state.status,
      noShow: state.noShow,
      bookedAt: moments.bookedAt && moved(moments.bookedAt),
      cancelledAt: moments.cancelledAt && moved(moments.cancelledAt),
      guestName: guest.guestName,
      email: guest.email,
      phone: guest.phone,
      country: guest.country,
      adults: party.adults,
      children: party.children,
      infants: party.infants,
      guests: party.guests,
      currency: price.currency,
      total: price.total,
      commission: price.commission,
      channel: guest.channel,
      note: guest.note,
      income: income && { amount: income.amount, at: moved(income.at) },
      incomeAhead: income?.ahead ?? false,
      remarks: row.remarks,
    };
  };
}

function readersOf(mapping: Mapping, scope: Scope) {
  const { booking } = mapping;
  return {
    readKey: keyReader(mapping.identity, scope),
    readPlace: placeReader(booking, scope),
    readStay: stayReader(booking, scope),
    readState: stateReader(booking, scope),
    readMoments: momentsReader(booking, scope),
    readParty: partyReader(booking, scope),
    readPrice: priceReader(booking, scope),
    readIncome: incomeReader(mapping, scope),
    readGuest: guestReader(booking, scope),
    readRooms: roomsReader(booking.rooms, scope),
  };
}

function refuseTooFar(row: ReadingRow, checkOut: PlainDate | undefined, { lastNight }: ReadingContext): void {
  if (lastNight === null || checkOut === undefined || addDays(checkOut, -1) <= lastNight) return;
  refuse(row, 'check_out_date', 'nights more than three years ahead', checkOut);
}

function scopeOf(mapping: Mapping, header: readonly string[], context: ReadingContext): Scope {
  const { nulls, dates, months: language, decimal, thousands } = mapping.format;
  const nullTexts = new Set(nulls.map((text) => text.trim()));
  const months = monthNames(language);
  return {
    columns: columnsOf(header),
    isNull: (text) => text === '' || nullTexts.has(text),
    readNumber: numberReader({ decimal, thousands }),
    readMoment: dateReader(dates, months),
    months,
    context,
  };
}

function placeReader(booking: ReservationFields, scope: Scope): (row: ReadingRow) => Booking['place'] | undefined {
  const name = booking.property ? 'property' : 'property_group';
  const field = booking.property ?? booking.property_group;
  const read: TextReader = field ? textReader(field, scope, `booking.${name}`) : () => null;
  return (row) => {
    const text = read(row);
    if (text === null) return refuse(row, name, 'missing', '');
    return booking.property ? { property: text } : { group: text };
  };
}

/** Returns a reader of the state. Without a status field every row is accepted. */
function stateReader(
  booking: ReservationFields,
  scope: Scope,
): (row: ReadingRow) => Pick<Booking, 'status' | 'noShow'> | undefined {
  const read = booking.status && textReader(booking.status, scope, 'booking.status');
  return (row) => {
    const text = read ? read(row) : 'accepted';
    if (text === null) return refuse(row, 'status', 'missing', '');
    if (!isStatus(text)) return refuse(row, 'status', 'unknown status', text);
    return text === 'no_show' ? { status: 'accepted', noShow: true } : { status: text, noShow: false };
  };
}

/**
 * Returns a reader of booked_at and cancelled_at. It reads `cancelled_at` on cancelled rows only, since the column
 * often holds other data on the others.
 */
function momentsReader(booking: ReservationFields, scope: Scope) {
  const readerOf = (name: 'booked_at' | 'cancelled_at') => {
    const field = booking[name];
    return field ? momentParser(field, scope, name, `booking.${name}`) : () => null;
  };
  const [readBookedAt, readCancelledAt] = [readerOf('booked_at'), readerOf('cancelled_at')];
  return (row: ReadingRow, stay: StayDates, status: Booking['status'] | undefined) => {
    const bases = { check_in_date: stay.checkIn, check_out_date: stay.checkOut };
    return {
      bookedAt: readBookedAt(row, bases) ?? null,
      cancelledAt: status === 'cancelled' ? (readCancelledAt(row, bases) ?? null) : null,
    };
  };
}

type Guest = Pick<Booking, 'guestName' | 'email' | 'phone' | 'country' | 'channel' | 'note'>;

function guestReader(booking: ReservationFields, scope: Scope): (row: ReadingRow) => Guest | undefined {
  const readerOf = (name: 'email' | 'phone' | 'country' | 'channel' | 'note'): TextReader => {
    const field = booking[name];
    return field ? textReader(field, scope, `booking.${name}`) : () => null;
  };
  const readName = textReader(booking.guest_name, scope, 'booking.guest_name');
  const [readEmail, readPhone, readCountry] = [readerOf('email'), readerOf('phone'), readerOf('country')];
  const [readChannel, readNote] = [readerOf('channel'), readerOf('note')];
  return (row) => {
    const guestName = readName(row);
    if (guestName === null) return refuse(row, 'guest_name', 'missing', '');
    const country = readCountry(row);
    return {
      guestName,
      email: readEmail(row),
      phone: readPhone(row),
      country: country === null ? null : countryCode(country),
      channel: readChannel(row),
      note: readNote(row),
    };
  };
}

/** Returns a function that moves moments by whole days. A time of day stays. */
function mover(days: number): (moment: Moment) => Moment {
  if (days === 0) return (moment) => moment;
  return (moment) => addDays(moment.slice(0, 10), days) + moment.slice(10);
}

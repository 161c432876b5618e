import { countReader } from './count.ts';
import { refuse, type Reader, type ReadingRow, type Scope } from './scope.ts';
import type { BookingFields } from '../mapping.ts';

/** What `number_of_guests` of v3 can hold. */
const MOST_GUESTS = 99;

export interface Party {
  adults: number;
  children: number;
  infants: number;
  guests: number;
}

/**
 * Who comes. `guests` is its own field, else adults + children + infants, else (nothing mapped) one. An empty
 * cell counts as nobody; a booking of nobody is refused.
 */
export function partyReader(booking: BookingFields, scope: Scope): (row: ReadingRow) => Party | undefined {
  const readerOf = (name: 'adults' | 'children' | 'infants' | 'guests'): Reader<number> | undefined => {
    const field = booking[name];
    return field && countReader(field, scope, name, `booking.${name}`);
  };
  const readGuests = readerOf('guests');
  const [readAdults, readChildren, readInfants] = [readerOf('adults'), readerOf('children'), readerOf('infants')];
  const isMapped = [readGuests, readAdults, readChildren, readInfants].some((reader) => reader !== undefined);
  if (!isMapped) return () => ({ adults: 1, children: 0, infants: 0, guests: 1 });
  return (row) => {
    const before = row.problems.length;
    const children = readChildren?.(row) ?? 0;
    const infants = readInfants?.(row) ?? 0;
    const listedAdults = readAdults?.(row) ?? 0;
    const guests = readGuests ? (readGuests(row) ?? 0) : listedAdults + children + infants;
    if (row.problems.length > before) return undefined;
    if (guests === 0) return refuse(row, 'guests', 'no guests', '0');
    if (guests > MOST_GUESTS) return refuse(row, 'guests', 'too many guests', String(guests));
    const adults = readAdults ? listedAdults : Math.max(0, guests - children - infants);
    return { adults, children, infants, guests };
  };
}

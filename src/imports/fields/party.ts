import { countReader } from './count.ts';
import { refuse, type Reader, type ReadingRow, type Scope } from './scope.ts';
import type { ReservationFields } from '../mapping.ts';

/** Highest value of `number_of_guests` in v3. */
const MOST_GUESTS = 99;

interface Party {
  adults: number;
  children: number;
  infants: number;
  guests: number;
}

/**
 * Returns a reader of the number of guests: the field `guests`, or else adults + children + infants, or else (nothing
 * mapped) one. An empty cell counts as 0. A row without guests is refused.
 */
export function partyReader(booking: ReservationFields, scope: Scope): (row: ReadingRow) => Party | undefined {
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

import { type Instant, instantOf, readInstant } from '../kernel/dates.ts';
import type { AccountRow } from '../core/database.ts';
import type { ReservationDraft } from '../core/reservations/book.ts';
import type { Booking, Moment } from './outcome.ts';

interface DraftContext {
  account: AccountRow;
  propertyId: number;
  channelId: number | null;
  now: number;
  instantOf: ReturnType<typeof momentParser>;
}

/** Characters of a date without a time. */
const DATE_LENGTH = 10;

/** Returns a reader of moments in a zone. A file has few dates compared to its rows, so each is converted once. */
export function momentParser(timeZone: string): (text: Moment) => Instant | undefined {
  const midnights = new Map<Moment, Instant | undefined>();
  return (text) => {
    if (text.length !== DATE_LENGTH) return readInstant(text, timeZone);
    if (!midnights.has(text)) midnights.set(text, readInstant(text, timeZone));
    return midnights.get(text);
  };
}

/** Returns the direct reservation for a row of the file. Dates without a time mean midnight in the account's zone. */
export function draftOf(
  booking: Booking,
  { account, propertyId, channelId, now, ...context }: DraftContext,
): ReservationDraft {
  const moment = (text: Moment | null): Instant =>
    (text === null ? undefined : context.instantOf(text)) ?? instantOf(now);
  const { income } = booking;
  return {
    rooms: [
      {
        property_id: propertyId,
        check_in_date: booking.checkIn,
        check_out_date: booking.checkOut,
        rate: booking.total,
        commission: booking.commission,
        number_of_guests: booking.guests,
        number_of_adults: booking.adults,
        number_of_children: booking.children,
        number_of_infants: booking.infants,
      },
    ],
    guest: { name: booking.guestName, email: booking.email, phone: booking.phone, country: booking.country },
    currency: booking.currency ?? account.currency,
    custom_channel_id: channelId,
    note: booking.note,
    creator: 'import',
    booked_at: moment(booking.bookedAt),
    cancelled_at: booking.status === 'cancelled' ? moment(booking.cancelledAt ?? booking.bookedAt) : null,
    income: income && { amount: income.amount, action_at: moment(income.at) },
  };
}

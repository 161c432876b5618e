import type { ThinEvent } from './truth.ts';
import type { WireStay } from './rows.ts';

let made = 0;

/** A ULID-like id that no other event of the test has. */
export function eventId(): string {
  made += 1;
  return `01KZ0A8F2M7V1S3C9D${String(made).padStart(8, '0')}`;
}

export function reservationEvent(stay: WireStay, over: Partial<ThinEvent> = {}): ThinEvent {
  const { reservation_code, stay_code, property_id } = stay;
  return { event: 'reservation_updated', event_id: eventId(), reservation_code, stay_code, property_id, ...over };
}

export function messageEvent(conversation_id: string, message_id: string): ThinEvent {
  return { event: 'message_created', event_id: eventId(), conversation_id, message_id };
}

export function reviewEvent(reservation_code: string, event = 'review_created'): ThinEvent {
  return { event, event_id: eventId(), reservation_code, stay_code: reservation_code, property_id: 7 };
}

export function transactionEvent(id: number, event = 'transaction_created'): ThinEvent {
  return { event, event_id: eventId(), transaction_id: id };
}

export function availabilityEvent(property: number, dates: readonly string[], available = false): ThinEvent {
  const availabilities = dates.map((date) => ({ date, available }));
  return { event: 'property_availability_updated', event_id: eventId(), property_id: property, availabilities };
}

export function calendarEvent(
  listing: { channel_type: string; listing_id: string },
  start_date: string,
  end_date: string,
): ThinEvent {
  return { event: 'listing_calendar_updated', event_id: eventId(), ...listing, start_date, end_date };
}

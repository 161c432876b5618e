import { z } from 'zod';
import { channelType, date } from './fields.ts';

const reservationFields = { reservation_code: z.string(), stay_code: z.string(), property_id: z.int() };

/** Values of `sub_event` in reservation_updated. Other kinds of change have none. */
export const subEvents = [
  'arrival_and_departure_time_updated',
  'rates_updated',
  'lock_code_updated',
  'lock_code_deleted',
  'check_in_details_updated',
  'remarks_updated',
] as const;
/** One of {@link subEvents}. */
export type SubEvent = (typeof subEvents)[number];

/** Declaration of one kind of event. */
export interface EventDeclaration {
  /** Fields in addition to `event`, `event_id` and `timestamp`. */
  readonly fields: z.ZodObject;
  /**
   * The mirrored resource that a receiver reads again, and the event field that names the row; several fields name it
   * together, joined by a slash. null: nothing mirrored changes, or no operation exists for it yet.
   */
  readonly rereads: { readonly resource: string; readonly by: string | readonly string[] } | null;
  /** true: the `events` of a webhook can name it. authorization_revoked is sent regardless of them. */
  readonly selectable: boolean;
}

const declared = <const D extends EventDeclaration>(declaration: D): D => declaration;

/** The eleven kinds of thin events. A payload is a hint where to read, never the new state. */
export const events = {
  reservation_created: declared({
    fields: z.object(reservationFields),
    rereads: { resource: 'reservation', by: 'reservation_code' },
    selectable: true,
  }),
  reservation_updated: declared({
    fields: z.object({ sub_event: z.enum(subEvents).optional(), ...reservationFields }),
    rereads: { resource: 'reservation', by: 'reservation_code' },
    selectable: true,
  }),
  property_availability_updated: declared({
    fields: z.object({
      property_id: z.int(),
      availabilities: z.array(z.object({ date, available: z.boolean() }).meta({ schemaName: 'AvailabilityChange' })),
    }),
    rereads: { resource: 'availability', by: 'property_id' },
    selectable: true,
  }),
  listing_calendar_updated: declared({
    fields: z.object({ channel_type: channelType, listing_id: z.string(), start_date: date, end_date: date }),
    rereads: { resource: 'calendar', by: ['channel_type', 'listing_id'] },
    selectable: true,
  }),
  message_created: declared({
    fields: z.object({ conversation_id: z.string(), message_id: z.string() }),
    rereads: { resource: 'message', by: 'conversation_id' },
    selectable: true,
  }),
  review_created: declared({
    fields: z.object(reservationFields),
    rereads: { resource: 'review', by: 'reservation_code' },
    selectable: true,
  }),
  review_updated: declared({
    fields: z.object(reservationFields),
    rereads: { resource: 'review', by: 'reservation_code' },
    selectable: true,
  }),
  transaction_created: declared({
    fields: z.object({ transaction_id: z.int() }),
    rereads: { resource: 'transaction', by: 'transaction_id' },
    selectable: true,
  }),
  transaction_updated: declared({
    fields: z.object({ transaction_id: z.int() }),
    rereads: { resource: 'transaction', by: 'transaction_id' },
    selectable: true,
  }),
  transaction_deleted: declared({
    fields: z.object({ transaction_id: z.int() }),
    rereads: { resource: 'transaction', by: 'transaction_id' },
    selectable: true,
  }),
  authorization_revoked: declared({
    fields: z.object({ account_id: z.string(), client_id: z.string() }),
    rereads: null,
    selectable: false,
  }),
} as const;

/** Name of a kind of event. */
export type EventKind = keyof typeof events;
/** Names of all kinds of events. */
export const eventKinds = Object.keys(events) as EventKind[];
/** Kinds that a webhook can select. */
export const selectableEvents = eventKinds.filter((kind) => events[kind].selectable);

/** One event as the causing change states it. The queue adds the rest of the envelope. */
export type EventPayload = {
  [K in EventKind]: { event: K } & z.output<(typeof events)[K]['fields']>;
}[EventKind];

/** Fields of every delivery, whatever its kind. Unknown fields are retained. */
export const envelope = z.looseObject({
  event: z.string().min(1).max(100),
  event_id: z.string().regex(/^[0-9A-Za-z]{1,64}$/, { error: 'must be ULID-like text of at most 64 characters' }),
  timestamp: z.string().optional(),
});

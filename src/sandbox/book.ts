import { type Instant, instantOf, instantWithin, msOf } from '../kernel/dates.ts';
import { invalid } from '../kernel/errors.ts';
import {
  type ChannelIdentity,
  type ChannelRoom,
  receiveBooking,
  type ReceivedBooking,
  requireChannelBooking,
} from '../core/channels/bookings/bookings.ts';
import { sumOf } from '../core/channels/rates.ts';
import { type AskedStay, quoteStay } from '../core/channels/sandbox/quote.ts';
import type { Change } from '../core/context.ts';
import { receiveGuestMessage, receiveConversation } from '../core/conversations/receive.ts';
import { requireNights } from '../core/reservations/require.ts';
import { isKnown } from './booking.ts';
import { bookableListing } from './listing.ts';
import { bookingName } from './names.ts';

/** One room that a guest books. */
export interface WantedRoom extends AskedStay {
  listing_id: string;
  number_of_adults?: number | undefined;
  number_of_children?: number | undefined;
  number_of_infants?: number | undefined;
}

export interface SandboxGuest {
  name: string;
  email?: string | null;
  phone?: string | null;
  country?: string | null;
}

export interface SandboxBooking {
  kind: 'request' | 'instant' | 'unpaid';
  channel_type: string;
  /** What the channel calls it; made up when there is none. The same name is the same booking. */
  channel_id?: string | undefined;
  rooms: readonly [WantedRoom, ...WantedRoom[]];
  guest: SandboxGuest;
  remarks?: string | undefined;
  /** The first message of the conversation. */
  message?: string | undefined;
  /** The channel's name of the conversation; by default the booking's. */
  conversation?: string | undefined;
  channel_details?: object | undefined;
  /** Default: now. */
  booked_at?: Instant | undefined;
  /** How long a request waits for its answer, and an unpaid booking for its payment, counted from the booking. */
  answer_minutes?: number | undefined;
  pay_minutes?: number | undefined;
}

export type SandboxBooked = ReceivedBooking & ChannelIdentity & { conversation_id: string | null };

/**
 * A guest books on a marketplace and so opens a conversation, or goes on in one.
 * @throws ApiError 400, 404 or 409 when the listing cannot be booked so
 */
export async function book(change: Change, wanted: SandboxBooking): Promise<SandboxBooked> {
  const { channel_type, guest, booked_at = instantOf(change.now) } = wanted;
  const channel_id = wanted.channel_id ?? bookingName(change.core.random);
  const known = await knownBooking(change, { channel_type, channel_id });
  if (known) return known;
  const rooms: ChannelRoom[] = [];
  const currencies = new Set<string>();
  for (const room of wanted.rooms) {
    const priced = await priceRoom(change, channel_type, room);
    rooms.push(priced.room);
    currencies.add(priced.currency);
  }
  const [first, ...others] = rooms;
  const [currency, ...further] = currencies;
  if (!first || currency === undefined) throw new Error('a booking has a room');
  if (further.length > 0) throw invalid('listing_id', 'of one booking must be sold in one currency');
  const channel_thread_id = wanted.conversation ?? channel_id;
  const conversation_id = await receiveConversation(change, { channel_type, channel_thread_id, guest });
  const received = await receiveBooking(change, {
    channel_type,
    channel_id,
    kind: wanted.kind,
    rooms: [first, ...others],
    guest,
    currency,
    tax: sumOf(rooms.flatMap(({ lines }) => lines.filter(({ type }) => type === 'TAX').map(({ amount }) => amount))),
    booked_at,
    remarks: wanted.remarks ?? null,
    conversation_id,
    channel_details: wanted.channel_details ?? null,
    ...(wanted.answer_minutes !== undefined && { answer_until: minutesAfter(booked_at, wanted.answer_minutes) }),
    ...(wanted.pay_minutes !== undefined && { pay_until: minutesAfter(booked_at, wanted.pay_minutes) }),
  });
  if (wanted.message !== undefined) {
    const channel_message_id = `${channel_id} first`;
    await receiveGuestMessage(change, { conversation_id, channel_message_id, content: wanted.message });
  }
  return { channel_type, channel_id, conversation_id, ...received };
}

function minutesAfter(moment: Instant, minutes: number): Instant {
  return instantWithin(msOf(moment) + minutes * 60_000);
}

async function knownBooking(change: Change, identity: ChannelIdentity): Promise<SandboxBooked | undefined> {
  if (!(await isKnown(change, identity))) return undefined;
  const { reservation, stays } = await requireChannelBooking(change, identity);
  const { reservation_code, conversation_id } = reservation;
  return { ...identity, conversation_id, reservation_code, status: stays[0].status, created: false, boxed: [] };
}

async function priceRoom(change: Change, channel_type: string, wanted: WantedRoom) {
  requireNights(change, wanted);
  const { listing_id, check_in_date, check_out_date, number_of_guests } = wanted;
  const listing = await bookableListing(change, { channel_type, listing_id });
  const room: ChannelRoom = {
    listing_id,
    property_id: listing.property_id,
    check_in_date,
    check_out_date,
    lines: await quoteStay(change, listing, wanted),
    number_of_guests,
    number_of_adults: wanted.number_of_adults ?? null,
    number_of_children: wanted.number_of_children ?? null,
    number_of_infants: wanted.number_of_infants ?? null,
    number_of_pets: wanted.number_of_pets ?? null,
  };
  return { room, currency: listing.currency };
}

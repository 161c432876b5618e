import type { z } from 'zod';
import type { message, conversation } from '../../src/contract/conversations.ts';
import type { specialOffer } from '../../src/contract/specialOffers.ts';

export type WireMessage = z.output<typeof message>;
export type WireConversation = z.output<typeof conversation> & { offers: z.output<typeof specialOffer>[] };

export function makeMessage(id: string, over: Partial<WireMessage> = {}): WireMessage {
  return {
    message_id: id,
    sender_role: 'guest',
    sender_name: `SENTINEL name ${id}`,
    display_type: 'Text',
    content: `SENTINEL content ${id}`,
    attachments: [{ type: 'image', url: `https://SENTINEL.example/${id}`, name: 'a.jpg' }],
    timestamp: '2026-11-20T12:00:00+01:00',
    sources: [],
    ...over,
  };
}

/** What a conversation says of a booking. */
export const activity = (reservation_code: string, property: number) => ({
  activity_type: 'reservation',
  reservation_code,
  check_in_date: '2026-12-01',
  check_out_date: '2026-12-05',
  listing_id: 'L',
  property: { id: property, name: 'House', cover_url: null, room_type: null },
});

/** A conversation about two stays; messages newest first. */
export function makeConversation(id: string, messages: readonly WireMessage[] = []): WireConversation {
  return {
    conversation_id: id,
    channel_type: 'marketplace_a',
    guest: { name: 'SENTINEL guest', email: 'SENTINEL@guest.example', phone: 'SENTINEL 1' },
    activities: [activity('R-2', 7), activity('R-1', 7)],
    messages: [...messages],
    note: null,
    note_updated_at: null,
    offers: [],
  };
}

export function makeOffer(
  id: string,
  over: Partial<WireConversation['offers'][number]> = {},
): WireConversation['offers'][number] {
  return {
    id,
    offer_type: 'special_offer',
    status: 'active',
    listing_id: 'L',
    check_in_date: '2026-12-01',
    check_out_date: '2026-12-03',
    nights: 2,
    number_of_guests: 2,
    price: 100.5,
    currency: 'EUR',
    expire_time: '2026-11-21T12:00:00+01:00',
    create_time: '2026-11-20T12:00:00+01:00',
    ...over,
  };
}

export const said = (content: string, score: number | null = 5) => ({
  score,
  sub_score: [],
  content,
  created_at: '2026-11-20T12:00:00+01:00',
});

export function makeReview(reservation_code: string, over: object = {}) {
  return {
    reservation_code,
    stay_code: reservation_code,
    property_id: 7,
    channel_type: 'marketplace_a',
    listing_id: 'L',
    check_in_date: '2026-11-10',
    check_out_date: '2026-11-14',
    host_review: null,
    guest_review: null,
    host_reply: null,
    ...over,
  };
}

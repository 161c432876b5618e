import { dateIn, type Instant, instantOf, msOf, type PlainDate } from '../kernel/dates.ts';
import { ApiError, invalid } from '../kernel/errors.ts';
import type { Change } from '../core/context.ts';
import {
  type IncomingMessage,
  receiveGuestMessage,
  receiveHostMessage,
  receiveConversation,
} from '../core/conversations/receive.ts';
import { requireNights } from '../core/reservations/require.ts';
import { type IncomingReview, receiveReview } from '../core/reviews/receive.ts';
import { fits, scoresOf } from '../core/reviews/rules.ts';
import { receiveOfferAnswer } from '../core/specialOffers/receive.ts';
import { book, type SandboxGuest } from './book.ts';
import { bookingNamed, type NamedBooking } from './booking.ts';
import { bookableListing } from './listing.ts';
import { bookingName } from './names.ts';

export interface SandboxInquiry {
  channel_type: string;
  listing_id: string;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  number_of_guests: number;
  guest: SandboxGuest;
  /** The channel's name of the conversation; made up when there is none. */
  conversation?: string | undefined;
  message?: string | undefined;
  sent_at?: Instant | undefined;
}

/** A guest asks for dates, in a conversation of theirs. */
export async function inquire(change: Change, asked: SandboxInquiry) {
  requireNights(change, asked);
  const { channel_type, listing_id, check_in_date, check_out_date, number_of_guests, guest, message, sent_at } = asked;
  const conversation = asked.conversation ?? bookingName(change.core.random);
  const { property_id } = await bookableListing(change, { channel_type, listing_id });
  const inquiry = { listing_id, property_id, check_in_date, check_out_date, number_of_guests };
  const conversation_id = await receiveConversation(change, {
    channel_type,
    channel_thread_id: conversation,
    guest,
    inquiry,
  });
  if (message !== undefined) {
    const channel_message_id = change.core.ids();
    const told = { conversation_id, channel_message_id, content: message };
    await receiveGuestMessage(change, { ...told, ...(sent_at !== undefined && { sent_at }) });
  }
  return { channel_type, conversation, conversation_id };
}

/** How an action names a conversation: by our own id, or as its channel does. */
export interface NamedConversation {
  conversation_id?: string | undefined;
  channel_type?: string | undefined;
  conversation?: string | undefined;
}

export interface Written {
  from: 'guest' | 'host';
  content?: string | undefined;
  attachments?: IncomingMessage['attachments'];
  /** The channel's own; the same one is the same message. */
  channel_message_id?: string | undefined;
  sent_at?: Instant | undefined;
}

/** The guest writes, or the host in the marketplace's own app. @throws ApiError 404 for an unknown conversation */
export async function writeInConversation(change: Change, named: NamedConversation, written: Written) {
  const conversation_id = await conversationNamed(change, named);
  const { from, content = '', attachments = [], sent_at } = written;
  if (content === '' && attachments.length === 0) throw invalid('content', 'or attachments is required');
  const receive = from === 'guest' ? receiveGuestMessage : receiveHostMessage;
  const message_id = await receive(change, {
    conversation_id,
    channel_message_id: written.channel_message_id ?? change.core.ids(),
    content,
    attachments,
    ...(sent_at !== undefined && { sent_at }),
  });
  return { conversation_id, message_id };
}

async function conversationNamed(
  change: Change,
  { conversation_id, channel_type, conversation }: NamedConversation,
): Promise<string> {
  const isNamed = conversation_id !== undefined || (channel_type !== undefined && conversation !== undefined);
  if (!isNamed) throw invalid('conversation_id', 'is required, or channel_type and conversation');
  const own = change.trx.selectFrom('conversations').where('account_id', '=', change.account.account_id);
  const found = await (
    conversation_id === undefined
      ? own.where('channel_type', '=', channel_type ?? '').where('channel_thread_id', '=', conversation ?? '')
      : own.where('conversation_id', '=', conversation_id)
  )
    .select('conversation_id')
    .executeTakeFirst();
  if (!found) throw new ApiError(404, 'There is no such conversation.', { field: 'conversation_id' });
  return found.conversation_id;
}

export interface OfferAnswer {
  special_offer_id: string;
  answer: 'accept' | 'decline';
  /** Books also nights that the marketplace has closed, or against the rules of its calendar. */
  overbook?: boolean | undefined;
}

/**
 * The guest answers an offer. Who accepts one books it: at its price, or at that of the calendar when it names none.
 * @throws ApiError 400 for one that is active no more, 404 for an unknown one, 409 for nights that are closed
 */
export async function answerOffer(change: Change, { special_offer_id, answer, overbook }: OfferAnswer) {
  const offer = await change.trx
    .selectFrom('special_offers')
    .where('special_offer_id', '=', special_offer_id)
    .where('account_id', '=', change.account.account_id)
    .selectAll()
    .executeTakeFirst();
  if (!offer) throw new ApiError(404, 'There is no such offer.', { field: 'special_offer_id' });
  const status = await receiveOfferAnswer(change, special_offer_id, answer);
  if (answer === 'decline') return { special_offer_id, status };
  const conversation = await change.trx
    .selectFrom('conversations')
    .where('conversation_id', '=', offer.conversation_id)
    .select(['channel_type', 'channel_thread_id', 'guest_name', 'guest_email', 'guest_phone'])
    .executeTakeFirstOrThrow();
  const { channel_type, channel_thread_id, guest_name, guest_email: email, guest_phone: phone } = conversation;
  const { listing_id, check_in_date, check_out_date, number_of_adults, number_of_children } = offer;
  const { number_of_infants, number_of_pets } = offer;
  const room = {
    listing_id,
    check_in_date,
    check_out_date,
    number_of_guests: Math.max(1, number_of_adults + number_of_children),
    number_of_adults,
    number_of_children,
    number_of_infants,
    number_of_pets,
    price: offer.price ?? undefined,
    overbook,
  };
  const booked = await book(change, {
    kind: 'instant',
    channel_type,
    channel_id: `offer ${special_offer_id}`,
    rooms: [room],
    guest: { name: guest_name ?? 'Guest', email, phone },
    conversation: channel_thread_id,
  });
  return { special_offer_id, status, booking: booked };
}

export interface SandboxReview {
  score?: number | undefined;
  sub_score?: readonly { category: string; rating: number; review_category_tags: readonly string[] }[];
  content?: string | undefined;
  private_feedback?: string | undefined;
  created_at?: Instant | undefined;
  /** What the host answered in the marketplace's own app. */
  reply?: string | undefined;
}

/**
 * The marketplace shows a review. With neither score nor content it only says that there is one, which it will show
 * once both sides have written.
 * @throws ApiError 400 before the day of departure, 422 for a score that cannot be given there
 */
export async function review(change: Change, named: NamedBooking, told: SandboxReview) {
  const { identity, reservation, stays } = await bookingNamed(change, named);
  if (stays.some((stay) => stay.check_out_date > dateIn(change.account.time_zone, change.now))) {
    throw new ApiError(400, 'The stay is not over; nobody reviews it yet.');
  }
  const { score, content, sub_score = [], private_feedback, created_at, reply } = told;
  const bounds = scoresOf(identity.channel_type);
  for (const one of [score, ...sub_score.map(({ rating }) => rating)]) {
    if (one === undefined || fits(identity.channel_type, one)) continue;
    throw invalid('score', `must be ${bounds.min} to ${bounds.max} on ${identity.channel_type}`);
  }
  const isShown = score !== undefined || content !== undefined;
  const shown: IncomingReview | null = isShown
    ? {
        score: score ?? null,
        sub_score,
        content: content ?? '',
        private_feedback: private_feedback ?? null,
        ...(created_at !== undefined && { created_at: instantOf(msOf(created_at)) }),
      }
    : null;
  const { reservation_code } = reservation;
  await receiveReview(change, reservation_code, {
    review: shown,
    ...(reply !== undefined && { reply: { content: reply } }),
  });
  return { reservation_code, shown: isShown };
}

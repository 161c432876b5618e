import { bookDirect } from '../../src/core/reservations/book.ts';
import {
  type IncomingMessage,
  type IncomingConversation,
  linkReservation,
  receiveGuestMessage,
  receiveConversation,
} from '../../src/core/conversations/receive.ts';
import { instantOf } from '../../src/kernel/dates.ts';
import type { ReservationCode } from '../../src/kernel/ids.ts';
import type { TestAccount, TestCore } from './core.ts';

/** A picture of one pixel, with all that a JPEG needs. */
export const PIXEL = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
  'base64',
);

export interface ConversationOptions extends Partial<Omit<IncomingConversation, 'guest'>> {
  account?: TestAccount;
  guest?: IncomingConversation['guest'];
}

let conversations = 0;

/** A conversation as a channel opens it. */
export function openConversation(
  core: TestCore,
  { account = core.own, ...more }: ConversationOptions = {},
): Promise<string> {
  conversations += 1;
  return core.change(account.account, (change) =>
    receiveConversation(change, {
      channel_type: 'marketplace_a',
      channel_thread_id: `conversation-${conversations}`,
      guest: { name: 'Ada Guest', email: 'ada@guest.example', phone: '+44 20 7946 0000' },
      ...more,
    }),
  );
}

let messages = 0;

/** A message of the guest, as a channel delivers it. */
export function guestWrites(
  core: TestCore,
  conversation_id: string,
  more: Partial<IncomingMessage> = {},
  account: TestAccount = core.own,
): Promise<string> {
  messages += 1;
  const incoming = { conversation_id, channel_message_id: `m-${messages}`, content: 'Is there a lift?', ...more };
  return core.change(account.account, (change) => receiveGuestMessage(change, incoming));
}

export interface ChannelStay {
  property_id: number;
  channel_type?: string;
  check_in_date?: string;
  check_out_date?: string;
  rooms?: number;
  conversation_id?: string;
  account?: TestAccount;
}

/** A booking that came from a channel. */
export async function bookOnChannel(core: TestCore, stay: ChannelStay): Promise<ReservationCode> {
  const { property_id, channel_type = 'marketplace_a', account = core.own, conversation_id } = stay;
  return core.change(account.account, async (change) => {
    const room = {
      property_id,
      check_in_date: stay.check_in_date ?? '2026-11-10',
      check_out_date: stay.check_out_date ?? '2026-11-14',
      rate: 400_00,
      commission: 0,
      number_of_guests: 2,
    };
    const { reservation_code: code } = await bookDirect(change, {
      rooms: [room],
      guest: { name: 'Ada Guest' },
      currency: 'EUR',
      booked_at: instantOf(change.now),
    });
    await change.trx
      .updateTable('stays')
      .set({ channel_type, listing_id: `listing-${property_id}` })
      .where('reservation_code', '=', code)
      .execute();
    if (conversation_id !== undefined) await linkReservation(change, conversation_id, code);
    return code;
  });
}

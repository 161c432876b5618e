import { ApiError } from '../../kernel/errors.ts';
import type { Change } from '../context.ts';
import type { StayRow } from '../database.ts';
import { findBooker, findChannelReservation, lockReservation } from '../reservations/lookup.ts';
import { linkReservation, receiveConversation } from './receive.ts';
import type { ConversationRow } from './rows.ts';
import { lockConversation } from './table.ts';

/** Channels that carry no messages to the guest by themselves. */
const WITHOUT_CONVERSATIONS: ReadonlySet<string> = new Set(['direct', 'ical']);

/**
 * Returns the conversation of a stay's reservation, locked until the change ends. A reservation without one gets one on
 * its channel, named after the reservation there.
 * @throws ApiError 400 for a reservation whose guest cannot receive messages
 */
export async function conversationOfReservation(change: Change, stay: StayRow): Promise<ConversationRow> {
  const { trx, account } = change;
  const reservation = await lockReservation(trx, account.account_id, stay.reservation_code);
  const known = reservation?.conversation_id ?? (await openOnChannel(change, stay));
  const conversation = await lockConversation(trx, known);
  if (conversation?.account_id !== account.account_id) throw new Error(`there is no conversation ${known}`);
  return conversation;
}

async function openOnChannel(change: Change, stay: StayRow): Promise<string> {
  const { account_id, reservation_code, channel_type } = stay;
  const guest = await findBooker(change.trx, stay);
  const opened = guest && (await change.core.channels.get(channel_type)?.conversations?.open(change, stay, guest));
  const booking = await findChannelReservation(change.trx, account_id, reservation_code);
  const isReached = booking !== undefined && !WITHOUT_CONVERSATIONS.has(channel_type);
  const thread = opened ?? (isReached ? `reservation ${booking.channel_id}` : undefined);
  if (thread === undefined) {
    throw new ApiError(400, `The guest of a booking of ${channel_type} that has no conversation cannot be written to.`);
  }
  const conversation = await receiveConversation(change, {
    channel_type,
    channel_thread_id: thread,
    guest: { name: guest?.name ?? null, email: guest?.email ?? null, phone: guest?.phone ?? null },
  });
  await linkReservation(change, conversation, reservation_code);
  return conversation;
}

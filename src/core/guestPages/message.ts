import { ApiError } from '../../kernel/errors.ts';
import { runChange } from '../change.ts';
import type { Core } from '../context.ts';
import { receiveGuestMessage } from '../conversations/receive.ts';
import type { OpenPage } from './open.ts';
import { reservationOf } from './table.ts';

/** Characters of one message. */
export const LONGEST_MESSAGE = 2_000;
/** The form of the number of a sent form. */
const ONCE = /^[A-Za-z0-9_-]{22}$/;

/**
 * Puts a message of the guest into the conversation of the reservation.
 * @param once the number of the form: sent twice, it is one message
 * @throws ApiError 409 if the reservation has no conversation, 422 with the wrong field
 */
export async function writeAsGuest(
  core: Core,
  { account, code }: OpenPage,
  { text, once }: { text: string; once: string },
): Promise<void> {
  const content = text.replaceAll(/\r\n?/g, '\n').trim();
  if (content === '') throw new ApiError(422, 'text: is empty', { field: 'text' });
  if (content.length > LONGEST_MESSAGE) {
    throw new ApiError(422, `text: must have at most ${LONGEST_MESSAGE} characters`, { field: 'text' });
  }
  if (!ONCE.test(once)) throw new ApiError(422, 'once: is no number of a form of ours', { field: 'once' });
  await runChange(core, { account, operator: null }, async (change) => {
    const reservation = await reservationOf(change.trx, account.account_id, code);
    if (!reservation?.conversation_id) throw new ApiError(409, 'The reservation has no conversation.');
    await receiveGuestMessage(change, {
      conversation_id: reservation.conversation_id,
      channel_message_id: `guest page ${once}`,
      content,
    });
  });
}

import type { ReservationCode } from '../../kernel/ids.ts';
import type { Change } from '../context.ts';

/** Records the conversation that a reservation belongs to. */
export async function linkConversation(
  { trx, account }: Change,
  code: ReservationCode,
  conversationId: string,
): Promise<void> {
  await trx
    .updateTable('reservations')
    .set({ conversation_id: conversationId })
    .where('account_id', '=', account.account_id)
    .where('reservation_code', '=', code)
    .execute();
}

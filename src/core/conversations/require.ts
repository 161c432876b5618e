import { ApiError } from '../../kernel/errors.ts';
import type { Change, Context, Principal } from '../context.ts';
import type { CoreDb, CoreTransaction } from '../database.ts';
import { refuseForeign } from '../ownership.ts';
import { activitiesOf, type Activity } from './activities.ts';
import type { ConversationRow } from './rows.ts';
import { findConversation, lockConversation } from './table.ts';

/** A conversation and those of its subjects that the caller may see. */
export interface VisibleConversation {
  conversation: ConversationRow;
  activities: readonly Activity[];
}

/**
 * Returns the conversation with the id of a path. @throws ApiError 403 or 404 when the caller has no such conversation
 */
export async function requireConversation(context: Context, conversationId: string): Promise<VisibleConversation> {
  return visibleTo(context.db, context, await findConversation(context.db, conversationId));
}

/** Returns the conversation as {@link requireConversation} does, locked until the change ends. */
export async function lockForChange(
  { trx }: Change,
  principal: Principal,
  conversationId: string,
): Promise<VisibleConversation> {
  return visibleTo(trx, principal, await lockConversation(trx, conversationId));
}

async function visibleTo(
  db: CoreDb | CoreTransaction,
  { account, visible }: Principal,
  conversation: ConversationRow | undefined,
): Promise<VisibleConversation> {
  refuseForeign(conversation, account, 'conversation_id');
  if (!conversation) throw notFound();
  const { account_id, conversation_id } = conversation;
  const activities = (await activitiesOf(db, account_id, [conversation_id], visible)).get(conversation_id) ?? [];
  if (visible !== null && activities.length === 0) throw notFound();
  return { conversation, activities };
}

function notFound(): ApiError {
  return new ApiError(404, 'conversation_id not found.', { field: 'conversation_id' });
}

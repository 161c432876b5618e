import { inList } from '../../store/queries/inList.ts';
import type { ConversationsInUse } from '../../sync/privacy/retention/prune.ts';
import { pendingStates } from './states.ts';

/** Returns the conversations in which a plan is under way. */
export const conversationsInUse: ConversationsInUse = async (trx, connection, conversations) => {
  const plans = await trx
    .selectFrom('automation_plans')
    .select('conversation_id')
    .where('connection', '=', connection)
    .where('state', 'in', pendingStates)
    .where((eb) => inList(eb.ref('conversation_id'), conversations))
    .execute();
  return plans.flatMap(({ conversation_id }) => conversation_id ?? []);
};

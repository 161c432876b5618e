import { inList } from '../../store/queries/inList.ts';
import type { ConversationsInUse } from '../../sync/privacy/retention/prune.ts';
import type { PlanState } from '../tables.ts';

/** Plans that may still say something, or of which a person must decide. */
const UNDER_WAY: readonly PlanState[] = ['planned', 'awaiting_approval', 'sending', 'verifying', 'unknown'];

/** Returns the conversations in which a plan is under way. */
export const conversationsInUse: ConversationsInUse = async (trx, connection, conversations) => {
  const plans = await trx
    .selectFrom('automation_plans')
    .select('conversation_id')
    .where('connection', '=', connection)
    .where('state', 'in', UNDER_WAY)
    .where((eb) => inList(eb.ref('conversation_id'), conversations))
    .execute();
  return plans.flatMap(({ conversation_id }) => conversation_id ?? []);
};

import type { Automating } from '../context.ts';
import type { Plan } from '../plans/table.ts';

/** The subject of an action that may happen only once, regardless of the number of rules. */
type About = Partial<Pick<Plan, 'reservation_code' | 'conversation_id'>>;

/** Returns the plans of other rules or rooms that have done the same, or may have. */
export async function doneElsewhere(
  { store, connection }: Pick<Automating, 'store' | 'connection'>,
  { plan_id, action }: Pick<Plan, 'plan_id' | 'action'>,
  { reservation_code, conversation_id }: About,
  actions: readonly string[] = [action],
): Promise<Pick<Plan, 'result'>[]> {
  let query = store.db
    .selectFrom('automation_plans')
    .select('result')
    .where('connection', '=', connection)
    .where('plan_id', '!=', plan_id)
    .where('action', 'in', [...actions])
    .where('state', 'in', ['sending', 'verifying', 'sent', 'unknown']);
  if (reservation_code) query = query.where('reservation_code', '=', reservation_code);
  if (conversation_id) query = query.where('conversation_id', '=', conversation_id);
  return query.execute();
}

export async function isDoneElsewhere(
  context: Pick<Automating, 'store' | 'connection'>,
  plan: Pick<Plan, 'plan_id' | 'action'>,
  about: About,
): Promise<boolean> {
  return (await doneElsewhere(context, plan, about)).length > 0;
}

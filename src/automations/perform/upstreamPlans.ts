import { instantOf, msOf } from '../../kernel/dates.ts';
import type { Automating } from '../context.ts';
import type { Plan } from '../plans/table.ts';

const NEAR_MS = 12 * 60 * 60_000;

/** Returns the name of a message that upstream's own automation sends for the same stay at about the same time. */
export async function upstreamPlans({ store, connection }: Automating, plan: Plan): Promise<string | undefined> {
  const at = msOf(plan.send_at);
  const row = await store.db
    .selectFrom('automation_actions')
    .select('name')
    .where('connection', '=', connection)
    .where('stay_code', '=', plan.stay_code)
    .where('type', '=', 'message')
    .where('deleted_at', 'is', null)
    .where('scheduled_at', '>=', instantOf(at - NEAR_MS))
    .where('scheduled_at', '<=', instantOf(at + NEAR_MS))
    .limit(1)
    .executeTakeFirst();
  return row && (row.name ?? '');
}

import { inList } from '../../../store/queries/inList.ts';
import type { Affected } from './affected.ts';
import type { Scrubbing } from './scrubRows.ts';

/** Deletes messages that automations would send to erased persons, and ends their plans. */
export async function scrubDrafts({ store, connection }: Scrubbing, affected: readonly Affected[]): Promise<void> {
  const keysOf = (name: string) =>
    affected.flatMap(({ resource, rows }) => (resource.name === name ? [...rows.keys()] : []));
  const [stays, conversations] = [keysOf('reservation'), keysOf('conversation')];
  await store.transaction(async (trx) => {
    const plans = await trx
      .selectFrom('automation_plans')
      .select('plan_id')
      .where('connection', '=', connection)
      .where((eb) => eb.or([inList(eb.ref('stay_code'), stays), inList(eb.ref('conversation_id'), conversations)]))
      .execute();
    const ids = plans.map((plan) => plan.plan_id);
    await trx
      .deleteFrom('automation_drafts')
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref('plan_id'), ids))
      .execute();
    await trx
      .updateTable('automation_plans')
      .set({ state: 'cancelled', reason: 'erased' })
      .where('connection', '=', connection)
      .where('state', 'in', ['planned', 'awaiting_approval'])
      .where((eb) => inList(eb.ref('plan_id'), ids))
      .execute();
  });
}

import { instantOf } from '../kernel/dates.ts';
import { sourcesOf } from '../kernel/transitions.ts';
import { inList } from '../store/queries/inList.ts';
import { armAutomations, disarmAutomations, readFact } from '../sync/tables/connection/facts.ts';
import type { MirrorTrx } from '../sync/tables/database.ts';
import type { Automating } from './context.ts';
import { planLife } from './plans/states.ts';
import { writeLog } from './plans/table.ts';
import { syncWatermarks } from './rules/syncRules.ts';

/** Rule name of log entries that concern all rules. */
const ALL_RULES = '*';

/**
 * Stops all rules at once.
 * @returns true if they were armed
 */
export async function disarm(context: Automating): Promise<boolean> {
  const { store, connection, clock } = context;
  const was = await readFact(store.db, connection, 'automations_disarmed');
  await disarmAutomations(store, [connection], 'a person has disarmed them', instantOf(clock.now()));
  if (!was) await store.transaction((trx) => writeLog(trx, context, [{ rule: ALL_RULES, what: 'disarmed' }]));
  return was === undefined;
}

/**
 * Arms the rules again, for everything from now on. Plans that came due meanwhile end unsent: after a restore, earlier
 * sends are unknown.
 * @returns true if they were disarmed
 */
export async function arm(context: Automating): Promise<boolean> {
  const { store } = context;
  const was = await store.transaction(async (trx) => {
    const disarmed = await readFact(trx, context.connection, 'automations_disarmed');
    if (!disarmed) return false;
    await endWhatWasDue(trx, context);
    await syncWatermarks(trx, context);
    await armAutomations(trx, context.connection);
    await writeLog(trx, context, [{ rule: ALL_RULES, what: 'armed' }]);
    return true;
  });
  return was;
}

async function endWhatWasDue(trx: MirrorTrx, context: Automating): Promise<void> {
  const { connection, clock } = context;
  const now = instantOf(clock.now());
  const due = await trx
    .updateTable('automation_plans')
    .set({ state: 'skipped', reason: 'disarmed', changed_at: now })
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('state'), sourcesOf(planLife, 'disarm')))
    .where((eb) => eb.or([eb('due_at', '<=', now), eb('message_id', 'is not', null)]))
    .returning(['rule', 'plan_id', 'stay_code'])
    .execute();
  await writeLog(
    trx,
    context,
    due.map((plan) => ({ rule: plan.rule, what: 'skipped', plan, reason: 'disarmed' })),
  );
}

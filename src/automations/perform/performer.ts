import { instantOf } from '../../kernel/dates.ts';
import { noTracer } from '../../kernel/tracing/tracer.ts';
import { next, sourcesOf } from '../../kernel/transitions.ts';
import { inList } from '../../store/queries/inList.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';
import { readFact } from '../../sync/tables/connection/facts.ts';
import { actions } from '../actions/all.ts';
import { type ActionName, actionNames } from '../rules/actions.ts';
import type { Automating } from '../context.ts';
import { planLife } from '../plans/states.ts';
import { movePlan, type Plan, writeLog } from '../plans/table.ts';
import { carryOut } from './carryOut.ts';
import { lookFor } from './look.ts';

/** Milliseconds for which a process claims a plan. A call ends long before. */
const CLAIM_MS = 5 * 60_000;
const BATCH = 20;
const SPEAKING = actionNames.filter((name) => actions[name].speaks);

/** A selection of plans. */
type Lane = 'everything' | 'written by a model' | 'all else';

/**
 * Carries out due plans, one after the other. Drafts of a model have a lane of their own.
 * @param rankMs milliseconds of delay because another installation on the account acts first
 * @returns the number of examined plans
 */
export async function performDue(context: Automating, rankMs: number, lane: Lane): Promise<number> {
  const { store, connection, clock, signal, timekeeper, tracer = noTracer } = context;
  if (lane !== 'written by a model') await expire(context);
  const isDisarmed = (await readFact(store.db, connection, 'automations_disarmed')) !== undefined;
  const due = await duePlans(store.db, connection, {
    now: instantOf(clock.now()),
    latest: instantOf(clock.now() - rankMs),
    lane,
  });
  if (!(await timekeeper.isRight(due.length > 0))) {
    await holdByClock(context, due);
    return 0;
  }
  let done = 0;
  for (const plan of due) {
    if (signal.aborted) break;
    // While disarmed, calls without a known outcome are still looked for.
    if (isDisarmed && plan.state !== 'verifying') continue;
    const mine = await claim(context, plan);
    if (!mine) continue;
    const attributes = { 'stayd.connection': connection, 'stayd.action': mine.action };
    await tracer.run('automation action', { kind: 'internal', parent: null, attributes }, () =>
      mine.state === 'verifying' ? lookFor(context, mine) : carryOut(context, mine),
    );
    done += 1;
  }
  return done;
}

/** Returns the time of the next due plan, or undefined if none is planned. */
export async function nextDue(db: MirrorDb, connection: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('automation_plans')
    .select((eb) => eb.fn.min('next_at').as('next'))
    .where('connection', '=', connection)
    .where('state', 'in', ['planned', 'verifying'])
    .executeTakeFirst();
  return row?.next ?? undefined;
}

/** Marks plans that look due as waiting for a trustworthy clock. They are due when that clock reaches their time. */
async function holdByClock(context: Automating, due: readonly Plan[]): Promise<void> {
  const { store, clock, timekeeper } = context;
  const detail = timekeeper.problem();
  if (detail === undefined) return;
  const changed_at = instantOf(clock.now());
  await store.transaction(async (trx) => {
    for (const plan of due) {
      if (plan.state !== 'planned' || plan.reason === 'clock') continue;
      if (!(await movePlan(trx, plan, 'wait', { reason: 'clock', detail, changed_at }))) continue;
      await writeLog(trx, context, [{ rule: plan.rule, what: 'waiting', plan, reason: 'clock', detail }]);
    }
  });
}

async function duePlans(
  db: MirrorDb,
  connection: string,
  { now, latest, lane }: { now: string; latest: string; lane: Lane },
): Promise<Plan[]> {
  return (
    db
      .selectFrom('automation_plans')
      .selectAll()
      .where('connection', '=', connection)
      .where('state', 'in', ['planned', 'verifying'])
      .where('next_at', '<=', now)
      // Messages wait for their turn when they are examined.
      .where((eb) => eb.or([eb('next_at', '<=', latest), inList(eb.ref('action'), [...SPEAKING])]))
      .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)]))
      .where((eb) => {
        const asks = eb.and([eb('action', '=', 'ai_draft'), eb('approved', '=', 0)]);
        if (lane === 'everything') return eb.lit(true);
        return lane === 'all else' ? eb.not(asks) : asks;
      })
      .orderBy('next_at')
      .orderBy('plan_id')
      .limit(BATCH)
      .execute()
  );
}

async function claim({ store, connection, clock, by }: Automating, plan: Plan): Promise<Plan | undefined> {
  const now = instantOf(clock.now());
  return store.db
    .updateTable('automation_plans')
    .set({ claimed_by: by, claimed_until: instantOf(clock.now() + CLAIM_MS) })
    .where('connection', '=', connection)
    .where('plan_id', '=', plan.plan_id)
    .where('state', '=', plan.state)
    .where('next_at', '=', plan.next_at)
    .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now)]))
    .returningAll()
    .executeTakeFirst();
}

/** Ends plans that have waited too long for a person. */
async function expire(context: Automating): Promise<void> {
  const { store, connection, clock, timekeeper } = context;
  const now = instantOf(clock.now());
  const old = await store.db
    .selectFrom('automation_plans')
    .selectAll()
    .where('connection', '=', connection)
    .where('state', 'in', sourcesOf(planLife, 'expire'))
    .where('not_after', '<', now)
    .limit(BATCH)
    .execute();
  if (old.length === 0 || !(await timekeeper.isRight())) return;
  for (const plan of old) {
    await store.transaction(async (trx) => {
      await movePlan(trx, plan, 'expire', { reason: 'too_late', changed_at: now });
      await writeLog(trx, context, [{ rule: plan.rule, what: 'skipped', plan, reason: 'too_late' }]);
    });
  }
}

/**
 * Recovers the plans of an ended process. Looks for the effect of a call that may have been made, and repeats the call
 * only if that is harmless.
 * @param all true to include unexpired claims, because the claiming process has ended
 */
export async function recover({ store, connection, clock }: Automating, all: boolean): Promise<void> {
  const now = instantOf(clock.now());
  const rows = await store.db
    .selectFrom('automation_plans')
    .select(['plan_id', 'action', 'claimed_until', 'state', 'result'])
    .where('connection', '=', connection)
    .where('state', 'in', ['sending', 'planned', 'verifying'])
    .where('claimed_until', 'is not', null)
    .execute();
  for (const row of rows.filter(({ claimed_until }) => all || (claimed_until ?? '') < now)) {
    const state =
      row.state !== 'sending'
        ? row.state
        : next(planLife, row.state, actions[row.action as ActionName].isRepeatable(row) ? 'retry' : 'doubt');
    await store.db
      .updateTable('automation_plans')
      .set({ state, claimed_by: null, claimed_until: null, ...(row.state === 'sending' && { next_at: now }) })
      .where('connection', '=', connection)
      .where('plan_id', '=', row.plan_id)
      .where('state', '=', row.state)
      .execute();
  }
}

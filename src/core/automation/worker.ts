import { turn } from '../../kernel/clock.ts';
import { instantOf, msOf } from '../../kernel/dates.ts';
import { ApiError, messageOf } from '../../kernel/errors.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/log.ts';
import { Worker } from '../../kernel/worker.ts';
import { runChange } from '../change.ts';
import type { Change, Core } from '../context.ts';
import type { AccountRow } from '../database.ts';
import { requireMove } from '../requireMove.ts';
import { executePlan } from './execute.ts';
import { planRule } from './manageRules.ts';
import type { AutomationPorts } from './ports.ts';
import { actionLife, LATEST_MS, retryMs } from './rules.ts';
import { changePlan, claimPlan, duePlans, unplannedRules } from './table.ts';

/** Milliseconds between two polls of the plans. */
const POLL_MS = 5_000;
const BATCH = 50;

interface WorkerOptions {
  core: Core;
  log: Logger;
  ports: AutomationPorts;
}

/**
 * Executes due plans. It has no state in memory: a plan is due by its row, and its effect and its end commit together.
 * After a crash a plan is either still due or done.
 */
export function automationWorker({ core, log, ports }: WorkerOptions): Worker {
  return new Worker({
    clock: core.clock,
    log,
    name: 'automation',
    everyMs: POLL_MS,
    async round(signal) {
      for (const { account_id, id } of await unplannedRules(core.store.db)) {
        if (!signal.aborted) await planRule(core, { account: await accountOf(core, account_id), operator: null }, id);
      }
      for (let more = true; more && !signal.aborted;) {
        const due = await duePlans(core.store.db, instantOf(core.clock.now()), BATCH);
        for (const { account_id, plan_id } of due) {
          if (!signal.aborted) await carryOut({ core, log, ports }, await accountOf(core, account_id), plan_id);
          await turn();
        }
        more = due.length === BATCH;
      }
    },
  });
}

async function carryOut({ core, log, ports }: WorkerOptions, account: AccountRow, planId: string): Promise<void> {
  const who = { account, operator: null };
  try {
    await runChange(core, who, async (change) => {
      const plan = await claimDue(change, planId);
      if (!plan) return;
      if (plan.doubt !== null) await giveUp(change, planId, plan.doubt);
      else if (change.now - msOf(plan.scheduled_at) > LATEST_MS)
        await giveUp(change, planId, plan.problem ?? 'too late');
      else await executePlan(change, plan, ports);
    });
  } catch (error) {
    log.warn({ plan: planId, problem: messageOf(error) }, 'a planned action could not be carried out');
    const isHopeless = error instanceof ApiError && error.code < 500 && error.code !== 429;
    await runChange(core, who, (change) =>
      isHopeless ? giveUp(change, planId, messageOf(error)) : postpone(change, planId, messageOf(error)),
    );
  }
}

/** Returns the plan if it is still due and no other process holds it. */
async function claimDue({ trx, now }: Change, planId: string) {
  const plan = await claimPlan(trx, planId);
  return plan?.state === 'waiting' && plan.due_at <= instantOf(now) ? plan : undefined;
}

async function giveUp(change: Change, planId: string, problem: string): Promise<void> {
  const plan = await claimDue(change, planId);
  if (!plan) return;
  const state = requireMove(actionLife, plan.state, 'give_up');
  await changePlan(change.trx, plan, { state, problem, ended_at: instantOf(change.now) });
  change.audit('failAutomationAction', planId);
}

async function postpone(change: Change, planId: string, problem: string): Promise<void> {
  const plan = await claimDue(change, planId);
  if (!plan) return;
  const attempts = plan.attempts + 1;
  await changePlan(change.trx, plan, { attempts, problem, due_at: instantOf(change.now + retryMs(attempts)) });
}

function accountOf(core: Core, accountId: AccountId): Promise<AccountRow> {
  return core.store.db.selectFrom('accounts').where('account_id', '=', accountId).selectAll().executeTakeFirstOrThrow();
}

import { CallError } from '../../client/callError.ts';
import { instantOf, msOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import { next } from '../../kernel/transitions.ts';
import type { Automating } from '../context.ts';
import { changePlan, dropDraft, keepDraft, movePlan, type Plan, writeLog } from '../plans/table.ts';
import { planLife, type PlanTrigger } from '../plans/states.ts';
import { type Reason, reasonText } from '../reasons.ts';
import { MissingValue } from '../../kernel/markup/templates.ts';
import { endSend } from './ledger.ts';
import { type Stop, Stopped } from './stopped.ts';
import { supersede } from './supersede.ts';

/** Error codes after which nothing was done. */
const NOT_DONE: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 420, 422, 429, 501]);
/** Codes of failed connections; not a byte was sent. */
const NO_CONNECTION: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const SOON_MS = 30_000;
const HOST_MS = 5 * 60_000;
/** Milliseconds between checks for a missing value, which may arrive at any time. */
const MISSING_MS = 60_000;

/** Returns true if a failed call certainly changed nothing. */
function isNotDone(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  if (error.kind === 'api') return NOT_DONE.has(error.code);
  return causeCodes(error).some((code) => NO_CONNECTION.has(code));
}

function causeCodes(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  const inner = error instanceof AggregateError ? error.errors.flatMap(causeCodes) : [];
  return [...code, ...inner, ...causeCodes(error.cause)];
}

/** Returns the consequence for the plan of an error before its call. */
export function stopOf(error: unknown): Stopped {
  if (error instanceof Stopped) return error;
  if (error instanceof MissingValue) {
    return new Stopped('waiting', 'missing', { detail: error.field, waitMs: MISSING_MS });
  }
  if (error instanceof CallError) {
    const detail = error.message;
    if (error.client === 'fix') return new Stopped('failed', 'refused', { detail });
    const waitMs = error.client === 'host' ? HOST_MS : (error.retryAfterMs ?? SOON_MS);
    return new Stopped('waiting', 'upstream', { detail, waitMs });
  }
  return new Stopped('waiting', 'upstream', { detail: messageOf(error), waitMs: SOON_MS });
}

const TRIGGERS = {
  waiting: 'wait',
  awaiting_approval: 'ask',
  skipped: 'skip',
  failed: 'fail',
} as const satisfies Record<Stop, PlanTrigger>;

/** Records the reason why a plan was not carried out. */
export async function settleStopped(context: Automating, plan: Plan, stopped: Stopped): Promise<void> {
  const { store, clock, log } = context;
  const now = instantOf(clock.now());
  const { stop, reason, detail, draft, sources } = stopped;
  const isAsItWas = plan.result !== null && (reason === 'nothing_to_do' || reason === 'has_lock_code');
  const trigger = isAsItWas ? 'find_done' : TRIGGERS[stop];
  await store.transaction(async (trx) => {
    const next_at = stop === 'waiting' ? waitUntil(plan, clock.now() + stopped.waitMs) : plan.next_at;
    const change = { reason, detail, next_at, claimed_by: null, claimed_until: null, changed_at: now };
    if (!(await movePlan(trx, plan, trigger, change))) return;
    if (draft !== null) await keepDraft(trx, plan, { text: draft, sources }, now);
    if (stop === 'awaiting_approval' && plan.action === 'ai_draft') await supersede(trx, context, plan);
    // A waiting plan is examined again and again; its reason is logged once.
    if (stop === 'waiting' && plan.reason === reason) return;
    await writeLog(trx, context, [{ rule: plan.rule, what: stop, plan, reason, detail }]);
  });
  if (stop === 'failed' || reason === 'too_late') {
    const what = { connection: plan.connection, rule: plan.rule, plan: plan.plan_id, stay: plan.stay_code };
    log.warn({ ...what, problem: reasonText(reason, detail) }, 'an automation was not carried out');
  }
}

/** Returns the time of the next check, no later than the end of the plan, so that the end is reported in time. */
function waitUntil({ not_after }: Plan, ms: number): string {
  return instantOf(Math.min(ms, Math.max(msOf(not_after) + 1, 0)));
}

/** Records that a plan was carried out. */
export async function settleSent(context: Automating, plan: Plan, result: object | void, how = 'sent'): Promise<void> {
  const now = instantOf(context.clock.now());
  await context.store.transaction(async (trx) => {
    await endSend(trx, context, plan, 'finish', null);
    await changePlan(trx, plan.connection, plan.plan_id, {
      state: next(planLife, plan.state, plan.undo === 1 ? 'finish_taking_back' : 'finish'),
      reason: plan.undo === 1 ? plan.reason : null,
      undo: 0,
      ...(result && { result: JSON.stringify(result) }),
      claimed_by: null,
      claimed_until: null,
      changed_at: now,
    });
    await dropDraft(trx, plan);
    await writeLog(trx, context, [{ rule: plan.rule, what: plan.undo === 1 ? 'taken back' : how, plan }]);
  });
}

/** Records the failure of a call that had left. */
export async function settleFailed(
  context: Automating,
  plan: Plan,
  error: unknown,
  isRepeatable: boolean,
): Promise<void> {
  if (isNotDone(error) || isRepeatable) return settleNotDone(context, plan, error, isRepeatable);
  const now = instantOf(context.clock.now());
  await context.store.transaction(async (trx) => {
    await endSend(trx, context, plan, 'doubt', messageOf(error));
    const change = {
      state: next(planLife, plan.state, 'doubt'),
      next_at: now,
      claimed_by: null,
      claimed_until: null,
      changed_at: now,
    };
    await changePlan(trx, plan.connection, plan.plan_id, change);
    await writeLog(trx, context, [{ rule: plan.rule, what: 'uncertain', plan, detail: messageOf(error) }]);
  });
}

async function settleNotDone(context: Automating, plan: Plan, error: unknown, isRepeatable: boolean): Promise<void> {
  const { stop, reason, detail, waitMs } = stopForNotDone(error, isRepeatable);
  const now = context.clock.now();
  const isWaiting = stop === 'waiting';
  await context.store.transaction(async (trx) => {
    await endSend(trx, context, plan, 'fail', messageOf(error));
    await changePlan(trx, plan.connection, plan.plan_id, {
      state: next(planLife, plan.state, isWaiting ? 'retry' : 'refuse'),
      reason,
      detail,
      next_at: isWaiting ? waitUntil(plan, now + waitMs) : plan.next_at,
      claimed_by: null,
      claimed_until: null,
      changed_at: instantOf(now),
    });
    await writeLog(trx, context, [{ rule: plan.rule, what: isWaiting ? 'waiting' : 'failed', plan, reason, detail }]);
  });
  if (!isWaiting) {
    context.log.error(
      { connection: plan.connection, rule: plan.rule, plan: plan.plan_id, problem: detail },
      'an automation was refused',
    );
  }
}

function stopForNotDone(
  error: unknown,
  isRepeatable: boolean,
): { stop: string; reason: Reason; detail: string; waitMs: number } {
  const { stop, reason, detail, waitMs } = stopOf(error);
  const isConnection = isRepeatable || (error instanceof CallError && error.kind === 'transport');
  return {
    stop: isConnection && stop !== 'failed' ? 'waiting' : stop,
    reason,
    detail: detail ?? messageOf(error),
    waitMs,
  };
}

/** Stores the result that a rule in test would have had. */
export async function settleTested(context: Automating, plan: Plan, text: string): Promise<void> {
  const now = instantOf(context.clock.now());
  await context.store.transaction(async (trx) => {
    const change = { reason: null, claimed_by: null, claimed_until: null, changed_at: now };
    if (!(await movePlan(trx, plan, 'test', change))) return;
    await keepDraft(trx, plan, { text }, now);
    await writeLog(trx, context, [{ rule: plan.rule, what: 'tested', plan }]);
  });
}

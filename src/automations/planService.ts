import { type Instant, instantOf } from '../kernel/dates.ts';
import { ApiError } from '../kernel/errors.ts';
import { mayGo, sourcesOf } from '../kernel/transitions.ts';
import type { MirrorTrx } from '../sync/tables/database.ts';
import { inList } from '../store/queries/inList.ts';
import { arm, disarm } from './arming.ts';
import type { Automating } from './context.ts';
import { type DryQuestion, dryRun, type DryRun } from './tries/dryRun.ts';
import { pauseRule } from './perform/ledger.ts';
import { draftOf, dropDraft, keepDraft, movePlan, planById, type Plan, writeLog } from './plans/table.ts';
import { pendingStates, planLife, type PlanState } from './plans/states.ts';
import { reasonText } from './reasons.ts';
import type { Rule } from './rules/rule.ts';
import { storedRules } from './rules/syncRules.ts';

/** What a question about the log may name. */
interface LogQuestion {
  rule?: string | undefined;
  plan?: string | undefined;
  what?: string | undefined;
  limit: number;
}

/** The plans that a question is about. */
interface PendingQuestion {
  rule?: string | undefined;
  conversation_id?: string | undefined;
  limit: number;
}

/** What a person decides about a plan. */
interface Approval {
  /** Other words than those of the draft. */
  text?: string | undefined;
  /** The state in which the person saw the plan: another one means that somebody was faster. */
  state?: string | undefined;
}

/** The operations on rules and plans for people. */
export class PlanService {
  readonly #context: Automating;
  readonly #onDue: () => void;

  /** @param onDue called when a plan may be due immediately */
  constructor(context: Automating, onDue: () => void) {
    this.#context = context;
    this.#onDue = onDue;
  }

  /** Lists every rule with its state, and the mistakes in files. */
  async list(): Promise<{ rules: object[]; mistakes: readonly object[] }> {
    return { rules: await ruleList(this.#context), mistakes: this.#context.book.mistakes };
  }

  /** Lists coming plans and plans that wait for a person, soonest first. */
  async pending({ rule, conversation_id, limit }: PendingQuestion): Promise<object[]> {
    const { store, connection } = this.#context;
    let query = store.db
      .selectFrom('automation_plans as plan')
      .leftJoin('automation_drafts as draft', (join) =>
        join.onRef('draft.connection', '=', 'plan.connection').onRef('draft.plan_id', '=', 'plan.plan_id'),
      )
      .selectAll('plan')
      .select(['draft.text', 'draft.sources'])
      .where('plan.connection', '=', connection)
      .where((eb) => inList(eb.ref('plan.state'), pendingStates));
    if (rule !== undefined) query = query.where('plan.rule', '=', rule);
    if (conversation_id !== undefined) query = query.where('plan.conversation_id', '=', conversation_id);
    const rows = await query.orderBy('plan.next_at').orderBy('plan.plan_id').limit(limit).execute();
    return rows.map((row) => shown(row, row));
  }

  /** Returns the actions that rules would have taken since a moment. Does nothing. */
  async test(question: DryQuestion): Promise<DryRun> {
    if (question.rule !== undefined) await this.#requireRule(question.rule);
    return dryRun(this.#context, question);
  }

  /**
   * Approves a waiting plan for immediate execution, with an edited text if one is given.
   * @throws ApiError 409 if it comes too late
   */
  async approve(planId: string, { text, state }: Approval = {}): Promise<object> {
    const plan = await this.#plan(planId);
    if (state !== undefined && state !== plan.state) throw tooLate(plan, state);
    const now = this.#now();
    const change = { approved: 1 as const, next_at: now, reason: null, changed_at: now };
    const given = text?.trim();
    if (given === '') throw new ApiError(422, 'text: must not be empty', { field: 'text' });
    await this.#context.store.transaction(async (trx) => {
      if (plan.action === 'ai_draft' && given === undefined && (await draftOf(trx, plan)) === undefined) {
        throw new ApiError(422, 'text: there is no draft to be approved; give the words', { field: 'text' });
      }
      await requireMoved(trx, plan, 'approve', change, state === undefined ? undefined : [plan.state]);
      if (given !== undefined) await keepDraft(trx, plan, { text: given }, now);
      await writeLog(trx, this.#context, [
        { rule: plan.rule, what: 'approved', plan, detail: given === undefined ? null : 'with other words' },
      ]);
    });
    this.#onDue();
    return shown(await this.#plan(planId));
  }

  /** Cancels a plan for good. */
  async cancel(planId: string, { state }: Pick<Approval, 'state'> = {}): Promise<object> {
    const plan = await this.#plan(planId);
    if (state !== undefined && state !== plan.state) throw tooLate(plan, state);
    await this.#context.store.transaction(async (trx) => {
      const from = state === undefined ? undefined : [plan.state];
      await requireMoved(trx, plan, 'cancel', { reason: 'person', changed_at: this.#now() }, from);
      await dropDraft(trx, plan);
      await writeLog(trx, this.#context, [{ rule: plan.rule, what: 'cancelled', plan, reason: 'person' }]);
    });
    return shown(await this.#plan(planId));
  }

  /**
   * Pauses a rule.
   * @returns true if it was active
   */
  async pause(rule: string): Promise<boolean> {
    await this.#requireRule(rule);
    return this.#context.store.transaction((trx) => pauseRule(trx, this.#context, rule, 'a person has paused it'));
  }

  /**
   * Resumes a rule.
   * @returns true if it was paused
   */
  async resume(rule: string): Promise<boolean> {
    await this.#requireRule(rule);
    const { store, connection } = this.#context;
    const was = await store.transaction(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('automation_rules')
        .set({ paused_at: null, paused_because: null })
        .where('connection', '=', connection)
        .where('rule', '=', rule)
        .where('paused_at', 'is not', null)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) await writeLog(trx, this.#context, [{ rule, what: 'resumed' }]);
      return numUpdatedRows > 0n;
    });
    this.#onDue();
    return was;
  }

  /**
   * Stops all rules at once.
   * @returns true if they were armed
   */
  disarm(): Promise<boolean> {
    return disarm(this.#context);
  }

  /**
   * Arms the rules again, for everything from now on.
   * @returns true if they were disarmed
   */
  async arm(): Promise<boolean> {
    const was = await arm(this.#context);
    this.#onDue();
    return was;
  }

  /** Lists past events with their reasons, newest first. */
  async log({ rule, plan, what, limit }: LogQuestion): Promise<object[]> {
    const { store, connection } = this.#context;
    let query = store.db.selectFrom('automation_log').selectAll().where('connection', '=', connection);
    if (rule !== undefined) query = query.where('rule', '=', rule);
    if (plan !== undefined) query = query.where('plan_id', '=', plan);
    if (what !== undefined) query = query.where('what', '=', what);
    const rows = await query.orderBy('entry_id', 'desc').limit(limit).execute();
    return rows.map(({ connection: _, reason, ...row }) => ({
      ...row,
      reason,
      because: reasonText(reason, row.detail) || row.detail,
    }));
  }

  #now(): Instant {
    return instantOf(this.#context.clock.now());
  }

  async #plan(planId: string): Promise<Plan> {
    const { store, connection } = this.#context;
    const plan = await planById(store.db, connection, planId);
    if (!plan) throw new ApiError(404, `plan_id: there is no plan ${planId}`, { field: 'plan_id' });
    return plan;
  }

  async #requireRule(rule: string): Promise<void> {
    const { store, connection } = this.#context;
    const rows = await storedRules(store.db, connection);
    if (rows.some((row) => row.rule === rule)) return;
    const names = rows.map((row) => row.rule).join(', ') || 'none';
    throw new ApiError(404, `rule: there is none named "${rule}"; there are ${names}`, { field: 'rule' });
  }
}

const DONE = { approve: 'approved', cancel: 'cancelled' } as const;

/**
 * Carries out a person's decision.
 * @throws ApiError 409 if it comes too late
 */
async function requireMoved(
  trx: MirrorTrx,
  plan: Plan,
  trigger: keyof typeof DONE,
  change: Parameters<typeof movePlan>[3],
  from?: readonly PlanState[],
): Promise<void> {
  if (mayGo(planLife, plan.state, trigger) && (await movePlan(trx, plan, trigger, change, from))) return;
  if (from) throw tooLate((await planById(trx, plan.connection, plan.plan_id)) ?? plan, plan.state);
  const states = sourcesOf(planLife, trigger).join(', ');
  const problem = `plan_id: ${plan.plan_id} is ${plan.state}; only what is ${states} can be ${DONE[trigger]}`;
  throw new ApiError(409, problem, { field: 'plan_id' });
}

function tooLate({ plan_id, state }: Plan, seen: string): ApiError {
  const problem = `plan_id: ${plan_id} was ${seen} and is ${state} by now: somebody else, or the rule, was faster`;
  return new ApiError(409, problem, { field: 'plan_id' });
}

/** Returns a plan for people. Only they see its draft. */
function shown(plan: Plan, draft: { text: string | null; sources: string | null } | null = null): object {
  const { plan_id, rule, version, action, state, reason, detail, due_at, next_at, not_after, attempts } = plan;
  const { stay_code, conversation_id, message_id, approved } = plan;
  return {
    plan_id,
    rule,
    version,
    action,
    state,
    reason,
    because: reasonText(reason, detail),
    stay_code,
    conversation_id,
    message_id,
    due_at,
    next_at,
    not_after,
    attempts,
    approved: approved === 1,
    text: draft?.text ?? null,
    sources: draft?.sources ? (JSON.parse(draft.sources) as unknown) : null,
  };
}

/** Returns the trigger of a rule as its file has it. */
function whenText({ source }: Pick<Rule, 'source'>): string {
  const when: unknown = typeof source === 'object' && source !== null ? Reflect.get(source, 'when') : undefined;
  return typeof when === 'string' ? when : JSON.stringify(when ?? null);
}

async function ruleList({ store, connection, book }: Automating): Promise<object[]> {
  const rows = await storedRules(store.db, connection);
  const counts = await store.db
    .selectFrom('automation_plans')
    .select((eb) => ['rule', 'state', eb.fn.countAll<number>().as('plans')])
    .where('connection', '=', connection)
    .groupBy(['rule', 'state'])
    .execute();
  return rows
    .filter(({ removed_at }) => removed_at === null)
    .map(({ connection: _, fingerprint: _text, armed_seq: _seq, removed_at: _gone, ...row }) => {
      const rule = book.rule(row.rule);
      const plans = counts.filter((one) => one.rule === row.rule).map((one) => [one.state, Number(one.plans)] as const);
      return {
        ...row,
        broken: book.isBroken(row.rule) || !rule,
        about: rule?.about ?? null,
        when: rule ? whenText(rule) : null,
        action: rule?.actions.map(({ name }) => name).join(', ') ?? null,
        plans: Object.fromEntries(plans),
      };
    });
}

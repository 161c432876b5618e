import { instantOf, msOf } from '../../kernel/dates.ts';
import { type CallGuard, type Action, type Prepared, type ActionContext } from '../actions/action.ts';
import { actions } from '../actions/all.ts';
import type { PlanState } from '../plans/states.ts';
import type { Automating } from '../context.ts';
import { secretsRefused } from '../guards/secrets.ts';
import { isSaid, judgeReply, type OwnSend } from '../guards/conversation.ts';
import { isOurText, printOf } from '../fingerprint.ts';
import { draftOf, type Plan } from '../plans/table.ts';
import { type Basis, quietOf, statusesOf } from '../plans/wanted.ts';
import { reasonText } from '../reasons.ts';
import type { ActionName } from '../rules/actions.ts';
import { failingCondition } from '../rules/conditions.ts';
import { openTaskStates } from '../plans/planTasks.ts';
import { occurrenceIn, partFor } from '../rules/parts.ts';
import { fieldsOf } from '../rules/templateMistakes.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import { MissingValue } from '../../kernel/markup/templates.ts';
import { afterQuiet } from '../../kernel/quietHours.ts';
import { beginSending, ownSends, type Refusal } from './ledger.ts';
import { checkTurn, hasCompany } from './rank.ts';
import { settleFailed, settleSent, settleStopped, settleTested, stopOf } from './settle.ts';
import { type LoadedContext, loadContext } from './actionContext.ts';
import { Stopped } from './stopped.ts';
import type { FreshConversation, Said } from './conversation.ts';
import { upstreamPlans } from './upstreamPlans.ts';

const RULE_MS = 30_000;
const NEWER_MS = 2_000;
const SECRET_MS = 5 * 60_000;
/** Milliseconds within which the same text is not repeated in a conversation. */
const SAID_MS = 30 * 24 * 60 * 60_000;

/** Carries out a due plan, or records the reason why not. Throws only if the database fails. */
export async function carryOut(context: Automating, plan: Plan): Promise<void> {
  let prepared: Prepared;
  let rule: LoadedRule;
  let mine = plan;
  try {
    checkTime(context, plan);
    rule = ruleFor(context, plan);
    if (takesTurns(plan, rule)) await checkTurn(context, plan);
    const around = await loadContext(context, plan, rule);
    mine = { ...plan, conversation_id: plan.conversation_id ?? around.conversation?.conversation_id ?? null };
    prepared = await judge(context, mine, rule, around);
  } catch (error) {
    if (context.signal.aborted) return;
    return settleStopped(context, plan, stopOf(error));
  }
  if (rule.state === 'test' && plan.approved === 0) return settleTested(context, mine, prepared.text);
  await send(context, mine, rule, prepared);
}

/** Returns true if a plan must wait for this installation's turn. An approved plan never does. */
function takesTurns(plan: Plan, rule: LoadedRule): boolean {
  return plan.approved === 0 && actions[rule.do.name].speaks;
}

function checkTime({ clock }: Automating, plan: Plan): void {
  if (instantOf(clock.now()) <= plan.not_after || plan.approved === 1) return;
  throw new Stopped('skipped', 'too_late', { detail: plan.reason === null ? null : reasonText(plan.reason) });
}

function ruleFor({ book }: Automating, plan: Plan): LoadedRule {
  const whole = book.rule(plan.rule);
  const rule = whole && partFor(whole, plan);
  if (whole && !rule) throw new Stopped('skipped', 'rule_removed', { detail: plan.action });
  if (rule && (rule.state !== 'draft' || plan.approved === 1)) return rule;
  if (rule) throw new Stopped('waiting', 'rule_draft', { waitMs: RULE_MS });
  if (book.isBroken(plan.rule)) throw new Stopped('waiting', 'rule_broken', { waitMs: RULE_MS });
  throw new Stopped('skipped', 'rule_removed');
}

/**
 * Applies every guard to a plan.
 * @returns the action, ready to run
 */
async function judge(context: Automating, plan: Plan, rule: LoadedRule, around: LoadedContext): Promise<Prepared> {
  const action = actions[rule.do.name] as unknown as Action<ActionName>;
  if (plan.undo === 0) {
    checkStay(plan, rule, around);
    checkTask(plan, around);
    const failing = action.asksConditions ? undefined : failingCondition(rule.if, around.facts);
    if (failing) throw new Stopped('skipped', 'condition', { detail: failing });
  }
  const approvedText = plan.approved === 1 ? await draftOf(context.store.db, plan) : undefined;
  const actionContext: ActionContext = { context, plan, rule, spec: rule.do.with, approvedText, ...around };
  if (plan.approved === 0) await checkReply(context, plan, rule, around, () => draftFor(action, actionContext));
  if (plan.undo === 0) checkSecrets(context, rule, around);
  // Checked before a model is asked for a text that would have to wait.
  if (plan.approved === 0 && action.speaks) checkHours(context, rule, around);
  const prepared = await action.prepare(actionContext);
  if (plan.approved === 1) return prepared;
  if (action.speaks) await checkWords(context, plan, rule, around, prepared);
  if (rule.do.name === 'draft' || rule.do.name === 'review_reply') {
    throw new Stopped('awaiting_approval', 'draft', { draft: prepared.text });
  }
  return prepared;
}

function checkStay(plan: Plan, rule: LoadedRule, { fresh }: LoadedContext): void {
  if (plan.stay_code === null || !fresh) return;
  const { stay } = fresh;
  if (statusesOf(rule)?.includes(stay.status ?? '') === false)
    throw new Stopped('skipped', 'stay_status', { detail: stay.status ?? 'unknown' });
  if (rule.when.kind !== 'time') return;
  const basis = JSON.parse(plan.basis) as Basis;
  const isSame =
    basis.check_in_date === stay.check_in_date &&
    basis.check_out_date === stay.check_out_date &&
    basis.property_id === stay.property_id;
  if (!isSame) throw new Stopped('waiting', 'stay_changed', { waitMs: RULE_MS });
  if (!fresh.property) throw new Stopped('waiting', 'no_property');
}

/** Checks that a task is still open and due, so no reminder concerns a finished or future task. */
function checkTask(plan: Plan, { facts: { task } }: LoadedContext): void {
  if (!plan.subject.startsWith('task:')) return;
  if (!task) throw new Stopped('skipped', 'task_gone');
  if (task.status === null) throw new Stopped('waiting', 'missing', { detail: 'task.status' });
  if (!openTaskStates.includes(task.status)) throw new Stopped('skipped', 'task_done', { detail: task.status });
  if (task.expected_date !== occurrenceIn(plan)) throw new Stopped('skipped', 'task_moved');
}

async function checkReply(
  context: Automating,
  plan: Plan,
  rule: LoadedRule,
  { conversation, liveReservations }: LoadedContext,
  draft: () => Promise<string | null>,
): Promise<void> {
  if (plan.message_id === null || !conversation) return;
  const own = await ownSends(context.store.db, context, conversation.conversation_id);
  const others =
    rule.part === null ? { conversation, own } : withoutOwnPart(conversation, own, await partners(context, plan));
  const judged = judgeReply(others.conversation, others.own, {
    message_id: plan.message_id,
    knownMs: msOf(plan.created_at),
    cancelIfReplied: rule.cancel_if_host_replied,
    maxTurns: rule.max_turns,
    nowMs: context.clock.now(),
    hasCompany: await hasCompany(context),
  });
  if (judged)
    throw new Stopped(judged.stop, judged.reason, {
      draft: judged.stop === 'awaiting_approval' ? await draft() : null,
    });
  const newer = await newerPlans(context, plan, rule, conversation.messages);
  if (newer.includes('sent') || (rule.do.name === 'ai_draft' && newer.includes('awaiting_approval')))
    throw new Stopped('skipped', 'superseded');
  // The newer message may turn out to need no answer. Then this one is answered after all.
  if (newer.some((state) => state !== 'awaiting_approval'))
    throw new Stopped('waiting', 'superseded', { waitMs: NEWER_MS });
  if (liveReservations.length > 1) {
    throw new Stopped('awaiting_approval', 'several_stays', {
      detail: liveReservations.join(', '),
      draft: await draft(),
    });
  }
}

/** Returns the states of the same rule's plans that answer later messages of the guest. */
async function newerPlans(
  { store, connection }: Automating,
  plan: Plan,
  rule: LoadedRule,
  messages: readonly Said[],
): Promise<PlanState[]> {
  const at = messages.findIndex(({ message_id }) => message_id === plan.message_id);
  const newer = new Set(messages.slice(0, Math.max(0, at)).flatMap((one) => (one.isGuest ? [one.message_id] : [])));
  if (newer.size === 0 || plan.conversation_id === null) return [];
  const rows = await store.db
    .selectFrom('automation_plans')
    .select(['message_id', 'state', 'occurrence', 'action'])
    .where('connection', '=', connection)
    .where('conversation_id', '=', plan.conversation_id)
    .where('rule', '=', plan.rule)
    .where('state', 'in', ['planned', 'sending', 'sent', 'verifying', 'awaiting_approval'])
    .execute();
  return rows.flatMap(({ message_id, state, ...row }) =>
    message_id !== null && newer.has(message_id) && partFor(rule, row)?.part === rule.part ? [state] : [],
  );
}

/** Returns the plans of the rule's other actions for the same message. */
async function partners({ store, connection }: Automating, plan: Plan): Promise<ReadonlySet<string>> {
  const rows = await store.db
    .selectFrom('automation_plans')
    .select('plan_id')
    .where('connection', '=', connection)
    .where('conversation_id', '=', plan.conversation_id)
    .where('message_id', '=', plan.message_id)
    .where('rule', '=', plan.rule)
    .execute();
  return new Set(rows.map((row) => row.plan_id));
}

/**
 * Leaves out the rule's own messages about the guest's message. They are no answer that should stop its other actions.
 */
function withoutOwnPart(conversation: FreshConversation, own: readonly OwnSend[], plans: ReadonlySet<string>) {
  const said = own.filter(({ plan_id }) => plans.has(plan_id));
  const messages = conversation.messages.filter((one) => one.isGuest || !said.some((send) => send.wrote(one)));
  return { conversation: { ...conversation, messages }, own: own.filter(({ plan_id }) => !plans.has(plan_id)) };
}

/** Returns a text for approval, or null if it cannot be written. */
async function draftFor(action: Action<ActionName>, actionContext: ActionContext): Promise<string | null> {
  // A model is not asked about matters for a person.
  if (actionContext.rule.do.name === 'ai_draft') return null;
  try {
    return (await action.prepare(actionContext)).text;
  } catch (error) {
    if (error instanceof MissingValue || error instanceof Stopped) return null;
    throw error;
  }
}

/** Checks the quiet hours. A plan that waited for something else must not wake the guest. */
function checkHours({ settings, clock, zone }: Automating, rule: LoadedRule, { facts }: LoadedContext): void {
  const now = instantOf(clock.now());
  const open = afterQuiet(now, quietOf(rule, settings), facts.property?.zone ?? zone());
  if (open > now) throw new Stopped('waiting', 'quiet', { waitMs: msOf(open) - msOf(now) });
}

function checkSecrets({ settings, clock }: Automating, rule: LoadedRule, { facts }: LoadedContext): void {
  if (!fieldsOf(rule, settings.secretFields).some(({ secret }) => secret)) return;
  const { stay, property } = facts;
  const refused = secretsRefused({
    stay,
    property,
    usual: settings.usual,
    withinMs: rule.secrets_within,
    nowMs: clock.now(),
  });
  if (refused) throw new Stopped('waiting', refused, { waitMs: SECRET_MS });
}

async function checkWords(
  context: Automating,
  plan: Plan,
  rule: LoadedRule,
  { conversation }: LoadedContext,
  { text }: Prepared,
): Promise<void> {
  const print = printOf(text, context.keyedHash);
  const isText = (said: Said) => isOurText(print, said, context.keyedHash);
  if (conversation && plan.message_id === null && isSaid(conversation, isText, context.clock.now() - SAID_MS)) {
    throw new Stopped('skipped', 'already_said');
  }
  if (rule.allow_upstream_overlap || plan.stay_code === null) return;
  const other = await upstreamPlans(context, plan);
  if (other !== undefined) throw new Stopped('awaiting_approval', 'upstream_plans', { detail: other, draft: text });
}

async function send(context: Automating, plan: Plan, rule: LoadedRule, prepared: Prepared): Promise<void> {
  const action = actions[rule.do.name];
  const { speaks } = action;
  let hasBegun = false;
  const leaving = new AbortController();
  // A stop must not cut off a call that has left, because its outcome would be unknown.
  const onStop = () => !hasBegun && leaving.abort();
  context.signal.addEventListener('abort', onStop, { once: true });
  const guard: CallGuard = {
    purpose: 'reply',
    signal: leaving.signal,
    async beforeSend() {
      if (hasBegun) return;
      if (takesTurns(plan, rule)) await checkTurn(context, plan);
      const refusal = await beginSending(context, { plan, rule, speaks, ...prepared });
      if (refusal) throw refused(refusal);
      hasBegun = true;
    },
  };
  try {
    if (context.signal.aborted) return;
    const result = await prepared.run(guard);
    // The action found nothing to do.
    if (!hasBegun) return await settleStopped(context, plan, new Stopped('skipped', 'nothing_to_do'));
    await settleSent(context, { ...plan, state: 'sending' }, result);
  } catch (error) {
    if (hasBegun) await settleFailed(context, { ...plan, state: 'sending' }, error, action.isRepeatable(plan));
    else if (!context.signal.aborted) await settleStopped(context, plan, stopOf(error));
  } finally {
    context.signal.removeEventListener('abort', onStop);
  }
}

function refused({ stop, reason, waitMs, detail }: Refusal): Stopped {
  return new Stopped(stop, reason, { ...(waitMs !== undefined && { waitMs }), detail: detail ?? null });
}

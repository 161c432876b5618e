import { instantOf, instantWithin, msOf } from '../../kernel/dates.ts';
import { next } from '../../kernel/transitions.ts';
import type { MirrorTrx } from '../../sync/tables/database.ts';
import type { Automating } from '../context.ts';
import type { MirroredStay } from '../facts/mirrorFacts.ts';
import type { Reason } from '../reasons.ts';
import { occurrenceFor, occurrenceIn, partFor, partsOf } from '../rules/parts.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import { newPlan } from './newPlan.ts';
import { changePlan, type Entry, insertPlans, type Plan, plansOfStays, writeLog } from './table.ts';
import { openStates, planLife } from './states.ts';
import {
  FOLLOWING_ACTIONS,
  isTimeRule,
  KEPT_ACTIONS,
  NOT_AFTER_MS,
  type TimeRule,
  type Wanted,
  wantedFor,
} from './wanted.ts';

/** The state of a rule that does nothing; its plans wait or end. */
const SLEEPING = 'draft';

/**
 * Updates the plans of stays to the current rules: adds new ones, moves unstarted ones with the stay, and ends those
 * that are no longer wanted. Safe to repeat.
 */
export async function planStays(
  trx: MirrorTrx,
  context: Automating,
  stays: readonly MirroredStay[],
  rules: readonly LoadedRule[],
): Promise<void> {
  const timed = rules.filter((rule): rule is LoadedRule & TimeRule => isTimeRule(rule) && rule.state !== SLEEPING);
  if (timed.length === 0 || stays.length === 0) return;
  const codes = stays.map(({ stay }) => stay.stay_code);
  const existing = await plansOfStays(trx, context.connection, codes);
  const work: Work = { trx, context, now: instantOf(context.clock.now()), made: [], entries: [] };
  for (const mirrored of stays) {
    for (const rule of timed) {
      const known = existing.filter(
        ({ rule: name, subject }) => name === rule.name && subject === `stay:${mirrored.stay.stay_code}`,
      );
      await planParts(work, rule, mirrored, known);
    }
  }
  await insertPlans(trx, work.made);
  await writeLog(trx, context, work.entries);
}

interface Work {
  trx: MirrorTrx;
  context: Automating;
  now: string;
  made: Plan[];
  entries: Entry[];
}

async function planParts(
  work: Work,
  rule: LoadedRule & TimeRule,
  mirrored: MirroredStay,
  known: readonly Plan[],
): Promise<void> {
  for (const part of partsOf(rule)) {
    const own = known.filter((plan) => partFor(rule, plan)?.part === part.part);
    await planOne(work, part, mirrored, own);
  }
  for (const plan of known) {
    // Actions that a removed part has done stay done.
    if (!partFor(rule, plan) && plan.undo === 0 && openStates.includes(plan.state))
      await end(work, plan, 'rule_removed');
  }
}

async function planOne(
  work: Work,
  rule: LoadedRule & TimeRule,
  mirrored: MirroredStay,
  known: readonly Plan[],
): Promise<void> {
  const { stay, property } = mirrored;
  const wanted = wantedFor(rule, stay, property, work.context.settings);
  if ('none' in wanted) {
    for (const plan of known) await end(work, plan, wanted.none, wanted.detail);
    return;
  }
  for (const plan of known) if (occurrenceIn(plan) !== wanted.occurrence) await end(work, plan, 'moved');
  const plan = known.find((one) => occurrenceIn(one) === wanted.occurrence);
  if (plan) return follow(work, rule, plan, wanted);
  // Earlier times do not concern the rule, so a new rule never writes to every guest at once.
  if (wanted.due_at <= rule.armed_at) return;
  const { stay_code, reservation_code, conversation_id } = stay;
  const about = { subject: `stay:${stay_code}`, stay_code, reservation_code, conversation_id };
  const [occurrence, basis] = [occurrenceFor(rule, wanted.occurrence), JSON.stringify(wanted.basis)];
  const made = newPlan(work.context, rule, { ...wanted, ...about, occurrence, basis });
  work.made.push(made);
  work.entries.push({ rule: rule.name, what: 'planned', plan: made, detail: `for ${made.send_at}` });
}

/** Reasons of an end that depend on the stay alone. If the stay returns to its former state, so does the plan. */
const REVIVED: ReadonlySet<string | null> = new Set<Reason>([
  'stay_status',
  'no_property',
  'condition',
  'moved',
  'stay_gone',
]);

async function follow(work: Work, rule: LoadedRule, plan: Plan, wanted: Wanted): Promise<void> {
  const { due_at, send_at, not_after } = wanted;
  const basis = JSON.stringify(wanted.basis);
  const isOpen = openStates.includes(plan.state);
  const isBack = plan.state === 'cancelled' && REVIVED.has(plan.reason) && due_at > work.now;
  const isOutdated = FOLLOWING_ACTIONS.has(plan.action) && plan.state === 'sent' && plan.basis !== basis;
  if (!isOpen && !isBack && !isOutdated) return;
  const isSame = plan.basis === basis && plan.send_at === send_at && plan.version === rule.version && plan.undo === 0;
  if (isOpen && isSame) return;
  const times = isOutdated
    ? { next_at: work.now, not_after: later(not_after, work.now) }
    : { due_at, send_at, not_after, next_at: send_at };
  const state = next(planLife, plan.state, isOutdated ? 'follow' : isBack ? 'revive' : 'replan');
  const change = { ...times, basis, version: rule.version, undo: 0 as const, state, reason: null };
  await changePlan(work.trx, plan.connection, plan.plan_id, { ...change, changed_at: work.now });
  const what = isOutdated ? 'to be changed' : isBack ? 'planned again' : 'rescheduled';
  work.entries.push({ rule: plan.rule, what, plan, detail: `for ${change.next_at}` });
}

function later(a: string, b: string): string {
  return a > b ? a : instantWithin(msOf(b) + NOT_AFTER_MS);
}

async function end(work: Work, plan: Plan, reason: Reason, detail?: string): Promise<void> {
  const isKept = KEPT_ACTIONS.has(plan.action) && plan.state === 'sent' && plan.undo === 0 && reason !== 'moved';
  if (isKept) return takeBack(work, plan, reason);
  if (!openStates.includes(plan.state)) return;
  const state = next(planLife, plan.state, 'withdraw');
  await changePlan(work.trx, plan.connection, plan.plan_id, { state, reason, changed_at: work.now });
  work.entries.push({ rule: plan.rule, what: 'cancelled', plan, reason, detail: detail ?? null });
}

/** Plans the reversal of an action whose stay no longer exists, so nothing is left behind. */
async function takeBack(work: Work, plan: Plan, reason: Reason): Promise<void> {
  const not_after = later('', work.now);
  const state = next(planLife, plan.state, 'take_back');
  const change = { state, undo: 1 as const, next_at: work.now, not_after, reason };
  await changePlan(work.trx, plan.connection, plan.plan_id, { ...change, changed_at: work.now });
  work.entries.push({ rule: plan.rule, what: 'to be taken back', plan, reason });
}

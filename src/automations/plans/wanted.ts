import { type Instant, instantWithin, msOf } from '../../kernel/dates.ts';
import type { AutomationSettings } from '../context.ts';
import { type Facts, noFacts, type PropertyFacts, type StayFacts } from '../facts/facts.ts';
import type { Reason } from '../reasons.ts';
import { type ConditionName, failingCondition, withoutConditions } from '../rules/conditions.ts';
import type { Rule } from '../rules/rule.ts';
import type { TimeTrigger } from '../rules/trigger.ts';
import { bookedAt, dueOf } from '../times.ts';
import { afterQuiet } from '../../kernel/quietHours.ts';
import { WAIT_ACCEPT } from './statuses.ts';

const HOUR_MS = 3_600_000;
/** Default time after which a plan is no longer carried out. */
export const NOT_AFTER_MS = 6 * HOUR_MS;
/** The default for plans that a person may have to approve. */
const DRAFT_NOT_AFTER_MS = 48 * HOUR_MS;

/** Actions that wait for a person, or may have to. */
const DRAFTS: ReadonlySet<string> = new Set(['draft', 'ai_draft', 'review_reply', 'guest_review']);

/** The facts behind a plan. If they change, so does the plan. */
export interface Basis {
  check_in_date: string;
  check_out_date: string;
  property_id: number | null;
  /**
   * Set if the reservation came after the time of the rule. The plan then runs later, with its own text if there is
   * one.
   */
  last_minute?: true;
}

/** A plan as the rules now require it. */
export interface Wanted {
  occurrence: string;
  due_at: Instant;
  send_at: Instant;
  not_after: Instant;
  basis: Basis;
}

export type TimeRule = Rule & { when: TimeTrigger };

/** Returns true if a rule concerns times of stays. */
export function isTimeRule(rule: Rule): rule is TimeRule {
  return rule.when.kind === 'time';
}

/** Conditions that are checked only at the planned time, because they change without a change of the stay. */
const LATE_CONDITIONS: ReadonlySet<ConditionName> = new Set([
  'stay_status',
  'property_group',
  'weekday',
  'tag',
  'not_tag',
  'custom_field',
  'language',
  'returning',
  'paid',
  'identified',
  'deposit',
  'lock_code',
  'same_day_arrival',
  'night_before_free',
  'night_after_free',
  'reviewed',
]);
/** All of them, and the status, which is checked separately. */
const NOT_EARLY: ReadonlySet<ConditionName> = new Set([...LATE_CONDITIONS, 'status']);

/** Returns the times at which a rule acts for a stay, or the reason why it does not. */
export function wantedFor(
  rule: TimeRule,
  stay: StayFacts,
  property: PropertyFacts | null,
  settings: AutomationSettings,
): Wanted | { none: Reason; detail?: string } {
  if (statusesOf(rule)?.includes(stay.status ?? '') === false)
    return { none: 'stay_status', detail: stay.status ?? 'unknown' };
  if (!property) return { none: 'no_property' };
  const failing = failingCondition(withoutConditions(rule.if, NOT_EARLY), factsOf(stay, property));
  if (failing) return { none: 'condition', detail: failing };
  const due = dueOf(rule.when, stay, property.zone, settings.usual);
  if (due === undefined) return { none: 'no_such_time' };
  const booked = bookedAt(stay);
  const isLate = rule.when.anchor.startsWith('check_') && booked !== null && due < booked;
  if (isLate && rule.if_past === null) return { none: 'booked_too_late' };
  const due_at = isLate ? instantWithin(msOf(booked) + (rule.if_past?.afterMs ?? 0)) : due;
  const send_at = afterQuiet(due_at, quietOf(rule, settings), property.zone);
  const { check_in_date, check_out_date, property_id } = stay;
  return {
    occurrence: occurrenceOf(rule, stay),
    due_at,
    send_at,
    not_after: instantWithin(msOf(send_at) + notAfterMs(rule)),
    basis: { check_in_date, check_out_date, property_id, ...(isLate && { last_minute: true }) },
  };
}

/** Actions that reach the guest immediately. */
const QUIET: ReadonlySet<string> = new Set(['message', 'draft', 'special_offer', 'preapproval']);

/** Returns the quiet hours for a rule. Messages respect them; other work wakes no guest. */
export function quietOf({ quiet, do: action }: Pick<Rule, 'quiet' | 'do'>, settings: AutomationSettings) {
  if (quiet !== undefined) return quiet;
  return QUIET.has(action.name) ? settings.quiet : null;
}

export function notAfterMs({ not_after, do: action }: Pick<Rule, 'not_after' | 'do'>): number {
  return not_after ?? (DRAFTS.has(action.name) ? DRAFT_NOT_AFTER_MS : NOT_AFTER_MS);
}

/** Actions that only concern guests with an accepted stay. */
const FOR_GUESTS: ReadonlySet<string> = new Set(['message', 'draft', 'ai_draft', 'task', 'lock_code', 'guest_review']);

/** Actions that require one status, whatever the rule says. */
const STATUS_OF: ReadonlyMap<string, readonly string[]> = new Map([['answer_request', [WAIT_ACCEPT]]]);

/** Actions made once for a stay, and reversed with it. */
export const KEPT_ACTIONS: ReadonlySet<string> = new Set(['task', 'lock_code']);
/** Actions of these that change when the stay moves. */
export const FOLLOWING_ACTIONS: ReadonlySet<string> = new Set(['task']);

/**
 * Returns the occurrence. A stay that moves to another day gets its messages again for the new day; nothing else causes
 * a repeat.
 */
function occurrenceOf({ when, do: action }: TimeRule, stay: StayFacts): string {
  if (KEPT_ACTIONS.has(action.name)) return 'stay';
  if (when.anchor === 'check_in') return stay.check_in_date;
  return when.anchor === 'check_out' ? stay.check_out_date : when.anchor;
}

/** Triggers for stays in any status, unless the action concerns a guest. */
const OF_ANY_STATE: ReadonlySet<string> = new Set(['change', 'event', 'task']);

/** Returns the statuses of stays that a rule covers, or undefined for any. */
export function statusesOf({
  if: wanted,
  when,
  do: action,
}: Pick<Rule, 'if' | 'when' | 'do'>): readonly string[] | undefined {
  const own = STATUS_OF.get(action.name);
  if (own) return own;
  if (wanted.status) return wanted.status;
  if (OF_ANY_STATE.has(when.kind) && !FOR_GUESTS.has(action.name)) return undefined;
  return when.kind === 'time' && when.anchor === 'cancellation' ? ['cancelled'] : ['accepted'];
}

export function factsOf(stay: StayFacts, property: PropertyFacts | null): Facts {
  return { ...noFacts, channel_type: stay.channel_type, stay, property };
}

import { type Instant, instantWithin, msOf } from '../../kernel/dates.ts';
import type { AutomationSettings } from '../context.ts';
import { type Facts, noFacts, type PropertyFacts, type StayFacts } from '../facts/facts.ts';
import type { Reason } from '../reasons.ts';
import { type ConditionName, failingCondition, withoutConditions } from '../rules/conditions.ts';
import type { Rule } from '../rules/rule.ts';
import type { TimeTrigger } from '../rules/trigger.ts';
import { afterQuiet, bookedAt, dueOf } from '../times.ts';
import { WAIT_ACCEPT } from './statuses.ts';

const HOUR_MS = 3_600_000;
/** Later than this nothing is done by itself, unless the rule says otherwise. */
export const NOT_AFTER_MS = 6 * HOUR_MS;
/** A person may take longer. */
const DRAFT_NOT_AFTER_MS = 48 * HOUR_MS;

/** What waits for a person anyway, or may have to. */
const DRAFTS: ReadonlySet<string> = new Set(['draft', 'ai_draft', 'review_reply', 'guest_review']);

/** What a plan was made from; when it differs, the plan is another one. */
export interface Basis {
  check_in_date: string;
  check_out_date: string;
  property_id: number | null;
  /** Booked after the time of the rule: done later, with a text of its own where there is one. */
  last_minute?: true;
}

/** A plan as it should be. */
export interface Wanted {
  occurrence: string;
  due_at: Instant;
  send_at: Instant;
  not_after: Instant;
  basis: Basis;
}

export type TimeRule = Rule & { when: TimeTrigger };

/** Whether a rule is about times of stays. */
export function isTimeRule(rule: Rule): rule is TimeRule {
  return rule.when.kind === 'time';
}

/** What can only be said when the time has come, because it changes by itself or without a change of the stay. */
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
/** The states of stays are looked at by themselves. */
const NOT_EARLY: ReadonlySet<ConditionName> = new Set([...LATE_CONDITIONS, 'status']);

/** When a rule acts for a stay, or why it does not. */
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

/** What a guest hears of at once. */
const QUIET: ReadonlySet<string> = new Set(['message', 'draft', 'special_offer', 'preapproval']);

/** Speech keeps the hours that are quiet; work does not wake anybody. */
export function quietOf({ quiet, do: action }: Pick<Rule, 'quiet' | 'do'>, settings: AutomationSettings) {
  if (quiet !== undefined) return quiet;
  return QUIET.has(action.name) ? settings.quiet : null;
}

export function notAfterMs({ not_after, do: action }: Pick<Rule, 'not_after' | 'do'>): number {
  return not_after ?? (DRAFTS.has(action.name) ? DRAFT_NOT_AFTER_MS : NOT_AFTER_MS);
}

/** What only somebody who is coming is given. */
const FOR_GUESTS: ReadonlySet<string> = new Set(['message', 'draft', 'ai_draft', 'task', 'lock_code', 'guest_review']);

/** Actions that are about stays in one state, whatever the rule says. */
const STATUS_OF: ReadonlyMap<string, readonly string[]> = new Map([['answer_request', [WAIT_ACCEPT]]]);

/** What is made once for a stay, and taken back with it. */
export const KEPT_ACTIONS: ReadonlySet<string> = new Set(['task', 'lock_code']);
/** Of these, what is changed when the stay moves. */
export const FOLLOWING_ACTIONS: ReadonlySet<string> = new Set(['task']);

/** A stay that moves to another day is told again what it was told for the old one; nothing else makes a second time. */
function occurrenceOf({ when, do: action }: TimeRule, stay: StayFacts): string {
  if (KEPT_ACTIONS.has(action.name)) return 'stay';
  if (when.anchor === 'check_in') return stay.check_in_date;
  return when.anchor === 'check_out' ? stay.check_out_date : when.anchor;
}

/** What is about stays of any state, but where a guest is given something. */
const OF_ANY_STATE: ReadonlySet<string> = new Set(['change', 'event', 'task']);

/** The states of a stay that a rule is about; undefined: any. */
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

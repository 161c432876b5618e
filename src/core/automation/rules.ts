import type { RuleEvent } from '../../contract/automationActions.ts';
import { dateIn, type Instant, instantOf, msOf, type PlainDate, readInstant } from '../../kernel/dates.ts';
import { ApiError } from '../../kernel/errors.ts';
import { machine } from '../../kernel/transitions.ts';
import type { AccountRow } from '../database.ts';
import type { AutomationPlanRow, AutomationRuleRow, PlanState, RuleType } from '../workTables.ts';

/**
 * The life of a plan. A rule and a stay share one plan for ever. A waiting plan can move. It is withdrawn when its stay
 * no longer calls for it, and may come back. Executed, removed and failed are final: nothing is sent twice, and a
 * removed plan does not return.
 */
export const actionLife = machine({
  name: 'action',
  is: 'What one automation action of the core is to do for one stay.',
  before: 'not planned',
  states: {
    waiting: 'It is carried out when its time has come.',
    executed: 'It was done.',
    removed: 'It was taken off the plan, and is not put back.',
    failed: 'It could not be done in time.',
  } satisfies Record<PlanState, string>,
  final: ['executed', 'removed', 'failed'],
  rows: [
    { from: null, trigger: 'plan', to: 'waiting' },
    { from: 'waiting', trigger: 'plan', to: 'waiting' },
    { from: 'waiting', trigger: 'withdraw', to: null },
    { from: 'waiting', trigger: 'execute', to: 'executed' },
    { from: 'waiting', trigger: 'delete', to: 'removed' },
    { from: 'waiting', trigger: 'give_up', to: 'failed' },
  ],
});

/** Types that a person may execute or delete. Others are only shown. */
const BY_HAND: ReadonlySet<string> = new Set<RuleType>(['message', 'review']);

/** @throws ApiError 400 for a type of action that is only shown */
export function requireByHand(type: string): void {
  if (!BY_HAND.has(type)) throw new ApiError(400, `An action of type ${type} is neither executed nor deleted by hand.`);
}

/** @throws ApiError 400 before the day of check-out in the property's zone */
export function requireCheckedOut(checkOut: PlainDate, zone: string, now: number): void {
  if (dateIn(zone, now) < checkOut) throw new ApiError(400, 'A review can be posted from the day of check-out on.');
}

/** Returns the id of a plan, which is always the same for a rule and a stay. */
export function planIdOf(ruleId: number, stayId: number): string {
  return `${ruleId}-${stayId}`;
}

/** Fields of a stay that plans depend on. */
export interface PlannedStay {
  id: number;
  status: string;
  property_id: number;
  channel_type: string;
  check_in_date: PlainDate;
  check_out_date: PlainDate;
  /** Check-out of the reservation's last stay. A review of the reservation follows it. */
  booking_ends: PlainDate;
  booked_at: Instant;
  created_at: Instant;
  /** Time zone of the property. */
  zone: string;
}

/** Fields of a rule that plans depend on. */
export type PlanningRule = Pick<
  AutomationRuleRow,
  'type' | 'event' | 'hours' | 'property_ids' | 'channel_types' | 'is_enabled' | 'active_since' | 'deleted_at'
>;

const HOUR_MS = 3_600_000;
/** Hours of the property's day that count as arrival and departure, whenever a guest really comes. */
const CHECK_IN_TIME = '15:00:00';
const CHECK_OUT_TIME = '11:00:00';
/** Milliseconds after which an action is too late to execute. */
export const LATEST_MS = 24 * HOUR_MS;

interface PlannedTime {
  /** Moment that the rule asks for. */
  moment: Instant;
  /** Time of execution: at once if the moment is past and the action is still useful. */
  scheduled_at: Instant;
}

/**
 * Returns the time at which a rule acts on a stay; null: never. A rule ignores moments before its own start, unless the
 * stay is younger. A message before arrival that a late reservation missed is sent at once while arrival lies ahead;
 * one after an event is made up for within a day.
 */
export function plannedTime(rule: PlanningRule, stay: PlannedStay, now: number): PlannedTime | null {
  if (stay.status !== 'accepted' || !appliesTo(rule, stay)) return null;
  const anchor = anchorOf(rule, stay);
  const moment = anchor + rule.hours * HOUR_MS;
  const since = msOf(rule.active_since);
  if (moment < since && msOf(stay.created_at) < since) return null;
  const isOfUse = moment >= now || (rule.hours < 0 ? anchor > now : now - moment <= LATEST_MS);
  return isOfUse ? { moment: instantOf(moment), scheduled_at: instantOf(Math.max(moment, now)) } : null;
}

function appliesTo(rule: PlanningRule, stay: PlannedStay): boolean {
  return (
    rule.is_enabled === 1 &&
    rule.deleted_at === null &&
    holds(rule.property_ids, stay.property_id) &&
    holds(rule.channel_types, stay.channel_type)
  );
}

function holds(list: string | null, value: string | number): boolean {
  return list === null || (JSON.parse(list) as unknown[]).includes(value);
}

function anchorOf({ type, event }: PlanningRule, stay: PlannedStay): number {
  const checkOut = type === 'review' ? stay.booking_ends : stay.check_out_date;
  const moments: Record<RuleEvent, () => Instant | undefined> = {
    booking: () => stay.booked_at,
    check_in: () => readInstant(`${stay.check_in_date}T${CHECK_IN_TIME}`, stay.zone),
    check_out: () => readInstant(`${checkOut}T${CHECK_OUT_TIME}`, stay.zone),
  };
  return msOf(moments[event]() ?? stay.booked_at);
}

/** Types of actions that guests see, which must therefore not happen twice. */
export const toldToGuests = ['message', 'review'] as const satisfies readonly RuleType[];

/**
 * Returns the reason why it is unknown whether a plan was executed; null: it was not. After a restore the doubt
 * concerns actions that guests see, that were due before the restore, and that belong to a reservation from before it.
 * Tasks are restored with everything else.
 */
export function doubtOf(
  { restored_at }: Pick<AccountRow, 'restored_at'>,
  { type, moment, booked_at }: { type: RuleType; moment: Instant; booked_at: Instant },
): string | null {
  if (restored_at === null || moment > restored_at || booked_at > restored_at) return null;
  return toldToGuests.some((one) => one === type) ? MAY_BE_DONE : null;
}

/** Text that a person is shown for a plan in doubt. */
export const MAY_BE_DONE = 'a backup was restored after its time: it may have gone out already';

type KnownPlan = Pick<AutomationPlanRow, 'state' | 'moment' | 'doubt'>;

/** Decides the fate of a plan from its present state and the time that is now wanted. */
export function settlePlan(
  known: KnownPlan | undefined,
  wanted: PlannedTime | null,
): 'add' | 'move' | 'keep' | 'drop' | 'remove' {
  if (!known) return wanted ? 'add' : 'keep';
  if (known.state !== 'waiting') return 'keep';
  // The row stays, whatever happens to its stay: it records that the action may have been executed.
  if (known.doubt !== null) return wanted ? 'keep' : 'remove';
  if (!wanted) return 'drop';
  return known.moment === wanted.moment ? 'keep' : 'move';
}

/** Replaces `{name}` in a text by the value of that name. Unknown names stay. */
export function filledIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : whole,
  );
}

/** Returns the pause in milliseconds before the next attempt of a failed plan. */
export function retryMs(attempts: number): number {
  return Math.min(2 ** attempts * 60_000, HOUR_MS);
}

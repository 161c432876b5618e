import { z } from 'zod';
import { CUSTOM_FIELDS } from '../../contract/reservationLife.ts';
import { daysBetween } from '../../kernel/dates.ts';
import type { Facts, GroupName, StayFacts } from '../facts/facts.ts';
import { bookedAt, weekdayOf } from '../times.ts';
import { type Weekday, weekdays } from './trigger.ts';

/** A range of numbers, both ends included. */
export const range = z
  .strictObject({ at_least: z.number().optional(), at_most: z.number().optional() })
  .refine((given) => given.at_least !== undefined || given.at_most !== undefined, {
    error: 'needs at_least or at_most',
  });
type Range = z.output<typeof range>;

const word = z.string().min(1);
const oneOrMore = <T extends z.ZodType>(schema: T) =>
  z.union([schema.transform((one) => [one]), z.array(schema).min(1)]) as unknown as z.ZodType<z.output<T>[]>;

/** `saturday` or `sat`. */
const weekday = z.string().transform((text, context): Weekday => {
  const day = weekdays.find((one) => one === text.toLowerCase() || one.slice(0, 3) === text.toLowerCase());
  if (day) return day;
  context.addIssue('must be a day of the week such as saturday or sat');
  return z.NEVER;
});

const language = z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, { error: 'must be a language such as en or pt-BR' });

const field = z
  .strictObject({
    name: z.string().min(1).max(CUSTOM_FIELDS.name),
    is: oneOrMore(z.union([word, z.number(), z.boolean()]).transform(String)).optional(),
    set: z.boolean().optional(),
  })
  .refine((given) => (given.is === undefined) !== (given.set === undefined), { error: 'needs one of is and set' });
type AskedField = z.output<typeof field>;

const status = oneOrMore(word)
  .optional()
  .describe('In one of these states; accepted where nothing is said (cancelled, for rules about cancellations).');

/** Conditions that groups can contain too. */
const plain = {
  channel: oneOrMore(word).optional().describe('Of these channels.'),
  not_channel: oneOrMore(word).optional().describe('Of none of these channels.'),
  property: oneOrMore(z.int()).optional().describe('In one of these properties, by id.'),
  property_tag: oneOrMore(word).optional().describe('In a property that carries one of these tags.'),
  property_group: oneOrMore(z.union([z.int(), word]))
    .optional()
    .describe('In a property of one of these groups, by id or name.'),
  stay_status: oneOrMore(word).optional().describe('checkin_pending, in_house or stay_completed.'),
  nights: range.optional().describe('So many nights.'),
  guests: range.optional().describe('So many guests.'),
  children: range.optional().describe('So many children.'),
  pets: range.optional().describe('So many pets.'),
  lead_days: range.optional().describe('So many days from booking to check-in.'),
  check_in_weekday: oneOrMore(weekday).optional().describe('Check-in is on one of these days of the week.'),
  check_out_weekday: oneOrMore(weekday).optional().describe('Check-out is on one of these days of the week.'),
  weekday: oneOrMore(weekday)
    .optional()
    .describe('The day for which it is planned, where the property is, is one of these days of the week.'),
  tag: oneOrMore(word).optional().describe('The stay carries one of these tags.'),
  not_tag: oneOrMore(word).optional().describe('The stay carries none of these tags.'),
  custom_field: oneOrMore(field)
    .optional()
    .describe('A field of your own of the stay: `{name, is: [a, b]}`, or `{name, set: true}`; of several, all.'),
  language: oneOrMore(language).optional().describe('The guest is written to in one of these languages.'),
  returning: z
    .boolean()
    .optional()
    .describe('A stay of a guest with the same e-mail address or telephone is over; false: none is known.'),
  paid: z.boolean().optional().describe('Nothing is left to be paid; false: something is.'),
  identified: z.boolean().optional().describe('The guest has shown a document, or need not; false: must still.'),
  deposit: oneOrMore(word).optional().describe('The deposit is in one of these states: none, unpaid, paid, refunded.'),
  lock_code: z.boolean().optional().describe('Whether the stay has a lock code.'),
  same_day_arrival: z.boolean().optional().describe('Whether somebody else arrives on the day of check-out.'),
  night_before_free: z
    .boolean()
    .optional()
    .describe('Whether the night before arrival is free, as the calendar says just before.'),
  night_after_free: z
    .boolean()
    .optional()
    .describe('Whether the night after departure is free, as the calendar says just before.'),
  reviewed: z.boolean().optional().describe('Whether the host has reviewed the guest.'),
  score: range.optional().describe('The score of the guest’s review.'),
  task_type: oneOrMore(word)
    .optional()
    .describe('The task is of one of these types: cleaning, maintenance, reception, room_service, other.'),
  says: oneOrMore(word).optional().describe('The message holds one of these words, whatever their case.'),
  says_not: oneOrMore(word).optional().describe('The message holds none of these words.'),
  booked: z.boolean().optional().describe('The conversation is about a booking; false: about an inquiry alone.'),
};

const group = z
  .strictObject(plain)
  .refine((given) => Object.keys(given).length > 0, { error: 'needs a condition' })
  .describe('All that a group names must hold.');

/** Every condition of a rule; all that a rule names must hold. */
export const conditions = z.strictObject({
  ...plain,
  status,
  any: z.array(group).min(1).optional().describe('At least one of these groups of conditions holds: `[{…}, {…}]`.'),
  none: oneOrMore(group).optional().describe('None of these groups of conditions holds.'),
});
export type Conditions = z.output<typeof conditions>;
export type ConditionName = keyof Conditions;
/** Names of the conditions that a group can contain. */
export const groupNames = Object.keys(plain);

/** Conditions for recurring rules, which concern no stay. */
const OF_ROUNDS: readonly string[] = ['weekday'];
/** Conditions that need only a listing. */
const OF_LISTINGS: readonly string[] = ['channel', 'not_channel', 'property', 'property_tag', 'property_group'];

/**
 * Returns the conditions, with their places, that a recurring rule cannot check. An action on nights of listings can
 * check some of them for each listing.
 */
export function askedOfNobody(
  { any = [], none = [], ...others }: Conditions,
  asksListings: boolean,
): { path: (string | number)[]; problem: string }[] {
  const known = asksListings ? [...OF_ROUNDS, ...OF_LISTINGS] : OF_ROUNDS;
  const instead = `such an action can ask ${known.join(', ')}`;
  const groups = [
    { path: [], wanted: others },
    ...any.map((wanted, at) => ({ path: ['any', at], wanted })),
    ...none.map((wanted) => ({ path: ['none'], wanted })),
  ];
  return groups.flatMap(({ path, wanted }) =>
    namesIn(wanted)
      .filter((name) => !known.includes(name))
      .map((name) => ({
        path: [...path, name],
        problem: `is asked of nobody: "every …" is about no stay; ${instead}`,
      })),
  );
}

type Group = Omit<Conditions, 'any' | 'none'>;
type CheckName = keyof Group;
/** Undefined means unknown: then neither the condition nor its opposite holds. */
type Answer = boolean | undefined;
type Check<Name extends CheckName> = (facts: Facts, wanted: NonNullable<Conditions[Name]>) => Answer;

function ofKnown<T>(value: T | null | undefined, check: (value: T) => boolean): Answer {
  return value === null || value === undefined ? undefined : check(value);
}

const ofStay =
  <T>(check: (stay: StayFacts, wanted: T) => Answer) =>
  ({ stay }: Facts, wanted: T): Answer =>
    stay === null ? undefined : check(stay, wanted);

const isOf = (value: string | null, wanted: readonly string[]) => ofKnown(value, (one) => wanted.includes(one));
const isSo = (value: boolean | null, wanted: boolean) => ofKnown(value, (one) => one === wanted);

const checks: { readonly [Name in CheckName]: Check<Name> } = {
  channel: ({ channel_type }, wanted) => isOf(channel_type, wanted),
  not_channel: ({ channel_type, stay }, wanted) =>
    channel_type === null && stay === null ? true : ofKnown(channel_type, (one) => !wanted.includes(one)),
  property: ({ property }, wanted) => ofKnown(property, ({ id }) => wanted.includes(id)),
  property_tag: ({ property }, wanted) => ofKnown(property?.tags, (tags) => tags.some((tag) => wanted.includes(tag))),
  property_group: ({ property }, wanted) => (property?.groups ? isInGroup(property.groups, wanted) : undefined),
  status: ofStay((stay, wanted) => isOf(stay.status, wanted)),
  stay_status: ofStay((stay, wanted) => isOf(stay.stay_status, wanted)),
  nights: ofStay((stay, wanted) => isWithin(stay.nights, wanted)),
  guests: ofStay((stay, wanted) => isWithin(stay.number_of_guests, wanted)),
  children: ofStay((stay, wanted) => isWithin(stay.number_of_children, wanted)),
  pets: ofStay((stay, wanted) => isWithin(stay.number_of_pets, wanted)),
  lead_days: ({ stay, property }, wanted) =>
    stay === null || bookedAt(stay) === null
      ? undefined
      : isWithin(daysBetween(stay.bookedDate(property?.zone), stay.check_in_date), wanted),
  check_in_weekday: ofStay((stay, wanted) => wanted.includes(weekdayOf(stay.check_in_date))),
  check_out_weekday: ofStay((stay, wanted) => wanted.includes(weekdayOf(stay.check_out_date))),
  weekday: ({ day }, wanted) => ofKnown(day, (one) => wanted.includes(weekdayOf(one))),
  tag: ofStay((stay, wanted) => ofKnown(stay.tags, (tags) => tags.some((tag) => wanted.includes(tag)))),
  not_tag: ofStay((stay, wanted) => ofKnown(stay.tags, (tags) => !tags.some((tag) => wanted.includes(tag)))),
  custom_field: ofStay((stay, wanted) => allOf(wanted.map((one) => hasField(stay, one)))),
  language: (facts, wanted) => ofKnown(facts.language, (one) => wanted.some((name) => isLanguage(one, name))),
  returning: (facts, wanted) => isSo(facts.returning, wanted),
  paid: ofStay((stay, wanted) => isSo(stay.is_paid, wanted)),
  identified: ofStay((stay, wanted) => isSo(stay.is_identified, wanted)),
  deposit: ofStay((stay, wanted) => isOf(depositState(stay), wanted)),
  lock_code: ofStay((stay, wanted) => isSo(stay.has_lock_code, wanted)),
  same_day_arrival: ({ stay, property, arrivesSameDay }, wanted) =>
    stay === null || property === null ? undefined : arrivesSameDay === wanted,
  night_before_free: ({ nextNights }, wanted) => isSo(nextNights?.before ?? null, wanted),
  night_after_free: ({ nextNights }, wanted) => isSo(nextNights?.after ?? null, wanted),
  reviewed: ({ review }, wanted) => (review === undefined ? undefined : (review?.host_reviewed ?? false) === wanted),
  score: ({ review }, wanted) => isWithin(review?.score ?? null, wanted),
  task_type: ({ task }, wanted) => isOf(task?.type ?? null, wanted),
  says: ({ message }, wanted) => ofKnown(message, ({ content }) => holds(content, wanted)),
  says_not: ({ message }, wanted) => ofKnown(message, ({ content }) => !holds(content, wanted)),
  booked: ({ stay }, wanted) => (stay !== null) === wanted,
};

/** Returns the status of the deposit: `none` if none is required, null if unknown. */
function depositState({ deposit_status: state, deposit_minor: amount }: StayFacts): string | null {
  return state ?? (amount === 0 ? 'none' : null);
}

function isInGroup(groups: readonly GroupName[], wanted: readonly (number | string)[]): Answer {
  const answers = groups.flatMap(({ id, name }) =>
    wanted.map((one) => ofKnown(typeof one === 'number' ? id : name, (value) => value === one)),
  );
  if (answers.includes(true)) return true;
  return answers.includes(undefined) ? undefined : false;
}

function hasField({ custom_fields: fields }: StayFacts, { name, is, set }: AskedField): Answer {
  if (fields === null) return undefined;
  const value = fields[name] ?? '';
  return is === undefined ? (value !== '') === set : is.includes(value);
}

/** Returns true if a language matches. `pt` covers every variant, `pt-BR` only itself. */
function isLanguage(spoken: string, wanted: string): boolean {
  const [one, other] = [spoken.toLowerCase(), wanted.toLowerCase()];
  return one === other || one.startsWith(`${other}-`);
}

/** Returns the first condition that does not hold, or undefined if all do. A group is described by its conditions. */
export function failingCondition({ any, none, ...others }: Conditions, facts: Facts): string | undefined {
  const failing = namesIn(others).find((name) => answerOf(others, name, facts) !== true);
  if (failing !== undefined) return failing;
  if (any && !any.some((one) => groupAnswer(one, facts) === true)) return `any (${any.map(groupText).join(' or ')})`;
  const held = none?.find((one) => groupAnswer(one, facts) !== false);
  return held && `none (${groupText(held)})`;
}

function namesIn(wanted: Group): CheckName[] {
  return (Object.keys(wanted) as CheckName[]).filter((name) => wanted[name] !== undefined);
}

function groupText(wanted: Group): string {
  return namesIn(wanted).join(', ');
}

function groupAnswer(wanted: Group, facts: Facts): Answer {
  return allOf(namesIn(wanted).map((name) => answerOf(wanted, name, facts)));
}

function answerOf(wanted: Group, name: CheckName, facts: Facts): Answer {
  return checks[name](facts, wanted[name] as never);
}

/** Returns true if all answers are true. A false answer decides, even beside an unknown one. */
function allOf(answers: readonly Answer[]): Answer {
  if (answers.includes(false)) return false;
  return answers.includes(undefined) ? undefined : true;
}

/** Returns true if a rule has this condition, alone or in a group. */
export function asksFor(wanted: Conditions, name: ConditionName): boolean {
  return [wanted, ...(wanted.any ?? []), ...(wanted.none ?? [])].some((one) => Reflect.get(one, name) !== undefined);
}

/**
 * Returns the conditions without some names. An `any` group is reduced to its other conditions. A `none` group with one
 * of the names is left out.
 */
export function withoutConditions(wanted: Conditions, names: ReadonlySet<ConditionName>): Conditions {
  const { any, none, ...others } = wanted;
  const rest = (one: Group): Group =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !names.has(name as ConditionName)));
  const left = {
    any: any?.map(rest),
    none: none?.filter((one) => namesIn(one).every((name) => !names.has(name))),
  };
  return { ...rest(others), ...left };
}

/** Returns true if a rule examines the nights next to the stay. */
export function asksForNights(wanted: Conditions): boolean {
  return asksFor(wanted, 'night_before_free') || asksFor(wanted, 'night_after_free');
}

/** Returns true if a number lies in a range; undefined if the number is unknown. */
export function isWithin(
  value: number | null,
  { at_least = Number.NEGATIVE_INFINITY, at_most = Infinity }: Range,
): Answer {
  return ofKnown(value, (one) => one >= at_least && one <= at_most);
}

function holds(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.some((one) => lower.includes(one.toLowerCase()));
}

/** Lists every condition with its description. */
export function conditionList(): { name: string; text: string }[] {
  return Object.entries(conditions.shape).map(([name, schema]) => ({ name, text: schema.description ?? '' }));
}

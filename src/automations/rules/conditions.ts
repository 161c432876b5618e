import { z } from 'zod';
import { daysBetween } from '../../kernel/dates.ts';
import type { Facts, StayFacts } from '../facts.ts';

const range = z
  .strictObject({ at_least: z.number().optional(), at_most: z.number().optional() })
  .refine((given) => given.at_least !== undefined || given.at_most !== undefined, {
    error: 'needs at_least or at_most',
  });
type Range = z.output<typeof range>;

const word = z.string().min(1);
const oneOrMore = <T extends z.ZodType>(schema: T) =>
  z.union([schema.transform((one) => [one]), z.array(schema).min(1)]) as unknown as z.ZodType<z.output<T>[]>;

/** Every condition of a rule; all that a rule names must hold. */
export const conditions = z.strictObject({
  channel: oneOrMore(word).optional().describe('Of these channels.'),
  not_channel: oneOrMore(word).optional().describe('Of none of these channels.'),
  property: oneOrMore(z.int()).optional().describe('In one of these properties, by id.'),
  property_tag: oneOrMore(word).optional().describe('In a property that carries one of these tags.'),
  status: oneOrMore(word)
    .optional()
    .describe('In one of these states; accepted where nothing is said (cancelled, for rules about cancellations).'),
  stay_status: oneOrMore(word).optional().describe('checkin_pending, in_house or stay_completed.'),
  nights: range.optional().describe('So many nights.'),
  guests: range.optional().describe('So many guests.'),
  children: range.optional().describe('So many children.'),
  pets: range.optional().describe('So many pets.'),
  lead_days: range.optional().describe('So many days from booking to check-in.'),
  tag: oneOrMore(word).optional().describe('The stay carries one of these tags.'),
  not_tag: oneOrMore(word).optional().describe('The stay carries none of these tags.'),
  paid: z.boolean().optional().describe('Nothing is left to be paid; false: something is.'),
  identified: z.boolean().optional().describe('The guest has shown a document, or need not; false: must still.'),
  deposit: oneOrMore(word).optional().describe('The deposit is in one of these states: none, unpaid, paid, refunded.'),
  lock_code: z.boolean().optional().describe('Whether the stay has a lock code.'),
  same_day_arrival: z.boolean().optional().describe('Whether somebody else arrives on the day of check-out.'),
  reviewed: z.boolean().optional().describe('Whether the host has reviewed the guest.'),
  score: range.optional().describe('The score of the guest’s review.'),
  says: oneOrMore(word).optional().describe('The message holds one of these words, whatever their case.'),
  says_not: oneOrMore(word).optional().describe('The message holds none of these words.'),
  booked: z.boolean().optional().describe('The thread is about a booking; false: about an inquiry alone.'),
});
export type Conditions = z.output<typeof conditions>;
export type ConditionName = keyof Conditions;

type Check<Name extends ConditionName> = (facts: Facts, wanted: NonNullable<Conditions[Name]>) => boolean | undefined;

const ofStay =
  <T>(check: (stay: StayFacts, wanted: T) => boolean) =>
  (facts: Facts, wanted: T): boolean | undefined =>
    facts.stay !== null && check(facts.stay, wanted);

/** undefined: there is nothing that could be asked, so the condition does not hold. */
const checks: { readonly [Name in ConditionName]: Check<Name> } = {
  channel: ({ channel_type }, wanted) => channel_type !== null && wanted.includes(channel_type),
  not_channel: ({ channel_type, stay }, wanted) =>
    channel_type === null ? stay === null : !wanted.includes(channel_type),
  property: ({ property }, wanted) => property !== null && wanted.includes(property.id),
  property_tag: ({ property }, wanted) => property?.tags.some((tag) => wanted.includes(tag)),
  status: ofStay((stay, wanted) => stay.status !== null && wanted.includes(stay.status)),
  stay_status: ofStay((stay, wanted) => stay.stay_status !== null && wanted.includes(stay.stay_status)),
  nights: ofStay((stay, wanted) => isWithin(stay.nights, wanted)),
  guests: ofStay((stay, wanted) => isWithin(stay.number_of_guests, wanted)),
  children: ofStay((stay, wanted) => isWithin(stay.number_of_children, wanted)),
  pets: ofStay((stay, wanted) => isWithin(stay.number_of_pets, wanted)),
  lead_days: ({ stay, property }, wanted) =>
    stay !== null && isWithin(daysBetween(stay.bookedDate(property?.zone), stay.check_in_date), wanted),
  tag: ofStay((stay, wanted) => stay.tags?.some((tag) => wanted.includes(tag)) === true),
  not_tag: ofStay((stay, wanted) => stay.tags?.some((tag) => wanted.includes(tag)) === false),
  paid: ofStay((stay, wanted) => stay.is_paid === wanted),
  identified: ofStay((stay, wanted) => stay.is_identified === wanted),
  deposit: ofStay((stay, wanted) => wanted.includes(depositState(stay))),
  lock_code: ofStay((stay, wanted) => stay.has_lock_code === wanted),
  same_day_arrival: ({ arrivesSameDay }, wanted) => arrivesSameDay === wanted,
  reviewed: ({ review }, wanted) => (review?.host_reviewed ?? false) === wanted,
  score: ({ review }, wanted) => review !== null && isWithin(review.score, wanted),
  says: ({ message }, wanted) => message !== null && holds(message.content, wanted),
  says_not: ({ message }, wanted) => message !== null && !holds(message.content, wanted),
  booked: ({ stay }, wanted) => (stay !== null) === wanted,
};

/** Where no deposit is asked for, none; '' where nobody says. */
function depositState({ deposit_status: state, deposit_minor: amount }: StayFacts): string {
  return state ?? (amount === 0 ? 'none' : '');
}

/** The first condition that does not hold; undefined: all do. */
export function failingCondition(wanted: Conditions, facts: Facts): ConditionName | undefined {
  return (Object.keys(wanted) as ConditionName[]).find((name) => {
    const value = wanted[name];
    return value !== undefined && checks[name](facts, value as never) !== true;
  });
}

function isWithin(value: number | null, { at_least = Number.NEGATIVE_INFINITY, at_most = Infinity }: Range): boolean {
  return value !== null && value >= at_least && value <= at_most;
}

function holds(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.some((one) => lower.includes(one.toLowerCase()));
}

/** What people read: every condition and what it asks. */
export function conditionList(): { name: string; text: string }[] {
  return Object.entries(conditions.shape).map(([name, schema]) => ({ name, text: schema.description ?? '' }));
}

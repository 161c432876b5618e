import { z } from 'zod';
import { TASK_NOTE_LENGTH, taskLevels, taskTypes } from '../../contract/tasks.ts';
import { MESSAGE_LENGTH } from '../../contract/conversations.ts';
import { CUSTOM_FIELDS } from '../../contract/reservationLife.ts';
import { conditions, range } from './conditions.ts';
import { clockTime } from './durations.ts';

/** One template, or one per language. */
export type Texts = Readonly<Record<string, string>>;

/** The language of a text without one. */
export const ANY_LANGUAGE = '*';

const template = (most: number) => z.string().trim().min(1).max(most);

/** One template for all guests, or one per language: `{en: …, de: …}`. */
export const texts = z
  .union([
    template(MESSAGE_LENGTH).transform((text): Texts => ({ [ANY_LANGUAGE]: text })),
    z.record(
      z.string().regex(/^[a-z]{2}(-[A-Z]{2})?$/, { error: 'must be a language such as en or pt-BR' }),
      template(MESSAGE_LENGTH),
    ),
  ])
  .refine((given) => Object.keys(given).length > 0, { error: 'needs a text' })
  .transform((given): Texts => given);

const message = z.strictObject({ text: texts });

const aiDraft = z.strictObject({
  before: texts.optional().describe('Put before what the model writes, which never sees it.'),
  after: texts.optional().describe('Put behind it.'),
  instructions: z.string().trim().max(1_000).default('').describe('How you like to write; for the model.'),
  pieces: z.int().min(1).max(10).default(4).describe('Pieces of the knowledge base that the model is given.'),
  longest: z.int().min(100).max(4_000).default(1_200).describe('Characters that the model may write.'),
});

const daysFrom = z.string().regex(/^(\d{1,3} days? (before|after) )?check_(in|out)$/, {
  error: 'must be a day such as check_out, or 1 day after check_out',
});

const taskDay = z.string().regex(/^((\d{1,3} days? (before|after) )?check_(in|out)|(\d{1,3} days? after )?today)$/, {
  error: 'must be a day such as check_out, 1 day after check_out, or 1 day after today',
});

const task = z
  .strictObject({
    type: z.enum(taskTypes),
    on: taskDay.optional().describe('The day it is to be done; left out: check_out; today, of a review or a task.'),
    at: clockTime.optional(),
    note: template(TASK_NOTE_LENGTH).optional(),
    staff_id: z.int().positive().optional(),
    staff: z.array(z.int().positive()).min(1).max(50).optional().describe('Takes turns: one of these, by id.'),
    level: z.enum(taskLevels).optional(),
    fee: z.number().min(0).optional(),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: 'must be a currency such as EUR' })
      .optional(),
  })
  .refine((given) => given.staff === undefined || given.staff_id === undefined, {
    path: ['staff'],
    error: 'excludes staff_id; give one of them',
  })
  .refine((given) => new Set(given.staff).size === (given.staff ?? []).length, {
    path: ['staff'],
    error: 'names somebody twice',
  });

const lockCode = z
  .strictObject({
    digits: z.int().min(4).max(10).optional().describe('Makes a random one of so many digits.'),
    code: template(50).optional().describe('A template.'),
    delete: z.literal(true).optional(),
    visible_after: clockTime.optional(),
    replace: z.boolean().default(false).describe('Also where the stay has one.'),
  })
  .refine((given) => [given.digits, given.code, given.delete].filter((one) => one !== undefined).length === 1, {
    error: 'needs one of digits, code and delete',
  });

const tag = z
  .strictObject({ add: template(100).optional(), remove: template(100).optional() })
  .refine((given) => (given.add === undefined) !== (given.remove === undefined), { error: 'needs add or remove' });

const customField = z.strictObject({
  name: z.string().min(1).max(CUSTOM_FIELDS.name),
  value: template(CUSTOM_FIELDS.text).nullable().describe('A template; null deletes the field.'),
});

const note = z.strictObject({ add: template(2_000).describe('A line that is put below what stands there.') });

const availability = z.strictObject({
  available: z.boolean(),
  from: daysFrom,
  nights: z.int().min(1).max(30).default(1),
});

const percent = z.number().min(-60).max(100);
const daysAhead = z.int().min(1).max(365).default(60);
const bounds = {
  floor: z.number().positive().describe('Never below, in the listing’s currency.'),
  ceiling: z.number().positive().describe('Never above.'),
};

const gapPrice = z.strictObject({
  nights: z.literal('gaps').describe('Which nights: free ones between two stays.'),
  longest_gap: z.int().min(1).max(14).default(2),
  days_ahead: daysAhead,
  change_percent: percent,
  ...bounds,
});

const freePrice = z.strictObject({
  nights: z.literal('free').describe('Which nights: all that are free.'),
  days_ahead: daysAhead,
  by_occupancy: z
    .array(z.strictObject({ at_least: z.number().min(0).max(100), change_percent: percent }))
    .max(20)
    .default([])
    .describe('By how many per cent of the nights round it are taken: the highest that is reached.'),
  occupancy_days: z.int().min(1).max(31).default(7).describe('How many days round the night are counted.'),
  by_lead_days: z
    .array(z.strictObject({ at_most: z.int().min(0).max(365), change_percent: percent }))
    .max(20)
    .default([])
    .describe('By how many days are left: the nearest that is not passed.'),
  ...bounds,
});

const NIGHTS = { error: 'must be gaps or free' };

const price = z
  .discriminatedUnion('nights', [gapPrice, freePrice], NIGHTS)
  .refine((given) => given.floor <= given.ceiling, { path: ['floor'], error: 'must not be above ceiling' })
  .refine((given) => given.nights === 'gaps' || given.by_occupancy.length + given.by_lead_days.length > 0, {
    path: ['nights'],
    error: 'free needs by_occupancy or by_lead_days',
  });

const stayNights = z.int().min(1).max(30);

const minStay = z.discriminatedUnion(
  'nights',
  [
    z.strictObject({
      nights: z.literal('gaps').describe('Free nights between two stays: as many as are left of the gap.'),
      longest_gap: z.int().min(1).max(30).default(7),
      at_least: stayNights.default(1).describe('Gaps of fewer nights are left alone, and none is sold for fewer.'),
      days_ahead: daysAhead,
    }),
    z.strictObject({
      nights: z.literal('free').describe('All free nights, by how many days are left.'),
      by_lead_days: z
        .array(z.strictObject({ at_most: z.int().min(0).max(365), min_stay: stayNights }))
        .min(1)
        .max(20),
      days_ahead: daysAhead,
    }),
  ],
  NIGHTS,
);

const reviewReply = z.strictObject({ text: texts });

const answerRequest = z.strictObject({
  answer: z.enum(['approve', 'decline']).describe('Of a request to book that waits for it.'),
});

const rating = z.number().min(1).max(5).optional();

const guestReview = z.strictObject({
  score: z.number().min(1).max(5),
  text: texts,
  ratings: z
    .strictObject({
      cleanliness: rating,
      communication: rating,
      respect_of_house_rules: rating,
      recommend: z.boolean().optional(),
    })
    .optional()
    .describe('By category, where the channel knows them.'),
  within_days: z.int().min(1).max(60).default(14).describe('Days after departure in which the channel takes it.'),
  held_unless: conditions.optional().describe('A person decides unless all of these hold.'),
});

const people = z.int().min(0).max(99).default(0);

const specialOffer = z
  .strictObject({
    price_per_night: z.int().positive().optional().describe('In the listing’s currency.'),
    change_percent: z.number().min(-60).max(100).optional().describe('Of what the calendar says for each night.'),
    floor: z.int().positive().optional().describe('Never below, for a night.'),
    nights: range.optional().describe('Only for inquiries of so many nights.'),
    adults: z.int().min(1).max(99).describe('Nobody tells how many ask: those whom the price is for.'),
    children: people,
    infants: people,
    pets: people,
    rate_plan_id: z.string().min(1).optional().describe('For the booking site.'),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: 'must be a currency such as EUR' })
      .optional()
      .describe('For the booking site.'),
  })
  .refine((given) => (given.price_per_night === undefined) !== (given.change_percent === undefined), {
    error: 'needs price_per_night or change_percent',
  })
  .refine((given) => given.change_percent === undefined || given.floor !== undefined, {
    path: ['floor'],
    error: 'is required with change_percent',
  });

const preapproval = z.strictObject({
  nights: range.optional().describe('Only for inquiries of so many nights.'),
});

const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
);
/** JSON whose texts are templates. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

const placeName = z.string().trim().min(1).max(60);

const notify = z.strictObject({
  to: z
    .union([placeName.transform((name) => [name]), z.array(placeName).min(1).max(20)])
    .describe('Names of places where people are told: see docs/notices.md.'),
  title: z.string().trim().min(1).max(100).optional().describe('No template: it is kept, and the text is not.'),
  text: template(2_000),
  report: z
    .strictObject({
      name: z.string().trim().min(1).max(60).describe('A report of `./stayd report`, such as owner-statement.'),
      month: z.enum(['last', 'this']).default('last'),
      owner: z.string().trim().min(1).max(40).optional().describe('Code of the owner, for reports about one.'),
    })
    .optional()
    .describe('Attached to mail; other places cannot take it.'),
});

const http = z.strictObject({
  to: z.string().min(1).describe('A name of automations.hooks in the configuration.'),
  body: z.record(z.string(), json),
});

const shapes = {
  message,
  draft: message,
  ai_draft: aiDraft,
  task,
  lock_code: lockCode,
  tag,
  custom_field: customField,
  note,
  availability,
  price,
  min_stay: minStay,
  review_reply: reviewReply,
  answer_request: answerRequest,
  guest_review: guestReview,
  special_offer: specialOffer,
  preapproval,
  notify,
  http,
} as const;

export type ActionName = keyof typeof shapes;
export const actionNames = Object.keys(shapes) as ActionName[];
/** An action of a rule with its settings. */
export type Action = { [Name in ActionName]: { name: Name; with: z.output<(typeof shapes)[Name]> } }[ActionName];
export type ActionOf<Name extends ActionName> = Extract<Action, { name: Name }>;

/** Exactly one action. */
const action = z.record(z.string(), z.unknown()).transform((given, context): Action => {
  const [name, ...others] = Object.keys(given);
  if (name === undefined || others.length > 0) {
    context.addIssue(`needs one of ${actionNames.join(', ')}; several are a list: [{…}, {…}]`);
    return z.NEVER;
  }
  if (!isAction(name)) {
    context.addIssue({ code: 'custom', path: [name], message: `is no action; there are ${actionNames.join(', ')}` });
    return z.NEVER;
  }
  const result = shapes[name].safeParse(given[name]);
  if (result.success) return { name, with: result.data } as Action;
  for (const issue of result.error.issues) {
    const path = [name, ...issue.path, ...(issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [])];
    context.addIssue({
      code: 'custom',
      path,
      message: issue.code === 'unrecognized_keys' ? 'is no known key' : issue.message,
    });
  }
  return z.NEVER;
});

/** Most actions of a rule. */
const MOST_ACTIONS = 10;
const several = z
  .array(action)
  .min(1, { error: 'needs an action' })
  .max(MOST_ACTIONS, { error: `has more than ${MOST_ACTIONS} actions` });

/** One action, or a list of actions. */
export const actions = z.unknown().transform((given, context): [Action, ...Action[]] => {
  const result = several.safeParse(Array.isArray(given) ? given : [given]);
  const [first, ...others] = result.data ?? [];
  if (first) return [first, ...others];
  for (const { message, path } of result.error?.issues ?? []) {
    context.addIssue({ code: 'custom', message, path: Array.isArray(given) ? path : path.slice(1) });
  }
  return z.NEVER;
});

function isAction(name: string): name is ActionName {
  return Object.hasOwn(shapes, name);
}

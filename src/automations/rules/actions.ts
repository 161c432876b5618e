import { z } from 'zod';
import { TASK_NOTE_LENGTH, taskLevels, taskTypes } from '../../contract/tasks.ts';
import { MESSAGE_LENGTH } from '../../contract/conversations.ts';
import { CUSTOM_FIELDS } from '../../contract/reservationLife.ts';
import { clockTime } from './durations.ts';

/** One template, or one a language. */
export type Texts = Readonly<Record<string, string>>;

/** The language of a text that is given without one. */
export const ANY_LANGUAGE = '*';

const template = (most: number) => z.string().trim().min(1).max(most);

/** One template for everybody, or one a language: `{en: …, de: …}`. */
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

const task = z.strictObject({
  type: z.enum(taskTypes),
  on: taskDay.optional().describe('The day it is to be done; left out: check_out; today, of a review or a task.'),
  at: clockTime.optional(),
  note: template(TASK_NOTE_LENGTH).optional(),
  staff_id: z.int().positive().optional(),
  level: z.enum(taskLevels).optional(),
  fee: z.number().min(0).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: 'must be a currency such as EUR' })
    .optional(),
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

const price = z
  .strictObject({
    nights: z.literal('gaps').describe('Which nights: free ones between two stays.'),
    longest_gap: z.int().min(1).max(14).default(2),
    days_ahead: z.int().min(1).max(365).default(60),
    change_percent: z.number().min(-60).max(100),
    floor: z.number().positive().describe('Never below, in the listing’s currency.'),
    ceiling: z.number().positive().describe('Never above.'),
  })
  .refine((given) => given.floor <= given.ceiling, { path: ['floor'], error: 'must not be above ceiling' });

const reviewReply = z.strictObject({ text: texts });

const json: z.ZodType<Json> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(json), z.record(z.string(), json)]),
);
/** JSON whose texts are templates. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

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
  review_reply: reviewReply,
  http,
} as const;

export type ActionName = keyof typeof shapes;
export const actionNames = Object.keys(shapes) as ActionName[];
/** What a rule does: one of the actions, with what it needs. */
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

/** What a rule can do at the most. */
const MOST_ACTIONS = 10;
const several = z
  .array(action)
  .min(1, { error: 'needs an action' })
  .max(MOST_ACTIONS, { error: `has more than ${MOST_ACTIONS} actions` });

/** One action, or a list of them. */
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

import { z } from 'zod';
import { type Action, actions } from './actions.ts';
import { texts } from './actions.ts';
import { askedOfNobody, asksFor, conditions } from './conditions.ts';
import { duration, quietHours } from './durations.ts';
import { trigger } from './trigger.ts';

/** `draft` does nothing; `test` does everything except the action, whose result is stored; `live` acts. */
const ruleStates = ['draft', 'test', 'live'] as const;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const ifPast = z.union([
  z.literal('skip').transform(() => null),
  z.literal('send_now').transform(() => ({ afterMs: 30 * MINUTE_MS, text: null })),
  z
    .strictObject({ after: duration.default(30 * MINUTE_MS), text: texts.optional() })
    .transform((given) => ({ afterMs: given.after, text: given.text ?? null })),
]);

/** One rule as its file states it. */
export const ruleSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,59}$/, { error: 'must be small letters, digits and dashes, 60 at most' }),
    about: z.string().max(500).optional(),
    state: z.enum(ruleStates, { error: `must be one of ${ruleStates.join(', ')}` }),
    when: trigger,
    wait: duration.default(0).describe('So long after a message, a change or an event.'),
    if: conditions.default({}),
    do: actions,
    not_after: duration.optional().describe('Later than this it is not done any more.'),
    quiet: quietHours.optional().describe('Hours in which nothing is said, where the property is.'),
    if_past: ifPast.default(null).describe('What is done when the booking comes after the time.'),
    cancel_if_host_replied: z.boolean().default(true),
    max_turns: z.int().min(1).max(20).default(3).describe('Automatic replies in a row.'),
    max_per_hour: z.int().min(1).max(10_000).default(50),
    secrets_within: duration.default(72 * HOUR_MS).describe('Secrets are sent so long before arrival at the earliest.'),
    allow_upstream_overlap: z
      .boolean()
      .default(false)
      .describe('Also where the other side plans a message of its own.'),
  })
  .superRefine((rule, context) => {
    for (const [path, message] of contradictions(rule as RuleFields)) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  });
type RuleFields = z.output<typeof ruleSchema>;

/** A rule of a file. */
export interface Rule extends Omit<RuleFields, 'do'> {
  /** Its action; with several actions, the one of this part. */
  do: Action;
  /** All its actions. */
  actions: readonly Action[];
  /** The part, with several actions; null with one. */
  part: string | null;
  file: string;
  line: number;
  /** Changes with the text of the rule. */
  fingerprint: string;
  /** The rule as it was written. */
  source: unknown;
}

const ABOUT_STAYS = new Set(['task', 'lock_code', 'tag', 'custom_field', 'availability']);
const SPEAKS = new Set(['message', 'draft', 'ai_draft']);
/** Actions that a rule about tasks allows. Those that need a stay apply to tasks with one. */
const OF_TASKS = new Set(['task', 'tag', 'custom_field', 'note', 'notify', 'http']);
const IN_ROUNDS = new Set(['price', 'min_stay']);
const OFFERS = new Set(['special_offer', 'preapproval']);
const ANSWERS = new Set([...SPEAKS, ...OFFERS]);
const TALK = new Set(['message', 'conversation']);
/** Resources of changes that name a stay, such as a review. */
const OF_STAYS = new Set(['reservation', 'review']);

/** Actions that a rule can contain once only; two would interfere with each other. */
const ONCE = new Set([
  'price',
  'min_stay',
  'review_reply',
  'guest_review',
  'answer_request',
  'special_offer',
  'preapproval',
  'lock_code',
]);

type Contradiction = [path: readonly (string | number)[], message: string];

/** Returns the contradictions within a rule, each with its place. */
function contradictions(rule: RuleFields): Contradiction[] {
  const { do: actions, when } = rule;
  const placed = (path: readonly (string | number)[], at: number) =>
    path[0] === 'do' && actions.length > 1 ? ['do', at] : path;
  const found = actions.flatMap((action, at) =>
    ofAction({ ...rule, do: action }).map(([path, message]): Contradiction => [placed(path, at), message]),
  );
  for (const [at, { name }] of actions.entries()) {
    const others = actions.slice(0, at).map((one) => one.name);
    if (ONCE.has(name) && others.includes(name)) found.push([['do', at], `${name} can be done once by a rule`]);
    if (when.kind === 'message' && ANSWERS.has(name) && others.some((one) => ANSWERS.has(one)))
      found.push([['do', at], 'a message is answered once; one of message, draft, ai_draft and offers is enough']);
  }
  if (rule.if_past !== null && when.kind !== 'time') found.push([['if_past'], 'needs a time relative to a stay']);
  if (rule.wait > 0 && (when.kind === 'time' || when.kind === 'every' || when.kind === 'task')) {
    found.push([['wait'], 'goes with messages, changes and events; a time says by itself when']);
  }
  if ((asksFor(rule.if, 'says') || asksFor(rule.if, 'says_not')) && when.kind !== 'message') {
    found.push([['if'], 'says and says_not need "message from guest"']);
  }
  return found;
}

/** Returns the contradiction of an action, if any. */
function ofAction({ when, if: wanted, do: action }: Pick<RuleFields, 'when' | 'if'> & { do: Action }): Contradiction[] {
  const found: Contradiction[] = [];
  if (when.kind === 'task') return ofTask(wanted, action);
  const isAboutStay =
    when.kind === 'time' || (when.kind === 'change' && OF_STAYS.has(when.resource)) || when.kind === 'event';
  if (ABOUT_STAYS.has(action.name) && !isAboutStay && when.kind !== 'message') {
    found.push([['do'], `${action.name} needs a stay, and this rule is not about one`]);
  }
  if (SPEAKS.has(action.name) && when.kind === 'every') {
    found.push([['do'], `${action.name} needs a guest, and this rule is about nobody`]);
  }
  if (IN_ROUNDS.has(action.name) && when.kind !== 'every')
    found.push([['when'], `${action.name} needs a time such as "every day at 06:00"`]);
  if (OFFERS.has(action.name) && when.kind !== 'message')
    found.push([['when'], `${action.name} needs "message from guest"`]);
  if (action.name === 'ai_draft' && when.kind !== 'message')
    found.push([['when'], 'ai_draft needs "message from guest"']);
  if (action.name === 'review_reply' && !(when.kind === 'change' && when.resource === 'review')) {
    found.push([['when'], 'review_reply needs {change: review}']);
  }
  if (
    action.name === 'answer_request' &&
    !(when.kind === 'time' || (when.kind === 'change' && when.resource === 'reservation'))
  )
    found.push([['when'], 'answer_request needs a time such as "10 minutes after booking", or {change: reservation}']);
  if (action.name === 'answer_request' && asksFor(wanted, 'status'))
    found.push([['if', 'status'], 'is wait_accept with answer_request, which needs no word of it']);
  const isAfterStay = when.kind === 'time' && when.anchor === 'check_out';
  if (action.name === 'guest_review' && !isAfterStay && !(when.kind === 'change' && when.resource === 'review'))
    found.push([['when'], 'guest_review needs a time such as "2 days after check_out at 11:00", or {change: review}']);
  if (SPEAKS.has(action.name) && when.kind === 'change' && TALK.has(when.resource)) {
    found.push([['when'], 'would answer itself; use "message from guest"']);
  }
  if (when.kind === 'every') {
    const mistaken = askedOfNobody(wanted, IN_ROUNDS.has(action.name));
    found.push(...mistaken.map(({ path, problem }): Contradiction => [['if', ...path], problem]));
  }
  return found;
}

function ofTask({ task_type: types }: RuleFields['if'], action: Action): Contradiction[] {
  if (!OF_TASKS.has(action.name)) return [[['do'], `${action.name} does not go with a task`]];
  if (action.name !== 'task' || (types !== undefined && !types.includes(action.with.type))) return [];
  return [[['do'], `would be overdue itself one day: name other types than ${action.with.type} in if.task_type`]];
}

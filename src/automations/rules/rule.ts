import { z } from 'zod';
import { action } from './actions.ts';
import { texts } from './actions.ts';
import { conditions } from './conditions.ts';
import { duration, quietHours } from './durations.ts';
import { trigger } from './trigger.ts';

/** draft: nothing happens · test: everything but the deed, which is kept to be looked at · live. */
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

/** One rule as its file says it. */
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
    do: action,
    not_after: duration.optional().describe('Later than this it is not done any more.'),
    quiet: quietHours.optional().describe('Hours in which nothing is said, where the property is.'),
    if_past: ifPast.default(null).describe('What is done when the booking comes after the time.'),
    cancel_if_host_replied: z.boolean().default(true),
    max_turns: z.int().min(1).max(20).default(3).describe('Automatic replies in a row.'),
    max_per_hour: z.int().min(1).max(10_000).default(50),
    secrets_within: duration.default(72 * HOUR_MS).describe('Secrets are told so long before arrival at the earliest.'),
    beside_upstream: z.boolean().default(false).describe('Also where the other side plans a message of its own.'),
  })
  .superRefine((rule, context) => {
    for (const [path, message] of contradictions(rule as RuleFields)) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
  });
export type RuleFields = z.output<typeof ruleSchema>;

/** A rule of a file. */
export interface Rule extends RuleFields {
  file: string;
  line: number;
  /** Tells one text of it from another. */
  fingerprint: string;
  /** As it was written. */
  source: unknown;
}

const ABOUT_STAYS = new Set(['task', 'lock_code', 'tag', 'custom_field', 'availability']);
const SPEAKS = new Set(['message', 'draft', 'ai_draft']);
const TALK = new Set(['message', 'conversation']);
const OF_STAYS = new Set(['reservation']);

/** Parts of a rule that do not fit each other, by the place that is to blame. */
function contradictions(rule: RuleFields): [path: readonly string[], message: string][] {
  const found: [readonly string[], string][] = [];
  const { when, do: deed } = rule;
  const isAboutStay =
    when.kind === 'time' || (when.kind === 'change' && OF_STAYS.has(when.resource)) || when.kind === 'event';
  if (ABOUT_STAYS.has(deed.name) && !isAboutStay && when.kind !== 'message') {
    found.push([['do'], `${deed.name} needs a stay, and this rule is not about one`]);
  }
  if (SPEAKS.has(deed.name) && when.kind === 'every') {
    found.push([['do'], `${deed.name} needs a guest, and this rule is about nobody`]);
  }
  if (deed.name === 'price' && when.kind !== 'every')
    found.push([['when'], 'price needs a time such as "every day at 06:00"']);
  if (deed.name === 'ai_draft' && when.kind !== 'message')
    found.push([['when'], 'ai_draft needs "message from guest"']);
  if (deed.name === 'review_reply' && !(when.kind === 'change' && when.resource === 'review')) {
    found.push([['when'], 'review_reply needs {change: review}']);
  }
  if (SPEAKS.has(deed.name) && when.kind === 'change' && TALK.has(when.resource)) {
    found.push([['when'], 'would answer itself; use "message from guest"']);
  }
  if (rule.if_past !== null && when.kind !== 'time') found.push([['if_past'], 'needs a time relative to a stay']);
  if (rule.wait > 0 && (when.kind === 'time' || when.kind === 'every')) {
    found.push([['wait'], 'goes with messages, changes and events; a time says by itself when']);
  }
  if ((rule.if.says !== undefined || rule.if.says_not !== undefined) && when.kind !== 'message') {
    found.push([['if'], 'says and says_not need "message from guest"']);
  }
  return found;
}

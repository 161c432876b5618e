import { z } from 'zod';
import { channelType, listOf, none, nothing, openEnum, paging, timestamp } from './fields.ts';
import { operation } from './operation.ts';

/** Days ahead that listed actions reach. */
export const AUTOMATION_DAYS = 30;
const actionTypes = ['message', 'review', 'task', 'lock_code'] as const;
/** Moments of a stay that a rule can count from. */
export const ruleEvents = ['booking', 'check_in', 'check_out'] as const;
/** One of {@link ruleEvents}. */
export type RuleEvent = (typeof ruleEvents)[number];

/** A message or review that a rule plans for a stay. */
export const automationAction = z
  .object({
    plan_id: z.string(),
    type: openEnum(actionTypes, 'action_type'),
    status: openEnum(['waiting']),
    name: z.string(),
    send_to: z.string().nullable(),
    stay_code: z.string().nullable(),
    property_id: z.int().nullable(),
    property_title: z.string().nullable(),
    scheduled_at: timestamp.describe('When it is due, with the operator’s offset.'),
    channel_type: channelType.nullable(),
  })
  .meta({ family: 'automation_action', schemaName: 'AutomationAction' });

const idList = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15}){0,99}$/, { error: 'must be ids separated by commas, 100 at most' })
  .meta({ commaList: 'integer' });
const wordList = z
  .string()
  .regex(/^[\w-]{1,50}(,[\w-]{1,50}){0,99}$/, { error: 'must be names separated by commas' })
  .meta({ commaList: 'string' });

/** Lists the planned actions of the whole account, the next first, up to {@link AUTOMATION_DAYS} days ahead. */
export const listAutomationActions = operation({
  method: 'GET',
  path: '/automation/actions',
  params: none,
  query: z.object({
    ...paging,
    type: z.string().max(50).meta({ vocabulary: 'action_type' }).optional().describe('message, review or another.'),
    keyword: z.string().max(100).optional().describe('Part of the name.'),
    stay_code: z.string().optional().describe('Actions about one stay.'),
    property_ids: idList.optional().describe('Actions about these properties.'),
    start_time: timestamp.optional().describe('Due then or later. Without an offset: operator time.'),
    end_time: timestamp.optional().describe('Due then or earlier; a bare date includes its day.'),
    channel_types: wordList
      .meta({ vocabulary: 'channel' })
      .optional()
      .describe('Actions about stays of these channels.'),
    rule_event: z
      .string()
      .max(50)
      .optional()
      .describe(`What the rule counts from: ${ruleEvents.join(', ')}.`),
  }),
  body: null,
  data: listOf('actions', automationAction),
  scope: 'read',
  rate: 'default',
  tool: { name: 'search_automation_actions', category: 'automation' },
  since: '3.4.0',
  summary: 'What rules are going to do, the next first.',
  notes: `Up to ${AUTOMATION_DAYS} days ahead; of the whole account, whoever asks.`,
  example: { type: 'message', start_time: '2027-03-01T00:00:00Z', end_time: '2027-03-31T00:00:00Z' },
  errors: [],
  emits: [],
});

const params = z.object({ plan_id: z.string().describe('The action.') });

/** Sends the message or posts the review now. The action cannot be undone. */
export const executeAutomationAction = operation({
  method: 'POST',
  path: '/automation/actions/{plan_id}/execute',
  params,
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'execute_automation_action', category: 'automation' },
  since: '3.4.0',
  summary: 'Sends the message or posts the review now instead of when it is due.',
  notes:
    'Cannot be undone. A review waits for the day of check-out, in the property’s zone; a message needs a booking of a channel, or one that has a conversation.',
  errors: [400, 403, 404],
  emits: ['message_created', 'review_created', 'review_updated'],
  example: { plan_id: 'r3-s12' },
});

/** Removes one action from the plan for good. Its rule stays in force. */
export const deleteAutomationAction = operation({
  method: 'DELETE',
  path: '/automation/actions/{plan_id}',
  params,
  query: none,
  body: null,
  data: nothing,
  scope: 'confirm',
  rate: 'default',
  tool: { name: 'delete_automation_action', category: 'automation' },
  since: '3.4.0',
  summary: 'Takes this one message or review off the plan for good; its rule goes on.',
  example: { plan_id: 'r3-s12' },
  errors: [400, 403, 404],
  emits: [],
});

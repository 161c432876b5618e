import { z } from 'zod';
import { derivedNotes } from '../../sync/feed/derived/names.ts';
import { durationMs } from './durations.ts';

const anchors = ['booking', 'cancellation', 'check_in', 'check_out'] as const;
/** The moment of a stay from which a time is counted. */
type Anchor = (typeof anchors)[number];

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof weekdays)[number];

/** A time relative to a stay: whole days and a local time at the property, or an offset from the moment itself. */
export interface TimeTrigger {
  kind: 'time';
  anchor: Anchor;
  /** Negative for days before. */
  days: number;
  /** `HH:MM`; null to count from the moment itself. */
  at: string | null;
  /** Applies only if `at` is null. Negative for a time before. */
  offsetMs: number;
}

/** A recurring time, in the account's zone. */
export interface EveryTrigger {
  kind: 'every';
  on: 'day' | Weekday | { dayOfMonth: number };
  at: string;
}

/** A time relative to the expected day of a task that is neither completed nor cancelled. */
export interface TaskTrigger {
  kind: 'task';
  /** Negative for days before. */
  days: number;
  at: string;
}

/** A message of a guest. */
interface MessageTrigger {
  kind: 'message';
}

/** A change of a row, as the feed reports it. */
interface ChangeTrigger {
  kind: 'change';
  resource: string;
  ops: readonly string[];
  /** The fields that must differ; empty for any. */
  fields: readonly string[];
}

/** A derived event. */
interface EventTrigger {
  kind: 'event';
  name: string;
}

type Trigger = TimeTrigger | EveryTrigger | TaskTrigger | MessageTrigger | ChangeTrigger | EventTrigger;

/** Resources of the feed that a rule can wait for. */
const changeResources = [
  'reservation',
  'conversation',
  'message',
  'special_offer',
  'review',
  'transaction',
  'property',
  'availability',
  'calendar',
  'listing',
  'channel_account',
  'task',
  'staff',
  'automation_action',
  'knowledge_base',
  'room_type',
  'property_group',
  'property_tag',
  'reservation_tag',
  'calendar_share_link',
  'custom_channel',
  'account',
  'webhook',
  'dictionary_item',
] as const;
const ops = ['created', 'updated', 'deleted'] as const;
const eventNames = Object.keys(derivedNotes) as [keyof typeof derivedNotes];

/** Examples of every form of trigger. */
export const triggerExamples = [
  '2 days before check_in at 16:00',
  '3 hours after check_out',
  '30 minutes after booking',
  '1 hour after cancellation',
  'message from guest',
  'task overdue at 09:00',
  '1 day before task at 18:00',
  'every monday at 08:00',
  '{change: reservation, op: created}',
  '{event: deposit_paid}',
] as const;

const WHEN_HELP =
  'must be a time such as "2 days before check_in at 16:00", "30 minutes after booking", "every monday at 08:00", "task overdue at 09:00", or "message from guest"';
const DAYS =
  /^(?:(\d{1,3}) days? (before|after) )?(booking|cancellation|check[-_ ]?in|check[-_ ]?out) at ((?:[01]\d|2[0-3]):[0-5]\d)$/;
const TASK = /^(?:(\d{1,3}) days? (before|after) )?task at ((?:[01]\d|2[0-3]):[0-5]\d)$/;
const OVERDUE = /^task overdue at ((?:[01]\d|2[0-3]):[0-5]\d)$/;
const SPAN =
  /^(?:(\d{1,4} (?:minute|hour|day)s?) (before|after) )?(booking|cancellation|check[-_ ]?in|check[-_ ]?out)$/;
const EVERY =
  /^every (day|monday|tuesday|wednesday|thursday|friday|saturday|sunday|month on day ([1-9]|1\d|2[0-8])) at ((?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Parses the text of a trigger; undefined if it matches no form. */
export function readTrigger(given: string): Trigger | undefined {
  const text = given.trim().toLowerCase();
  if (text === 'message from guest') return { kind: 'message' };
  return readEvery(text) ?? readDays(text) ?? readTask(text) ?? readSpan(text);
}

function readEvery(text: string): EveryTrigger | undefined {
  const [, on, dayOfMonth, at] = EVERY.exec(text) ?? [];
  if (on === undefined || at === undefined) return undefined;
  return { kind: 'every', at, on: dayOfMonth === undefined ? (on as Weekday) : { dayOfMonth: Number(dayOfMonth) } };
}

function readDays(text: string): TimeTrigger | undefined {
  const [, count = '0', side, anchor, at] = DAYS.exec(text) ?? [];
  if (anchor === undefined || at === undefined) return undefined;
  return { kind: 'time', anchor: anchorOf(anchor), days: signed(Number(count), side), at, offsetMs: 0 };
}

/** Parses a trigger about tasks. A task is overdue from the day after its expected day. */
function readTask(text: string): TaskTrigger | undefined {
  const [, overdueAt] = OVERDUE.exec(text) ?? [];
  if (overdueAt !== undefined) return { kind: 'task', days: 1, at: overdueAt };
  const [, count = '0', side, at] = TASK.exec(text) ?? [];
  return at === undefined ? undefined : { kind: 'task', days: signed(Number(count), side), at };
}

function readSpan(text: string): TimeTrigger | undefined {
  const [, span, side, anchor] = SPAN.exec(text) ?? [];
  if (anchor === undefined) return undefined;
  const of = anchorOf(anchor);
  const ms = span === undefined ? 0 : (durationMs(span) ?? 0);
  // No rule can act before a reservation or a cancellation is made.
  if (side === 'before' && (of === 'booking' || of === 'cancellation')) return undefined;
  return { kind: 'time', anchor: of, days: 0, at: null, offsetMs: signed(ms, side) };
}

const signed = (amount: number, side: string | undefined) => (side === 'before' && amount > 0 ? -amount : amount);
const anchorOf = (text: string) => text.replace(/^check[-_ ]?/, 'check_') as Anchor;

const written = z.string().transform((text, context): Trigger => {
  const trigger = readTrigger(text);
  if (trigger) return trigger;
  context.addIssue(WHEN_HELP);
  return z.NEVER;
});

const change = z
  .strictObject({
    change: z.enum(changeResources),
    op: z.union([z.enum(ops).transform((one) => [one]), z.array(z.enum(ops)).min(1)]).default([...ops]),
    fields: z.array(z.string().min(1)).default([]),
  })
  .transform((given): Trigger => ({ kind: 'change', resource: given.change, ops: given.op, fields: given.fields }));

const event = z
  .strictObject({ event: z.enum(eventNames) })
  .transform((given): Trigger => ({ kind: 'event', name: given.event }));

/** The trigger of a rule. */
export const trigger = z.unknown().transform((given, context): Trigger => {
  const schema = typeof given === 'string' ? written : isMap(given) && 'event' in given ? event : change;
  if (typeof given !== 'string' && !isMap(given)) {
    context.addIssue(WHEN_HELP);
    return z.NEVER;
  }
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  for (const { message, path } of result.error.issues) context.addIssue({ code: 'custom', message, path });
  return z.NEVER;
});

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

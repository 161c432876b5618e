import type { EventKind } from '../../../contract/events.ts';
import { addDays, type Instant, instantOf, isPlainDate, type PlainDate } from '../../../kernel/dates.ts';
import { type DateRange, mergeRanges } from '../../tables/rows/dateHints.ts';
import { placeIn } from '../../tables/conversations/messages.ts';

/** An event that came, with the facts that identify its change. */
export interface ArrivedEvent {
  event_id: string;
  event: string;
  /** Empty: none. */
  sub_event: string;
  /** The stay or the message; null: it names none. */
  part: string | null;
  /** The days that it names; null: none. */
  days: readonly DateRange[] | null;
  /** The moment when it was queued, by the clock of its sender; null: not stated. */
  queued_at: Instant | null;
  received_at: Instant;
}

/** A change whose event is looked for. */
interface Missed {
  event: string;
  sub_event: string;
  /** null: the event of any row under the key announces it. */
  part: string | null;
  since: Instant;
  seen_at: Instant;
}

/** Parses an event of the inbox, whose body is stored exactly as received. */
export function arrivedEvent(row: {
  event_id: string;
  event: string;
  received_at: Instant;
  body: string | null;
}): ArrivedEvent {
  const { event_id, event, received_at } = row;
  const fields = fieldsOf(row);
  return {
    event_id,
    event,
    sub_event: textOf(fields['sub_event']) ?? '',
    part: textOf(fields['stay_code']) ?? messageNamed(fields),
    days: daysNamed(fields),
    queued_at: momentNamed(fields),
    received_at,
  };
}

/**
 * Returns the moment when an event was queued, by the clock of its sender; null: not stated. It does not parse the
 * days.
 */
export function queuedAt(row: { body: string | null }): Instant | null {
  return momentNamed(fieldsOf(row));
}

function fieldsOf({ body }: { body: string | null }): Record<string, unknown> {
  return body === null ? {} : (JSON.parse(body) as Record<string, unknown>);
}

function momentNamed({ timestamp }: Record<string, unknown>): Instant | null {
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(at) ? null : instantOf(at);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function messageNamed({ conversation_id: conversation, message_id: message }: Record<string, unknown>): string | null {
  return typeof conversation === 'string' && typeof message === 'string' ? placeIn(conversation, message) : null;
}

function daysNamed(fields: Record<string, unknown>): DateRange[] | null {
  const { availabilities, start_date: from, end_date: to } = fields;
  if (Array.isArray(availabilities)) {
    const dates = availabilities.map((one) => (one as { date?: unknown } | null)?.date);
    return rangesOf(dates.filter((date): date is PlainDate => typeof date === 'string' && isPlainDate(date)));
  }
  if (typeof from !== 'string' || typeof to !== 'string' || !isPlainDate(from) || !isPlainDate(to)) return null;
  return [{ from, to }];
}

/** Events that happen once for each row: the row identifies them, whatever clocks say. */
export const onceOnly: ReadonlySet<string> = new Set<EventKind>([
  'reservation_created',
  'transaction_created',
  'transaction_deleted',
  'message_created',
  'review_created',
]);

/**
 * Returns true if an event is the missed one, or indistinguishable from it: the same kind and row, queued after the
 * mirror was last right and before the scan's answer. Of several changes of one kind in that time only the last state
 * was seen, so any of their events matches.
 */
export function announces(arrived: ArrivedEvent, missed: Missed): boolean {
  if (arrived.event !== missed.event || arrived.sub_event !== missed.sub_event) return false;
  if (missed.part !== null && arrived.part !== null && arrived.part !== missed.part) return false;
  if (onceOnly.has(missed.event)) return true;
  const { queued_at: queued, received_at: received } = arrived;
  return queued === null ? received >= missed.since : queued >= missed.since && queued <= missed.seen_at;
}

/** Returns dates as ranges of neighbours, in order. */
export function rangesOf(dates: readonly PlainDate[]): DateRange[] {
  return mergeRanges(dates.map((date) => ({ from: date, to: date })));
}

/** Returns the parts of some ranges that others leave. Both must be in order and merged; so is the result. */
export function without(days: readonly DateRange[], announced: readonly DateRange[]): DateRange[] {
  let left = [...days];
  for (const { from, to } of announced) {
    left = left.flatMap((range) => {
      if (range.to < from || range.from > to) return [range];
      const parts: DateRange[] = [];
      if (range.from < from) parts.push({ from: range.from, to: addDays(from, -1) });
      if (range.to > to) parts.push({ from: addDays(to, 1), to: range.to });
      return parts;
    });
  }
  return left;
}

/** Formats ranges: `2027-03-05:2027-03-07,2027-04-01:2027-04-01` */
export function daysText(days: readonly DateRange[]): string {
  return days.map(({ from, to }) => `${from}:${to}`).join(',');
}

/** Parses the result of {@link daysText}. */
export function daysOf(text: string): DateRange[] {
  return text.split(',').map((range) => ({ from: range.slice(0, 10), to: range.slice(11) }));
}

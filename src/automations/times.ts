import {
  addDays,
  addDaysWithin,
  type Instant,
  instantWithin,
  msOf,
  type PlainDate,
  withOffset,
} from '../kernel/dates.ts';
import { momentOf } from '../kernel/quietHours.ts';
import type { StayFacts } from './facts/facts.ts';
import type { EveryTrigger, TimeTrigger, Weekday } from './rules/trigger.ts';
import { weekdays } from './rules/trigger.ts';

/** Usual times of arrival and departure if a stay has none; `HH:MM`. */
export interface UsualTimes {
  check_in: string;
  check_out: string;
}

/** Returns the time at which a rule is due for a stay; undefined if the stay has no such moment. */
export function dueOf(trigger: TimeTrigger, stay: StayFacts, zone: string, usual: UsualTimes): Instant | undefined {
  const { anchor, at, days, offsetMs } = trigger;
  if (at !== null) {
    const date = dateOf(anchor, stay, zone);
    return date === undefined ? undefined : momentOf(addDaysWithin(date, days), at, zone);
  }
  const moment = anchorMoment(anchor, stay, zone, usual);
  return moment === undefined ? undefined : instantWithin(msOf(moment) + offsetMs);
}

function dateOf(anchor: TimeTrigger['anchor'], stay: StayFacts, zone: string): PlainDate | undefined {
  if (anchor === 'check_in') return stay.check_in_date;
  if (anchor === 'check_out') return stay.check_out_date;
  const moment = anchor === 'booking' ? bookedAt(stay) : stay.cancelled_at;
  return moment === null ? undefined : withOffset(moment, zone).slice(0, 10);
}

function anchorMoment(
  anchor: TimeTrigger['anchor'],
  stay: StayFacts,
  zone: string,
  usual: UsualTimes,
): Instant | undefined {
  switch (anchor) {
    case 'booking':
      return bookedAt(stay) ?? undefined;
    case 'cancellation':
      return stay.cancelled_at ?? undefined;
    case 'check_in':
      return momentOf(stay.check_in_date, stay.arrival ?? usual.check_in, zone);
    case 'check_out':
      return momentOf(stay.check_out_date, stay.departure ?? usual.check_out, zone);
    default:
      throw new Error(`unknown anchor ${String(anchor)}`);
  }
}

/**
 * Returns the time at which the reservation was made, or else became known. A channel may report a reservation long
 * after it was made.
 */
export function bookedAt({ booked_at, created_at }: Pick<StayFacts, 'booked_at' | 'created_at'>): Instant | null {
  return booked_at ?? created_at;
}

/** Returns the newest time of a recurring rule, no later than `now`, with its date. */
export function lastRound(
  trigger: EveryTrigger,
  now: Instant,
  zone: string,
): { date: PlainDate; at: Instant } | undefined {
  const today = withOffset(now, zone).slice(0, 10);
  for (let back = 0; back <= 31; back += 1) {
    const date = addDays(today, -back);
    if (!isOn(trigger.on, date)) continue;
    const at = momentOf(date, trigger.at, zone);
    if (at <= now) return { date, at };
  }
  return undefined;
}

function isOn(on: EveryTrigger['on'], date: PlainDate): boolean {
  if (on === 'day') return true;
  if (typeof on === 'object') return Number(date.slice(8, 10)) === on.dayOfMonth;
  return weekdayOf(date) === on;
}

/** Returns the weekday of a date. */
export function weekdayOf(date: PlainDate): Weekday {
  const day = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return weekdays[day] as Weekday;
}

const DAY = /^(?:(\d{1,3}) days? (before|after) )?(check_in|check_out|today)$/;

/**
 * Returns the date that a rule expresses relative to a stay, or to the planned day: `check_out`, `1 day after today`.
 */
export function dayOf(
  text: string,
  stay: { check_in_date: PlainDate; check_out_date: PlainDate },
  today: PlainDate = stay.check_out_date,
): PlainDate {
  const [, count = '0', side, anchor] = DAY.exec(text) ?? [];
  const date = anchor === 'today' ? today : anchor === 'check_in' ? stay.check_in_date : stay.check_out_date;
  return addDaysWithin(date, side === 'before' ? -Number(count) : Number(count));
}

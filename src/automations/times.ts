import {
  addDays,
  addDaysWithin,
  type Instant,
  instantWithin,
  isTimeZone,
  msOf,
  type PlainDate,
  readInstant,
  withOffset,
} from '../kernel/dates.ts';
import type { StayFacts } from './facts/facts.ts';
import type { QuietHours } from './rules/durations.ts';
import type { EveryTrigger, TimeTrigger, Weekday } from './rules/trigger.ts';
import { weekdays } from './rules/trigger.ts';

/** When arrivals and departures are, where nobody has said so; `HH:MM`. */
export interface UsualTimes {
  check_in: string;
  check_out: string;
}

/** A moment of a date, by the clock on the wall; a time that the zone skips moves forward, of one that it repeats it is the first. */
export function momentOf(date: PlainDate, time: string, zone: string): Instant {
  const instant = readInstant(`${date}T${time}:00`, isTimeZone(zone) ? zone : 'UTC');
  if (instant === undefined) throw new Error(`${date} ${time} is no moment`);
  return instant;
}

/** When a rule about a stay is due; undefined when the stay has no such moment. */
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

/** When a stay became known: what a channel tells late was booked before it came. */
export function bookedAt({ booked_at, created_at }: Pick<StayFacts, 'booked_at' | 'created_at'>): Instant | null {
  return booked_at ?? created_at;
}

/** The moment itself, or the end of the quiet hours that it falls into. */
export function afterQuiet(moment: Instant, quiet: QuietHours | null, zone: string): Instant {
  if (quiet === null) return moment;
  const local = withOffset(moment, zone);
  const [date, time] = [local.slice(0, 10), local.slice(11, 16)];
  const overMidnight = quiet.from > quiet.to;
  const isQuiet = overMidnight ? time >= quiet.from || time < quiet.to : time >= quiet.from && time < quiet.to;
  if (!isQuiet) return moment;
  const end = momentOf(overMidnight && time >= quiet.from ? addDaysWithin(date, 1) : date, quiet.to, zone);
  // Where the clock is set back, the end of the hours can lie before a moment within them.
  return end > moment ? end : moment;
}

/** The newest time, not after `now`, at which a rule comes round again; and the date that names it. */
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

/** The day of the week of a date. */
export function weekdayOf(date: PlainDate): Weekday {
  const day = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  return weekdays[day] as Weekday;
}

const DAY = /^(?:(\d{1,3}) days? (before|after) )?(check_in|check_out|today)$/;

/** The date that a rule names by a stay, or by the day for which it is planned: `check_out`, `1 day after today`. */
export function dayOf(
  text: string,
  stay: { check_in_date: PlainDate; check_out_date: PlainDate },
  today: PlainDate = stay.check_out_date,
): PlainDate {
  const [, count = '0', side, anchor] = DAY.exec(text) ?? [];
  const date = anchor === 'today' ? today : anchor === 'check_in' ? stay.check_in_date : stay.check_out_date;
  return addDaysWithin(date, side === 'before' ? -Number(count) : Number(count));
}

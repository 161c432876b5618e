import { parse, validateDetailed } from 'node-cron';
import { addDays, dateIn, dayNumber, msOf, type PlainDate, readInstant } from '../../../kernel/dates.ts';

/** A schedule in the form of crontab. */
export interface Cron {
  minutes: readonly number[];
  hours: readonly number[];
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  /** 0: Sunday. */
  weekdays: ReadonlySet<number>;
}

const FIELDS = 5;
const ALL_DAYS = 31;
const WEEK = 7;
/** 1970-01-01 was a Thursday. */
const THURSDAY = 4;
/** The furthest date that any pattern can have: 29 February on a certain weekday. */
const MOST_DAYS = 41 * 366;

/**
 * Reads five fields: minute, hour, day of the month, month, day of the week.
 * @returns the problem, for people, if the pattern cannot be read
 */
export function readCron(pattern: string): Cron | { problem: string } {
  const text = pattern.trim();
  const count = text.split(/\s+/).length;
  if (count !== FIELDS) return { problem: `has ${count} of the ${FIELDS} fields minute hour day month weekday` };
  const { valid, errors } = validateDetailed(text);
  const [error] = errors;
  if (!valid) return { problem: error ? `${nameOf(error.field)}: ${error.message}` : 'is no pattern of cron' };
  const { minute, hour, dayOfMonth, month, dayOfWeek } = parse(text);
  const odd = [...dayOfMonth, ...dayOfWeek].find((one) => typeof one === 'string');
  if (odd !== undefined) return { problem: `${odd}: only numbers, names, lists, ranges and steps are taken` };
  const cron: Cron = {
    minutes: minute,
    hours: hour,
    days: new Set(dayOfMonth.map(Number)),
    months: new Set(month),
    weekdays: new Set(dayOfWeek.map((day) => Number(day) % WEEK)),
  };
  return cron;
}

function nameOf(field: string): string {
  return field === 'dayOfMonth' ? 'day' : field === 'dayOfWeek' ? 'weekday' : field;
}

/**
 * Returns the first moment after `afterMs` (epoch milliseconds) that a pattern names, by the clocks of a zone. A time
 * that the zone skips is moved forward by the gap; one that it repeats counts once, the first time.
 * @returns undefined if there is none
 */
export function nextRun(cron: Cron, zone: string, afterMs: number): number | undefined {
  let date = dateIn(zone, afterMs);
  for (let tried = 0; tried < MOST_DAYS; tried += 1, date = addDays(date, 1)) {
    if (!isDay(cron, date)) continue;
    const moments = cron.hours.flatMap((hour) => cron.minutes.map((minute) => momentOf(date, hour, minute, zone)));
    const next = Math.min(...moments.filter((at) => at > afterMs));
    if (Number.isFinite(next)) return next;
  }
  return undefined;
}

/** Returns the last moment after `afterMs`, up to `untilMs`, that a pattern names; undefined if there is none. */
export function lastRun(cron: Cron, zone: string, [afterMs, untilMs]: [number, number]): number | undefined {
  const first = dateIn(zone, afterMs);
  for (let date = dateIn(zone, untilMs); date >= first; date = addDays(date, -1)) {
    if (!isDay(cron, date)) continue;
    const moments = cron.hours.flatMap((hour) => cron.minutes.map((minute) => momentOf(date, hour, minute, zone)));
    const last = Math.max(...moments.filter((at) => at > afterMs && at <= untilMs));
    if (Number.isFinite(last)) return last;
  }
  return undefined;
}

/** Follows crontab: if both kinds of day are restricted, either is enough. */
function isDay({ days, months, weekdays }: Cron, date: PlainDate): boolean {
  if (!months.has(Number(date.slice(5, 7)))) return false;
  const isOfMonth = days.has(Number(date.slice(8)));
  const isOfWeek = weekdays.has((((dayNumber(date) + THURSDAY) % WEEK) + WEEK) % WEEK);
  const both = days.size < ALL_DAYS && weekdays.size < WEEK;
  return both ? isOfMonth || isOfWeek : isOfMonth && isOfWeek;
}

function momentOf(date: PlainDate, hour: number, minute: number, zone: string): number {
  const two = (value: number) => String(value).padStart(2, '0');
  const at = readInstant(`${date}T${two(hour)}:${two(minute)}:00`, zone);
  return at === undefined ? Number.NaN : msOf(at);
}

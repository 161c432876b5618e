import { addDaysWithin, type Instant, isTimeZone, type PlainDate, readInstant, withOffset } from './dates.ts';

/** A local time, `HH:MM`. */
export const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Hours in which nobody is disturbed, in local time; they may reach over midnight. */
export interface QuietHours {
  from: string;
  to: string;
}

/** Reads hours such as `21:00-09:00`; null for `off`, undefined for any other text. */
export function readQuietHours(text: string): QuietHours | null | undefined {
  if (text === 'off') return null;
  const [from = '', to = '', rest] = text.split('-').map((one) => one.trim());
  return rest === undefined && CLOCK_TIME.test(from) && CLOCK_TIME.test(to) && from !== to ? { from, to } : undefined;
}

/**
 * Returns the instant of a local time. A time that the zone skips moves forward; of a repeated time, the first counts.
 */
export function momentOf(date: PlainDate, time: string, zone: string): Instant {
  const instant = readInstant(`${date}T${time}:00`, isTimeZone(zone) ? zone : 'UTC');
  if (instant === undefined) throw new Error(`${date} ${time} is no moment`);
  return instant;
}

/** Returns the moment itself, or the end of the quiet hours that contain it. */
export function afterQuiet(moment: Instant, quiet: QuietHours | null, zone: string): Instant {
  if (quiet === null) return moment;
  const local = withOffset(moment, zone);
  const [date, time] = [local.slice(0, 10), local.slice(11, 16)];
  const overMidnight = quiet.from > quiet.to;
  const isQuiet = overMidnight ? time >= quiet.from || time < quiet.to : time >= quiet.from && time < quiet.to;
  if (!isQuiet) return moment;
  const end = momentOf(overMidnight && time >= quiet.from ? addDaysWithin(date, 1) : date, quiet.to, zone);
  // When the clock is set back, the end of the quiet hours can precede a moment within them.
  return end > moment ? end : moment;
}

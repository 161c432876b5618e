import { z } from 'zod';
import { CLOCK_TIME, type QuietHours, readQuietHours } from '../../kernel/quietHours.ts';

const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const DURATION = /^(\d{1,4}) ?(minute|hour|day)s?$/;

/** Returns `30 minutes`, `6 hours` or `2 days` in milliseconds; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text.trim()) ?? [];
  return count === undefined ? undefined : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** A duration in a rule, in milliseconds. */
export const duration = z.string().transform((text, context) => {
  const ms = durationMs(text);
  if (ms !== undefined) return ms;
  context.addIssue('must be a span such as 30 minutes, 6 hours or 2 days');
  return z.NEVER;
});

/** Local time, `HH:MM`. */
export const clockTime = z.string().regex(CLOCK_TIME, { error: 'must be a time such as 16:00, in quotes' });

/** Quiet hours such as `21:00-09:00`, or `off` for none. */
export const quietHours = z.string().transform((text, context): QuietHours | null => {
  const hours = readQuietHours(text);
  if (hours !== undefined) return hours;
  context.addIssue('must be hours such as 21:00-09:00, or off');
  return z.NEVER;
});

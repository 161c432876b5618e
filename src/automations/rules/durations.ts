import { z } from 'zod';

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

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Local time, `HH:MM`. */
export const clockTime = z.string().regex(CLOCK, { error: 'must be a time such as 16:00, in quotes' });

export interface QuietHours {
  from: string;
  to: string;
}

/** Quiet hours such as `21:00-09:00`, or `off` for none. */
export const quietHours = z.string().transform((text, context): QuietHours | null => {
  if (text === 'off') return null;
  const [from = '', to = '', rest] = text.split('-').map((one) => one.trim());
  if (rest === undefined && CLOCK.test(from) && CLOCK.test(to) && from !== to) return { from, to };
  context.addIssue('must be hours such as 21:00-09:00, or off');
  return z.NEVER;
});

import { z } from 'zod';
import { type Instant, readInstant } from '../../kernel/dates.ts';

/** Transforms a date or moment into UTC text, which sorts correctly, since its year has four digits. */
export function toInstant(text: string, context: z.RefinementCtx): Instant {
  const instant = readInstant(text, 'UTC');
  if (instant !== undefined) return instant;
  context.addIssue('must lie in the years 100 to 9999');
  return z.NEVER;
}

/** The end of something: a moment, or the beginning of a day in UTC. */
export const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'must be a date or a moment, ISO 8601' })
  .transform(toInstant);

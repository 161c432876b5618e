import { z } from 'zod';
import type { Visit } from '../visit.ts';
import type { Asked, ReportInfo } from './read.ts';

const text = z.string().max(40).optional();

/** The fields of the page's address. */
export const reportsQuestion = z.object({
  /** Its name; without one the catalogue is shown. */
  report: text,
  from: text,
  to: text,
  as_of: text,
  by: text,
  /** The id of one, or `all` for a row of each; left out: all together. */
  property: z
    .string()
    .regex(/^(all|\d{1,15})$/)
    .optional(),
  owner: text,
  nights: z.coerce.number().int().min(1).max(100_000).optional(),
  persons: z.literal('yes').optional(),
  /** The column that is drawn and compared. */
  measure: z.string().max(60).optional(),
  compare: z.literal('year').optional(),
  columns: z.literal('all').optional(),
});

/** What the address of the page asks for. */
export type ReportsQuestion = z.output<typeof reportsQuestion>;

/** Returns what a report is asked: its own options alone, and this year where nothing else is said. */
export function askedOf({ filters, persons }: ReportInfo, question: ReportsQuestion, { today, may }: Visit): Asked {
  const { from, to, as_of, by, property, owner, nights } = question;
  const isByTime = filters.dates === 'period' || (filters.dates === 'month' && !filters.asOf);
  const year = isByTime && by !== 'all' && from === undefined && to === undefined ? today.slice(0, 4) : undefined;
  return {
    ...(filters.dates !== undefined && { from: from ?? year, to: to ?? year }),
    ...(filters.asOf && { as_of }),
    ...(filters.by && { by }),
    ...(filters.property !== undefined && { property }),
    ...(filters.owner && { owner }),
    ...(filters.mostNights !== undefined && { nights }),
    ...(persons.length > 0 && question.persons !== undefined && may('persons') && { persons: true }),
  };
}

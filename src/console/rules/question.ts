import { z } from 'zod';
import { isPlainDate } from '../../kernel/dates.ts';

const MOST_ENTRIES = 1_000;
/** Lines of the log that a page shows at first. */
export const ENTRIES = 50;
/** Steps of plans and rules that the log can be reduced to. */
export const steps = [
  'sent',
  'tested',
  'skipped',
  'waiting',
  'awaiting_approval',
  'approved',
  'cancelled',
  'failed',
  'uncertain',
  'unknown',
  'paused',
  'resumed',
] as const;

/** The fields of the page's address. */
export const rulesQuestion = z.object({
  /** One rule; left out: all. */
  rule: z.string().max(100).optional(),
  what: z.enum(steps).optional(),
  entries: z.coerce.number().int().min(1).max(MOST_ENTRIES).default(ENTRIES),
  /** The first day of a dry run. */
  since: z.string().refine(isPlainDate).optional(),
  /** A file to edit; empty names are left out, so a new file has a name of its own. */
  file: z.string().max(200).optional(),
  /** True where a new file is written. */
  new: z.literal('file').optional(),
});

/** What the page shows, as its address has it. */
export type RulesQuestion = z.output<typeof rulesQuestion>;

import { z } from 'zod';
import { isPlainDate, type PlainDate } from '../../kernel/dates.ts';
import type { NamedTask, TasksRead } from './query.ts';

const whole = z.coerce.number().int().min(0);

/** The fields of the page's address. */
export const tasksQuestion = z.object({
  day: z.string().refine(isPlainDate, 'must be a date such as 2027-03-01').optional(),
  days: z.literal(['1', '7']).default('1'),
  type: z.string().max(40).optional(),
  status: z.string().max(40).optional(),
  /** Id of the person; 0: nobody yet. */
  staff: whole.optional(),
  property: whole.optional(),
  /** The task whose details are open. */
  task: whole.optional(),
  /** A photo of the open task. */
  photo: z.string().max(64).optional(),
  /** The person whose details are open. */
  person: whole.optional(),
});

/** What the address of the page asks for. */
export type TasksQuestion = z.output<typeof tasksQuestion>;

/** One who does tasks. */
export interface StaffLine {
  readonly id: number;
  readonly name: string | null;
  readonly mobile: string | null;
  readonly email: string | null;
  readonly note: string | null;
  readonly is_active: number | null;
}

/** All that the page shows. */
export interface TasksShown extends TasksRead {
  readonly first: PlainDate;
  readonly end: PlainDate;
  readonly open: NamedTask | undefined;
  /** The photos of the open task, by their names. */
  readonly photos: readonly string[];
  /** The people who have a link; undefined where the data is not here, and nobody can have one. */
  readonly linked: ReadonlySet<number> | undefined;
  readonly staffs: readonly StaffLine[];
  readonly properties: readonly { id: number; name: string | null }[];
}

import { z } from 'zod';
import type { Plan } from './drafts.ts';
import { shows } from './query.ts';
import { MESSAGES, type Thread } from './thread.ts';

const MOST_MESSAGES = 2_000;

/** The fields of the inbox's address. */
export const inboxQuestion = z.object({
  show: z.enum(shows).default('all'),
  property: z.coerce.number().int().min(0).optional(),
  named: z.string().max(100).optional(),
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  conversation: z.string().max(200).optional(),
  messages: z.coerce.number().int().min(1).max(MOST_MESSAGES).default(MESSAGES),
});

/** What the inbox shows, as its address has it. */
export type InboxQuestion = z.output<typeof inboxQuestion>;

/** A conversation that was chosen, with the plans of rules that wait in it. */
export interface Opened {
  readonly thread: Thread;
  readonly plans: readonly Plan[];
}

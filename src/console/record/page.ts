import { z } from 'zod';
import { isPlainDate } from '../../kernel/dates.ts';
import { consolePage } from '../page.ts';
import { readRecord } from './query.ts';
import { recordView } from './view.ts';

/** Record: who changed what, from which value to which, and by which way. */
export const recordPage = consolePage({
  path: 'record',
  right: 'record',
  title: (texts) => texts.record.title,
  question: z.object({
    actor: z.string().max(2_048).optional(),
    action: z.string().max(100).optional(),
    since: z.string().refine(isPlainDate, 'must be a date such as 2027-03-01').optional(),
    after: z.string().max(100).optional(),
  }),
  render: async (visit, question) => recordView(visit, await readRecord(visit, question), question),
});

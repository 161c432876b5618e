import { z } from 'zod';
import type { Visit } from '../visit.ts';
import { isWhole } from './actionName.ts';

const ENTRIES = 100;
const values = z.record(z.string(), z.unknown()).nullable();
const answer = z.object({
  entries: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      operator_id: z.int().nullable(),
      operator_name: z.string().nullable(),
      client_id: z.string().nullable(),
      entrance: z.string().nullable(),
      action: z.string(),
      subject: z.string(),
      old_values: values,
      new_values: values,
    }),
  ),
  next: z.string().nullable(),
});

/** A page of what was done, newest first. */
export type RecordPage = z.output<typeof answer>;

export interface RecordQuestion {
  actor?: string | undefined;
  action?: string | undefined;
  /** First day, in UTC. */
  since?: string | undefined;
  /** Last id of the page before. */
  after?: string | undefined;
}

export async function readRecord(visit: Visit, { since, ...question }: RecordQuestion): Promise<RecordPage> {
  // Many an action begins as another does: createReservation, createReservationTag.
  const exact = isWhole(visit.texts.record.actions, question.action);
  const fields = { ...question, exact, ...(since !== undefined && { since: `${since}T00:00:00Z` }), limit: ENTRIES };
  return answer.parse(await visit.portal('GET /portal/audit', fields));
}

import { z } from 'zod';
import { readProperties } from '../properties.ts';
import type { Visit } from '../visit.ts';

const comparison = z.object({
  comparison_id: z.string(),
  property_id: z.number(),
  property: z.string().nullable(),
  name: z.string(),
  host: z.string(),
  good_at: z.string().nullable(),
  problem: z.string().nullable(),
  events: z.number().nullable(),
});
const finding = z.object({
  finding_id: z.string(),
  comparison_id: z.string(),
  name: z.string().nullable(),
  property_id: z.number().nullable(),
  property: z.string().nullable(),
  known_to: z.enum(['calendar', 'mirror']),
  stay_code: z.string().nullable(),
  start_date: z.string(),
  end_date: z.string(),
  is_sold: z.boolean(),
  first_seen_at: z.string(),
  settled_at: z.string().nullable(),
  needs_person: z.boolean(),
});

export type Comparison = z.output<typeof comparison>;
export type ComparisonFinding = z.output<typeof finding>;

export interface ComparisonsShown {
  readonly properties: readonly { id: number; name: string | null }[];
  readonly comparisons: readonly Comparison[];
  readonly findings: readonly ComparisonFinding[];
}

/** Reads what is compared, and what only one side knows. */
export async function readComparisons(visit: Visit): Promise<ComparisonsShown> {
  const { comparisons } = z
    .object({ comparisons: z.array(comparison) })
    .parse(await visit.portal('GET /portal/comparisons'));
  const { findings } = z
    .object({ findings: z.array(finding) })
    .parse(await visit.portal('GET /portal/comparisons/findings'));
  const properties = await readProperties(visit.services.db, { connection: visit.connection });
  return { properties, comparisons, findings };
}

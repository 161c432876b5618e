import { addDays, dateIn, instantOf } from '../kernel/dates.ts';
import { type CalendarEvent, DAYS_AHEAD, type Difference, differencesOf } from './compare.ts';
import type { ComparisonsContext } from './context.ts';
import { changeComparison, findingsOf, mirroredNights, mirroredProperty, replaceFindings } from './table.ts';
import { type ComparisonFindingsTable, type ComparisonsTable, urlContext } from './tables.ts';

const MINUTE_MS = 60_000;
/** The least and the most time between two reads. Each has a moment of its own, so that they do not bunch. */
const READ_MS = { least: 30 * MINUTE_MS, most: 45 * MINUTE_MS } as const;
const FIRST_FAILURE_MS = 10 * MINUTE_MS;
const LONGEST_FAILURE_MS = 6 * 60 * MINUTE_MS;
/** Characters of a problem that are kept. */
const LONGEST_PROBLEM = 300;

/** The result of one read. */
export type ComparisonOutcome =
  | { readonly read: 'good'; readonly events: number; readonly differences: number }
  | { readonly read: 'failed'; readonly problem: string };

/** Reads the calendar of a comparison once, and notes what only one side knows. A read that fails finds nothing new. */
export async function readComparison(
  context: ComparisonsContext,
  comparison: ComparisonsTable,
): Promise<ComparisonOutcome> {
  const { store, connection, clock, sealer } = context;
  const url = sealer.open(comparison.url, urlContext(connection, comparison.comparison_id));
  const content = await eventsAt(context, url, comparison);
  const now = clock.now();
  if ('problem' in content) return fail(context, comparison, content.problem);
  const today = dateIn(await zoneOf(context, comparison.property_id), now);
  return store.transaction(async (trx) => {
    const span = { from: today, to: addDays(today, DAYS_AHEAD) };
    const differences = differencesOf(content.events, await mirroredNights(trx, comparison, span), today);
    const isThere = await changeComparison(trx, comparison, {
      tried_at: instantOf(now),
      good_at: instantOf(now),
      failures: 0,
      problem: null,
      events: content.events.length,
      next_read_at: instantOf(now + between(context, READ_MS.least, READ_MS.most)),
    });
    if (isThere) {
      const before = await findingsOf(trx, comparison);
      await replaceFindings(trx, comparison, noted(context, comparison, before, differences));
    }
    return { read: 'good', events: content.events.length, differences: differences.length };
  });
}

/** Reads the events behind an address. Never throws. */
export async function eventsAt(
  context: ComparisonsContext,
  url: string,
  { property_id, source }: Pick<ComparisonsTable, 'property_id' | 'source'>,
): Promise<{ events: readonly CalendarEvent[] } | { problem: string }> {
  const { reader, sense, clock } = context;
  const answer = await reader.read(url, { etag: null, lastModified: null });
  if (!('text' in answer)) return 'problem' in answer ? answer : { problem: 'it says that nothing is new' };
  const zone = await zoneOf(context, property_id);
  const until = addDays(dateIn(zone, clock.now()), DAYS_AHEAD);
  return sense.eventsOf(answer.text, { source, zone, until });
}

async function zoneOf({ store, connection, zone }: ComparisonsContext, property_id: number): Promise<string> {
  return (await mirroredProperty(store.db, { connection, property_id }))?.time_zone ?? zone();
}

/** Returns the findings for differences; one that was there before stays what it was. */
function noted(
  { clock, ids }: ComparisonsContext,
  { connection, comparison_id }: ComparisonsTable,
  before: readonly ComparisonFindingsTable[],
  differences: readonly Difference[],
): ComparisonFindingsTable[] {
  const known = new Map(before.map((finding) => [finding.subject, finding]));
  return differences.map((difference) => {
    const earlier = known.get(difference.subject);
    return {
      connection,
      comparison_id,
      finding_id: earlier?.finding_id ?? `finding_${ids()}`,
      ...difference,
      first_seen_at: earlier?.first_seen_at ?? instantOf(clock.now()),
      seen_reads: (earlier?.seen_reads ?? 0) + 1,
      settled_at: earlier?.settled_at ?? null,
    };
  });
}

async function fail(
  context: ComparisonsContext,
  comparison: ComparisonsTable,
  problem: string,
): Promise<ComparisonOutcome> {
  const { store, clock } = context;
  const failures = comparison.failures + 1;
  const pause = Math.min(LONGEST_FAILURE_MS, FIRST_FAILURE_MS * 2 ** Math.min(failures - 1, 10));
  await changeComparison(store.db, comparison, {
    tried_at: instantOf(clock.now()),
    failures,
    problem: problem.slice(0, LONGEST_PROBLEM),
    next_read_at: instantOf(clock.now() + between(context, pause, 1.5 * pause)),
  });
  return { read: 'failed', problem };
}

function between({ random }: ComparisonsContext, least: number, most: number): number {
  return least + Math.floor(random.fraction() * (most - least));
}

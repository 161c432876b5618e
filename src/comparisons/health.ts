import { msOf } from '../kernel/dates.ts';
import type { MirrorDb } from '../sync/tables/database.ts';
import { comparisonsOf, findingsOf, type NamedComparison } from './table.ts';
import type { ComparisonFindingsTable } from './tables.ts';

const HOUR_MS = 3_600_000;
/** Either side shows what the other has told it some hours late. */
const LATE_MS = 3 * HOUR_MS;
const LEAST_READS = 2;
/** Without a good read for so long, nothing is compared any more. */
const STALE_MS = 12 * HOUR_MS;
/** Findings of one calendar that are told one by one. */
const MOST_TOLD = 10;

/** Something that needs a person. */
export interface ComparisonTrouble {
  alarm: string;
  says: string;
  remedy: string;
}

/** Returns true for a finding that no delay explains, and that nobody has settled. */
export function isTrouble({ first_seen_at, seen_reads, settled_at }: ComparisonFindingsTable, now: number): boolean {
  return settled_at === null && seen_reads >= LEAST_READS && now - msOf(first_seen_at) >= LATE_MS;
}

/** Returns what the comparisons of a connection say that needs a person. */
export async function comparisonTroubles(db: MirrorDb, connection: string, now: number): Promise<ComparisonTrouble[]> {
  const comparisons = await comparisonsOf(db, connection);
  if (comparisons.length === 0) return [];
  const findings = (await findingsOf(db, { connection })).filter((finding) => isTrouble(finding, now));
  return comparisons.flatMap((comparison) => {
    if (comparison.property_deleted_at !== null) return goneTrouble(comparison);
    const own = findings.filter(({ comparison_id }) => comparison_id === comparison.comparison_id);
    const told = own.slice(0, MOST_TOLD).map((finding) => findingTrouble(comparison, finding));
    return [...staleTroubles(comparison, now), ...told, ...restTroubles(comparison, own.length - MOST_TOLD)];
  });
}

function placeOf({ name, property, property_id }: NamedComparison): string {
  return `the calendar "${name}" of ${property ?? `property ${property_id}`}`;
}

/** Nobody can tell any more what a property that is gone should show; the marketplace may still sell it. */
function goneTrouble(comparison: NamedComparison): ComparisonTrouble {
  const { connection, comparison_id, property_deleted_at: goneAt } = comparison;
  return {
    alarm: `comparison of ${connection}`,
    says: `${placeOf(comparison)} is compared no more: ${connection} has no such property since ${goneAt}`,
    remedy: `close the listing at the marketplace if it is still sold there, then ./stayd comparisons remove ${comparison_id}`,
  };
}

function staleTroubles(comparison: NamedComparison, now: number): ComparisonTrouble[] {
  const { good_at, created_at, problem, connection } = comparison;
  if (now - msOf(good_at ?? created_at) <= STALE_MS) return [];
  return [
    {
      alarm: `comparison of ${connection}`,
      says: `${placeOf(comparison)} was not compared since ${good_at ?? 'it was added'}: ${problem ?? 'its turn did not come'}`,
      remedy:
        'look at the marketplace whether its address has changed; remove the comparison and add it with the new one',
    },
  ];
}

function findingTrouble(comparison: NamedComparison, finding: ComparisonFindingsTable): ComparisonTrouble {
  const { known_to, stay_code, start_date, end_date, is_sold, finding_id } = finding;
  const nights = `${start_date} to ${end_date}`;
  const place = placeOf(comparison);
  const settle = `if it is well known, say so: ./stayd comparisons settle ${finding_id}`;
  const alarm = `comparison of ${comparison.connection}`;
  if (known_to === 'mirror') {
    return {
      alarm,
      says: `${place} shows ${nights} as free, where the stay ${stay_code} is booked: the marketplace can sell these nights again`,
      remedy: `close these nights at the marketplace now; ${settle}`,
    };
  }
  return {
    alarm,
    says:
      is_sold === 1
        ? `${place} has guests from ${nights}, and no stay in ${comparison.connection} holds these nights: a booking is missing there`
        : `${place} is closed from ${nights}, and in ${comparison.connection} these nights are free: perhaps a booking is missing there`,
    remedy: `look for the booking at the marketplace, and enter it in the system that is mirrored; ${settle}`,
  };
}

function restTroubles(comparison: NamedComparison, more: number): ComparisonTrouble[] {
  if (more <= 0) return [];
  return [
    {
      alarm: `comparison of ${comparison.connection}`,
      says: `${placeOf(comparison)} differs in ${more} further places; perhaps it is the calendar of another property`,
      remedy: 'see all of them: ./stayd comparisons findings',
    },
  ];
}

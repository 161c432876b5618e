import type { Instant, PlainDate } from '../kernel/dates.ts';
import type { Flag } from '../sync/tables/rowFacts.ts';

/** A calendar at a marketplace that is compared with a property of the mirror. Nothing is booked or closed by it. */
export interface ComparisonsTable {
  connection: string;
  comparison_id: string;
  property_id: number;
  /** As people call it: the marketplace; unique for a property. */
  name: string;
  /** The habits by which its events are read. */
  source: string;
  /** Sealed, since its query is a secret, see {@link urlContext}. */
  url: string;
  /** Host of the address, for people. */
  host: string;
  created_at: Instant;
  next_read_at: Instant;
  tried_at: Instant | null;
  good_at: Instant | null;
  /** Failed reads in a row. */
  failures: number;
  /** Why the last read failed; null: it did not. */
  problem: string | null;
  /** Events of the last good read. */
  events: number | null;
}

/** Which side knows of it: the calendar at the marketplace, or the mirror. */
export type KnownTo = 'calendar' | 'mirror';

/** Nights that one side has sold and the other has not. */
export interface ComparisonFindingsTable {
  connection: string;
  comparison_id: string;
  finding_id: string;
  /** The same as long as it is the same thing; unique in a comparison. */
  subject: string;
  known_to: KnownTo;
  /** null: known to the calendar alone, which tells no code of ours. */
  stay_code: string | null;
  start_date: PlainDate;
  /** The day after the last night. */
  end_date: PlainDate;
  /** 1: the calendar says that guests come; 0: it only says that the nights are closed. */
  is_sold: Flag;
  first_seen_at: Instant;
  /** Good reads in a row that showed it. */
  seen_reads: number;
  /** When a person said that it is known; null: nobody has. */
  settled_at: Instant | null;
}

/** Returns the context in which the address of a comparison is sealed. */
export function urlContext(connection: string, comparisonId: string): string {
  return `comparison ${connection} ${comparisonId}`;
}

declare module '../sync/tables/database.ts' {
  interface Mirror {
    comparisons: ComparisonsTable;
    comparison_findings: ComparisonFindingsTable;
  }
}

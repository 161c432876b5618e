import type { Instant } from '../../../kernel/dates.ts';
import type { Origin } from '../../tables/origin.ts';
import type { LossState } from './states.ts';

/** A change that a scan has found and whose event was not there. */
export interface LostEventsTable {
  connection: string;
  /** The change in the feed. */
  seq: number;
  event: string;
  /** Empty: none. */
  sub_event: string;
  /** From 0; a change of days is parted by when they were last right, and by which of their events come after all. */
  position: number;
  resource: string;
  key: string;
  /** The stay or the message that changed; null: the key says all. */
  part: string | null;
  /** Days that changed, as ranges; null where days do not matter. */
  days: string | null;
  /** It changed after this moment: then the mirror was read and was right. */
  since: Instant;
  /** It changed before this moment: then the scan's answer was there. */
  seen_at: Instant;
  seen_by: Origin;
  scan_id: string | null;
  state: LossState;
  event_id: string | null;
  came_at: Instant | null;
  /** How long after it was queued it came; where it does not say when that was, how long after it was missed. */
  late_ms: number | null;
}

/** When a read was sent. */
export interface ReadTimesTable {
  connection: string;
  number: number;
  at: Instant;
}

export interface LossTables {
  lost_events: LostEventsTable;
  read_times: ReadTimesTable;
}

declare module '../../tables/database.ts' {
  interface Mirror extends LossTables {}
}

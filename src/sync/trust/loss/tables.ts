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
  /** Counts from 0. A change of days is divided by the time when they were last right, and by their late events. */
  position: number;
  resource: string;
  key: string;
  /** The stay or the message that changed; null: the key identifies it. */
  part: string | null;
  /** Days that changed, as ranges; null where days do not matter. */
  days: string | null;
  /** The change is later than this moment: then the mirror was read and was right. */
  since: Instant;
  /** The change is earlier than this moment, at which the scan's answer came. */
  seen_at: Instant;
  seen_by: Origin;
  scan_id: string | null;
  state: LossState;
  event_id: string | null;
  came_at: Instant | null;
  /** Milliseconds from queueing to arrival; if the time of queueing is not stated, from the time when it was missed. */
  late_ms: number | null;
}

/** The moment when a read was sent. */
interface ReadTimesTable {
  connection: string;
  number: number;
  at: Instant;
}

interface LossTables {
  lost_events: LostEventsTable;
  read_times: ReadTimesTable;
}

declare module '../../tables/database.ts' {
  interface Mirror extends LossTables {}
}

import type { Instant } from '../../../kernel/dates.ts';

/**
 * events: received, by kind · reads: that ended the waiting of events, by resource, `total` of those · propagated: changes
 * that events told of, by resource and `bucket` of the milliseconds until they were applied · found: those that a scan
 * has found, the longest that can have been · age: looks at how old each tier is, in seconds, `total` of those at which
 * it was too old · requests: by `purpose/operation` · window: looks at each window of the limits, `most` of what was used
 * of the `bucket` that it takes.
 */
const measures = ['events', 'reads', 'propagated', 'found', 'age', 'requests', 'window'] as const;
export type Measure = (typeof measures)[number];

/** What was measured in one hour. */
export interface SyncHoursTable {
  connection: string;
  /** Its first moment. */
  hour: Instant;
  measure: Measure;
  subject: string;
  bucket: number;
  count: number;
  total: number;
  most: number;
}

export interface MeasureTables {
  sync_hours: SyncHoursTable;
}

declare module '../../tables/database.ts' {
  interface Mirror extends MeasureTables {}
}

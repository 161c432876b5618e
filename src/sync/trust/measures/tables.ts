import type { Instant } from '../../../kernel/dates.ts';

/**
 * The measures:
 * - events: received ones, by kind
 * - unstored: those that were answered 503, since they could not be stored
 * - reads: those that closed events, by resource; `total` counts these events
 * - propagated: changes that events announced, by resource and `bucket` of the milliseconds until they were applied
 * - found: changes that a scan has found, with the longest time that they can have waited
 * - age: measurements of the age of each tier, in seconds; `total` counts those at which it was too old
 * - requests: by `purpose/operation`
 * - window: measurements of each window of the limits; `most` is the greatest use, `bucket` the limit
 */
const measures = ['events', 'unstored', 'reads', 'propagated', 'found', 'age', 'requests', 'window'] as const;
export type Measure = (typeof measures)[number];

/** The measurements of one hour. */
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

interface MeasureTables {
  sync_hours: SyncHoursTable;
}

declare module '../../tables/database.ts' {
  interface Mirror extends MeasureTables {}
}

import type { Instant } from '../kernel/dates.ts';

/** How far the broker has taken the change feed of a connection. */
export interface BrokerFeedsTable {
  connection: string;
  /** The last change that the broker has acknowledged. */
  cursor: number;
  /** Changes that it has acknowledged so far. */
  published: number;
  published_at: Instant | null;
  /** Failed attempts so far. */
  failures: number;
  /** The first failure since the last success. */
  failing_since: Instant | null;
  problem: string | null;
  /** The process that publishes, and until when it is its own task. */
  claimed_by: string | null;
  claimed_until: Instant | null;
}

declare module '../sync/tables/database.ts' {
  interface Mirror {
    broker_feeds: BrokerFeedsTable;
  }
}

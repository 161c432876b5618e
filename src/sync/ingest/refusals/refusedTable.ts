import type { Instant } from '../../../kernel/dates.ts';
import type { RefusalReason } from '../verifyDelivery.ts';

/** Deliveries that were refused, one row for each reason. */
export interface RefusedDeliveriesTable {
  connection: string;
  reason: RefusalReason;
  times: number;
  first_at: Instant;
  last_at: Instant;
}

declare module '../../tables/database.ts' {
  interface Mirror {
    refused_deliveries: RefusedDeliveriesTable;
  }
}

import type { Instant } from '../kernel/dates.ts';

/**
 * instance: the name by which this installation knows its own webhook again · automations_disarmed: why automations
 * may not act, while it is there.
 */
export type FactName = 'instance' | 'automations_disarmed';

export interface ConnectionFactsTable {
  connection: string;
  name: FactName;
  value: string;
  changed_at: Instant;
}

import type { Instant } from '../kernel/dates.ts';

/**
 * instance: the name by which this installation knows its own webhook again · automations_disarmed: why automations
 * may not act, while it is there · listening_since: since when events of all kinds are sent to us; its value is where to.
 */
export type FactName = 'instance' | 'automations_disarmed' | 'listening_since';

export interface ConnectionFactsTable {
  connection: string;
  name: FactName;
  value: string;
  changed_at: Instant;
}

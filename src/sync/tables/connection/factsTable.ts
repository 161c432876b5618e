import type { Instant } from '../../../kernel/dates.ts';

/**
 * instance: the name by which this installation knows its own webhook again · automations_disarmed: why automations
 * may not act, while it is there · listening_since: since when events of all kinds are sent to us; its value is where to ·
 * secret_untold: the webhook that registering told no secret of · hook_path: what makes its URL unguessable ·
 * registration: how registering went last · clock: by how many milliseconds our clock is ahead of the other side's,
 * while automations wait for that · showing: how long messages of ours took to show, the newest last.
 */
export type FactName =
  | 'instance'
  | 'automations_disarmed'
  | 'listening_since'
  | 'secret_untold'
  | 'hook_path'
  | 'registration'
  | 'clock'
  | 'showing';

export interface ConnectionFactsTable {
  connection: string;
  name: FactName;
  value: string;
  changed_at: Instant;
}

import type { Instant } from '../../../kernel/dates.ts';

/**
 * Names of the facts that a connection stores about itself:
 * - instance: the name by which this installation recognizes its own webhook
 * - automations_disarmed: the reason why automations may not act; present as long as they may not
 * - listening_since: the moment since which events of all kinds are sent to us; the value is the address
 * - secret_untold: the webhook whose registration returned no secret
 * - hook_path: the part of its URL that cannot be guessed
 * - registration: the outcome of the last registration
 * - clock: milliseconds that our clock is ahead of the other side's, while automations wait for that
 * - clean_stop: the way in which rows were read, at the last stop that left nothing behind; empty once a start has used it
 * - says_undelivered: present if the other side has said what it could not deliver to our webhook
 * - showing: the times that our messages took to show, the newest last
 */
export type FactName =
  | 'instance'
  | 'automations_disarmed'
  | 'listening_since'
  | 'secret_untold'
  | 'hook_path'
  | 'registration'
  | 'clock'
  | 'clean_stop'
  | 'says_undelivered'
  | 'showing';

export interface ConnectionFactsTable {
  connection: string;
  name: FactName;
  value: string;
  changed_at: Instant;
}

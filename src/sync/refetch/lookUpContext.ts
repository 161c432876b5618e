import type { Client } from '../../client/client.ts';
import type { ApplyContext } from '../apply/apply.ts';
import type { FollowContext } from '../apply/following.ts';
import type { Reading } from '../tables/rows/resource.ts';
import type { Patience } from '../queue/patience.ts';
import type { SourceHealth } from './sourceHealth.ts';

/** What a look-up works with. */
export interface LookUpContext extends ApplyContext, FollowContext {
  client: Client;
  /** Names this process in its claims. */
  by: string;
  /** The time zone of the account, for moments without an offset. */
  zone(): string;
  /** How what is read becomes rows. */
  reading(): Reading;
  signal: AbortSignal;
  patience: Patience;
  health: SourceHealth;
}

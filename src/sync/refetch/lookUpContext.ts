import type { Client } from '../../client/client.ts';
import type { ApplyContext } from '../apply/apply.ts';
import type { FollowContext } from '../apply/following.ts';
import type { Reading } from '../tables/rows/resource.ts';
import type { Patience } from '../queue/patience.ts';
import type { SourceHealth } from './sourceHealth.ts';

/** The services that a look-up uses. */
export interface LookUpContext extends ApplyContext, FollowContext {
  client: Client;
  /** Names this process in its claims. */
  by: string;
  /** The time zone of the account, for moments without an offset. */
  zone(): string;
  /** Returns the settings for making rows of answers. */
  reading(): Reading;
  signal: AbortSignal;
  patience: Patience;
  health: SourceHealth;
}

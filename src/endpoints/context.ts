import type { Clock } from '../kernel/clock.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { Sender } from '../outbound/deliver.ts';
import type { MirrorStore } from '../sync/tables/database.ts';
import type { Feed } from '../sync/feed/feed.ts';

/** What telling the endpoints of one connection takes. */
export interface Telling {
  readonly store: MirrorStore;
  readonly connection: string;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly random: Random;
  readonly sealer: Sealer;
  readonly log: Logger;
  /** Cuts a request off after {@link ANSWER_LIMIT_MS}. */
  readonly sender: Sender;
}

/** How long an endpoint has to answer. */
export const ANSWER_LIMIT_MS = 15_000;

/** What a secret is sealed for; read back for nothing else. */
export function secretContext(connection: string, endpointId: string): string {
  return `endpoint ${connection} ${endpointId}`;
}

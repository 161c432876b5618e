import type { Tracer } from '../kernel/tracing/tracer.ts';
import type { Clock } from '../kernel/clock.ts';
import type { IdMaker } from '../kernel/ids.ts';
import type { Logger } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { Sender } from '../outbound/deliver.ts';
import type { MirrorStore } from '../sync/tables/database.ts';
import type { Feed } from '../sync/feed/feed.ts';

/** The surroundings of the endpoints of one connection. */
export interface EndpointsContext {
  /** Absent for no traces. */
  readonly tracer?: Tracer;
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

/** Milliseconds within which an endpoint must answer. */
export const ANSWER_LIMIT_MS = 15_000;

/** Returns the context in which a secret is sealed. It can be opened in no other. */
export function secretContext(connection: string, endpointId: string): string {
  return `endpoint ${connection} ${endpointId}`;
}

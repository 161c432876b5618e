import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { Random } from '../kernel/random.ts';
import type { BrokerMessage } from '../outbound/natsBroker.ts';
import type { Feed } from '../sync/feed/feed.ts';
import type { MirrorStore } from '../sync/tables/database.ts';

/** What takes messages and keeps them. */
export interface Broker {
  /** Connects unless it is connected. @returns the most bytes of a body */
  ready(): Promise<number>;
  /** Resolves when the message is stored. */
  publish(message: BrokerMessage): Promise<void>;
}

/** The surroundings of the feed of one connection on its way to the broker. */
export interface BrokerContext {
  readonly store: MirrorStore;
  readonly connection: string;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly broker: Broker;
  /** Template of subjects. */
  readonly subject: string;
  /** Names this process among those that could publish. */
  readonly by: string;
}

import { msOf } from '../kernel/dates.ts';
import type { MirrorDb } from '../sync/tables/database.ts';
import { brokerFeed, feedHead } from './table.ts';

/** Milliseconds of failure that are no restart of the broker. */
const FAILING_MS = 60_000;

/** A feed that nobody has tried to publish for so long has no broker any more. */
const LEFT_MS = 5 * 60_000;

/** Something that needs a person. */
export interface BrokerTrouble {
  alarm: string;
  says: string;
  remedy: string;
}

/** How the broker takes a feed. */
export interface BrokerFigures {
  published: number;
  failures: number;
  /** Places of the feed that it has not taken yet. */
  lag: number;
  /** Seconds since the first failure after its last success; 0 if there was none. */
  failingSeconds: number;
}

/** Returns what keeps the broker from taking the feed of a connection. */
export async function brokerTroubles(db: MirrorDb, connection: string, now: number): Promise<BrokerTrouble[]> {
  const feed = await brokerFeed(db, connection);
  if (!feed || feed.failing_since === null || now - msOf(feed.failing_since) < FAILING_MS) return [];
  if (feed.claimed_until === null || now - msOf(feed.claimed_until) > LEFT_MS) return [];
  const lag = (await feedHead(db, connection)) - feed.cursor;
  return [
    {
      alarm: `broker for ${connection}`,
      says: `the broker has taken nothing since ${feed.failing_since}, and ${lag} changes wait: ${feed.problem}`,
      remedy: 'mend the broker or the settings below nats; what waits is published then, in order',
    },
  ];
}

/** Returns the figures of a feed; undefined if it has never been published. @param now epoch milliseconds */
export async function brokerFigures(db: MirrorDb, connection: string, now: number): Promise<BrokerFigures | undefined> {
  const feed = await brokerFeed(db, connection);
  if (!feed) return undefined;
  const { published, failures, cursor, failing_since: since } = feed;
  return {
    published,
    failures,
    lag: Math.max(0, (await feedHead(db, connection)) - cursor),
    failingSeconds: since === null ? 0 : Math.max(0, (now - msOf(since)) / 1_000),
  };
}

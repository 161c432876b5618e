import type { CoreDb } from '../../core/database.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { FeedRow } from './rows.ts';

const HOUR_MS = 3_600_000;
/** Hours without a good read after which a stay that was sold elsewhere may be sold here again. */
export const STALE_HOURS = 2;
const STALE_MS = STALE_HOURS * HOUR_MS;
/**
 * A channel that has not fetched our calendar for so many times its usual pause may sell what is taken here; never said
 * earlier or later than this, and after a day while its pause is not known.
 */
const UNFETCHED = { times: 4, leastMs: 6 * HOUR_MS, mostMs: 72 * HOUR_MS, unknownMs: 24 * HOUR_MS } as const;

/** Something about a feed that needs a person. */
export interface FeedTrouble {
  readonly accountId: AccountId;
  readonly feedId: number;
  readonly kind: 'unread' | 'unfetched' | 'unreadable' | 'clash';
  readonly says: string;
  readonly remedy: string;
}

/** Returns what is wrong with the feeds of all accounts. */
export async function feedTroubles(db: CoreDb, now: number): Promise<FeedTrouble[]> {
  const feeds = await activeFeeds(db);
  const clashes = await db
    .selectFrom('feed_entries')
    .where('clash', '=', 1)
    .select(['account_id', 'feed_id', 'start_date', 'end_date'])
    .orderBy('start_date')
    .execute();
  return feeds.flatMap((feed) => {
    const own = clashes.filter((one) => one.account_id === feed.account_id && one.feed_id === feed.id);
    return [...troublesOf(feed, now), ...own.map((clash) => clashTrouble(feed, clash))];
  });
}

/** Returns feeds whose last read failed, each in a sentence; while the last good one is recent, that is no trouble yet. */
export async function failedReads(db: CoreDb): Promise<string[]> {
  const feeds = await activeFeeds(db);
  return feeds
    .filter(({ url, failures }) => url !== null && failures > 0)
    .map((feed) => `the last read of ${placeOf(feed)} failed: ${feed.problem ?? 'nobody knows why'}`);
}

function activeFeeds(db: CoreDb): Promise<NamedFeed[]> {
  return db
    .selectFrom('feeds')
    .innerJoin('properties', (join) =>
      join.onRef('properties.account_id', '=', 'feeds.account_id').onRef('properties.id', '=', 'feeds.property_id'),
    )
    .where('feeds.state', '=', 'active')
    .where('properties.status', '=', 'active')
    .selectAll('feeds')
    .select('properties.name as property')
    .orderBy('feeds.id')
    .execute();
}

type NamedFeed = FeedRow & { property: string };

function placeOf({ name, property }: NamedFeed): string {
  return `the calendar "${name}" of ${property}`;
}

/** Returns what is wrong with one feed. */
export function troublesOf(feed: NamedFeed, now: number): FeedTrouble[] {
  const { id: feedId, account_id: accountId } = feed;
  const place = placeOf(feed);
  const troubles: FeedTrouble[] = [];
  const since = (instant: string | null) => now - Date.parse(instant ?? feed.created_at);
  if (feed.url !== null && since(feed.good_at) > STALE_MS) {
    troubles.push({
      accountId,
      feedId,
      kind: 'unread',
      says: `${place} was not read since ${feed.good_at ?? 'it was added'}: ${feed.problem ?? 'its turn did not come'}`,
      remedy:
        'look in the channel whether its address has changed, and put the new one in; until then close nights by hand',
    });
  }
  if (feed.audience === 'channel' && feed.fetched_at !== null && since(feed.fetched_at) > longestPause(feed)) {
    troubles.push({
      accountId,
      feedId,
      kind: 'unfetched',
      says: `nobody has fetched our side of ${place} since ${feed.fetched_at}${usually(feed)}, so the channel may sell nights that are taken`,
      remedy: 'in the channel, import the address of our calendar again',
    });
  }
  if (feed.unreadable !== null) {
    troubles.push({
      accountId,
      feedId,
      kind: 'unreadable',
      says: `${place} has something that cannot be read: ${feed.unreadable}`,
      remedy: 'look at these nights in the channel, and close them by hand if they are sold',
    });
  }
  return troubles;
}

function longestPause({ usual_fetch_ms: usual }: FeedRow): number {
  const { times, leastMs, mostMs, unknownMs } = UNFETCHED;
  return usual === null ? unknownMs : Math.min(mostMs, Math.max(leastMs, times * usual));
}

function usually({ usual_fetch_ms: usual }: FeedRow): string {
  if (usual === null) return '';
  const minutes = Math.max(1, Math.round(usual / 60_000));
  return minutes < 90 ? `, usually every ${minutes} minutes` : `, usually every ${Math.round(minutes / 60)} hours`;
}

function clashTrouble(
  feed: NamedFeed,
  { start_date, end_date }: { start_date: string; end_date: string },
): FeedTrouble {
  return {
    accountId: feed.account_id,
    feedId: feed.id,
    kind: 'clash',
    says: `the calendar "${feed.name}" closes ${start_date} to ${end_date} of ${feed.property}, where a stay was booked already: perhaps both are sold`,
    remedy:
      'look in the channel who comes then; move one of them, or note on the page of the channel that it is the same stay',
  };
}

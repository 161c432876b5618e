import type { Core } from '../../../core/context.ts';
import { msOf } from '../../../kernel/dates.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import type { CalendarReader } from '../../../outbound/fetchCalendar.ts';
import { readFeedNow } from '../../feeds/poll.ts';
import type { FeedRow } from '../../feeds/rows.ts';
import { feedsOf } from '../../feeds/table.ts';

/** A feed that was read so lately is not read again, however often somebody books. */
const JUST_READ_MS = 60_000;
const MINUTE_MS = 60_000;

/**
 * Reads the calendars of other places that sell a property, before its nights are promised. What they close is closed
 * here by it.
 * @param minutes age at which a calendar is too old to book by
 * @returns the names of calendars that are older and cannot be read now; empty: all is known
 */
export async function freshenFeeds(
  core: Core,
  reader: CalendarReader,
  of: { accountId: AccountId; propertyId: number; minutes: number },
): Promise<string[]> {
  const read = (await watchedFeeds(core, of)).filter((feed) => age(core, feed) > JUST_READ_MS);
  await Promise.all(read.map((feed) => readFeedNow(core, reader, feed)));
  const stale = (await watchedFeeds(core, of)).filter((feed) => age(core, feed) > of.minutes * MINUTE_MS);
  return stale.map(({ name }) => name);
}

/** Returns the feeds that are read. One that somebody has paused is not waited for. */
async function watchedFeeds(
  { store }: Core,
  { accountId, propertyId }: { accountId: AccountId; propertyId: number },
): Promise<FeedRow[]> {
  const feeds = await feedsOf(store.db, { accountId, properties: [propertyId] });
  return feeds.filter((feed) => feed.url !== null && feed.state === 'active');
}

function age({ clock }: Core, { good_at }: FeedRow): number {
  return good_at === null ? Infinity : clock.now() - msOf(good_at);
}

import type { Core } from '../../core/context.ts';
import { dateIn, nightsOf, withOffset } from '../../kernel/dates.ts';
import type { FeedEntryRow, FeedRow } from './rows.ts';
import { openToken } from './secrets.ts';
import { showsOf } from './shown.ts';
import { sourceHabits } from './sources.ts';

/** The path at which calendars of ours can be fetched; the token and `.ics` follow. */
export const FEEDS_PATH = '/feeds';

/** Returns the public form of a feed. Its own address stays secret; people see the host. */
export function presentFeed(core: Core, feed: FeedRow, zone: string) {
  const at = (instant: string | null) => (instant === null ? null : withOffset(instant, zone));
  return {
    id: feed.id,
    property_id: feed.property_id,
    name: feed.name,
    source: feed.source,
    source_name: sourceHabits[feed.source].name,
    audience: feed.audience,
    state: feed.state,
    host: feed.host,
    calendar_url: `${core.publicUrl()}${FEEDS_PATH}/${openToken(core, feed)}.ics`,
    shows: [...showsOf(feed)],
    created_at: at(feed.created_at),
    read: {
      good_at: at(feed.good_at),
      tried_at: at(feed.tried_at),
      failures: feed.failures,
      problem: feed.problem,
      events: feed.events,
      unreadable: feed.unreadable,
    },
    fetched: {
      at: at(feed.fetched_at),
      by: feed.fetched_by,
      usual_minutes: feed.usual_fetch_ms === null ? null : Math.round(feed.usual_fetch_ms / 60_000),
    },
  };
}

type Clash = Pick<FeedEntryRow, 'feed_id' | 'start_date' | 'end_date'>;

/** Returns how much of a feed may be sold twice: its events on nights of stays, and their nights from today on. */
export function presentClashes({ clock }: Core, { id }: FeedRow, zone: string, clashes: readonly Clash[]) {
  const today = dateIn(zone, clock.now());
  const own = clashes.filter(({ feed_id }) => feed_id === id);
  const nights = new Set(own.flatMap(({ start_date, end_date }) => nightsOf(start_date, end_date)));
  return { events: own.length, nights: [...nights].filter((night) => night >= today).length };
}

/** Returns the public form of an event that a feed shows. */
export function presentEntry(entry: FeedEntryRow) {
  return {
    entry: entry.entry,
    start_date: entry.start_date,
    end_date: entry.end_date,
    kind: entry.echo === 1 ? 'echo' : entry.kind,
    reference: entry.reference,
    reservation_code: entry.reservation_code,
    missing_since: entry.missing_since,
    needs_a_look: entry.clash === 1,
  };
}

import { isDeepStrictEqual } from 'node:util';
import { AVAILABILITY_YEARS } from '../../contract/availabilities.ts';
import { STAY_NIGHTS } from '../../contract/reservations.ts';
import { closeForFeed } from '../../core/availabilities/feedNights.ts';
import { runChange } from '../../core/change.ts';
import type { Change, Core } from '../../core/context.ts';
import type { PropertyRow } from '../../core/database.ts';
import { addYears, dateIn, daysBetween, instantOf, type PlainDate } from '../../kernel/dates.ts';
import type { CalendarReader } from '../../outbound/fetchCalendar.ts';
import { decideFeed, type FeedEntry, type FeedStep } from './decide.ts';
import { entryOf, nameless, rowOf } from './entries.ts';
import { readFeed, type FeedContent, type FeedEvent } from './readFeed.ts';
import { perform } from './reservations.ts';
import type { FeedEntryRow, FeedRow } from './rows.ts';
import { eventsToShow } from './shown.ts';
import { afterFailure, afterRead } from './schedule.ts';
import { openUrl } from './secrets.ts';
import { accountAndProperty, entriesOf, lockFeed, releasedEntries, replaceEntries, writeFeed } from './table.ts';
import { overlapsOf } from './overlaps.ts';
import { knownToReader } from './told.ts';

/** Characters of a problem that are kept. */
const LONGEST_PROBLEM = 300;

/** What came of one read. */
export type FeedOutcome =
  | { readonly read: 'good'; readonly events: number; readonly steps: readonly FeedStep[]; readonly closed: number }
  | { readonly read: 'failed'; readonly problem: string }
  | { readonly read: 'gone' };

/**
 * Reads a feed once and does what it says. A read that fails changes nothing but the feed's own state: no night is
 * opened and no reservation cancelled by it. An answer that nothing is new counts as a read of the same events.
 */
export async function readFeedNow(core: Core, reader: CalendarReader, feed: FeedRow): Promise<FeedOutcome> {
  if (feed.url === null) return { read: 'gone' };
  const url = openUrl(core, feed.id, feed.url);
  const answer = await reader.read(url, { etag: feed.etag, lastModified: feed.last_modified });
  if ('problem' in answer) return fail(core, feed, answer.problem);
  const { account, property } = await accountAndProperty(core.store.db, feed);
  const content = 'text' in answer ? contentOf(answer.text, feed, property, core.clock.now()) : undefined;
  if (content && 'problem' in content) return fail(core, feed, content.problem);
  const validators = 'text' in answer ? { etag: answer.etag, last_modified: answer.lastModified } : {};
  return runChange(core, { account, operator: null }, (change) =>
    applyRead(change, { feed, property, content, validators }),
  );
}

/** Reads the text of a feed for a unit. */
export function contentOf(
  text: string,
  { source }: Pick<FeedRow, 'source'>,
  { time_zone }: Pick<PropertyRow, 'time_zone'>,
  now: number,
): FeedContent {
  return readFeed(text, { source, zone: time_zone, until: lastNight(time_zone, now) });
}

function lastNight(zone: string, now: number): PlainDate {
  return addYears(dateIn(zone, now), AVAILABILITY_YEARS.ahead);
}

/** Notes that a read has failed. Nothing else changes by it. */
export async function fail(core: Core, feed: FeedRow, problem: string): Promise<FeedOutcome> {
  const now = core.clock.now();
  const failures = feed.failures + 1;
  await writeFeed(core.store.db, feed, {
    tried_at: instantOf(now),
    failures,
    problem: problem.slice(0, LONGEST_PROBLEM),
    next_read_at: feed.state === 'paused' ? null : now + afterFailure(core.random, failures),
  });
  return { read: 'failed', problem };
}

interface GoodRead {
  readonly feed: FeedRow;
  readonly property: PropertyRow;
  /** undefined: the same as last time. */
  readonly content: Extract<FeedContent, { events: readonly FeedEvent[] }> | undefined;
  readonly validators: Partial<Pick<FeedRow, 'etag' | 'last_modified'>>;
}

async function applyRead(
  change: Change,
  { feed: asked, property, content, validators }: GoodRead,
): Promise<FeedOutcome> {
  const { trx, now, core } = change;
  const feed = await lockFeed(trx, asked);
  // It was removed, or got another address, while it was read.
  if (!feed || feed.url !== asked.url || feed.property_id !== property.id) return { read: 'gone' };
  const rows = await entriesOf(trx, feed);
  const today = dateIn(property.time_zone, now);
  const until = lastNight(property.time_zone, now);
  const shown = await eventsToShow({ core, db: trx, now }, feed, property);
  const released = new Set((await releasedEntries(trx, feed)).map(({ entry }) => entry));
  const known = rows.map((row) => entryOf(row, released));
  const { events, names } = content ? nameless(content.events) : { events: sameAsBefore(known), names: new Map() };
  const decision = decideFeed({
    entries: known,
    events: events.map((event) => bookable(event, until)),
    unreadable: new Set(content?.unreadable.map(({ uid }) => uid)),
    told: knownToReader(feed.account_id, feed, shown),
    today,
    now: instantOf(now),
    until,
    nextEntry: feed.next_entry,
  });
  const codes = new Map(rows.map((row) => [row.entry, row.reservation_code]));
  for (const step of decision.steps)
    codes.set(step.entry.entry, await perform(change, { feed, property, names }, step));
  await closeForFeed(change, placeOf(feed), { nights: decision.closed, today });
  const overlaps = await overlapsOf(change, feed, { rows, entries: decision.entries });
  const kept = new Map(rows.map((row) => [row.entry, row]));
  const next = decision.entries.map((entry) =>
    rowOf(entry, { feed, codes, overlaps, known: kept.get(entry.entry), now }),
  );
  // Most reads change nothing.
  if (!isDeepStrictEqual(inOrder(next), inOrder(rows))) await replaceEntries(trx, feed, next);
  await writeFeed(trx, feed, {
    ...validators,
    tried_at: instantOf(now),
    good_at: instantOf(now),
    failures: 0,
    problem: null,
    good_reads: feed.good_reads + 1,
    ...(content && { events: content.events.length, unreadable: saysUnreadable(content) }),
    next_entry: decision.nextEntry,
    next_read_at: feed.state === 'paused' ? null : now + afterRead(core.random),
  });
  return {
    read: 'good',
    events: content?.events.length ?? feed.events ?? 0,
    steps: decision.steps,
    closed: decision.closed.size,
  };
}

function inOrder(rows: readonly FeedEntryRow[]): FeedEntryRow[] {
  return rows.toSorted((a, b) => a.entry - b.entry);
}

/** An answer that nothing is new repeats what was there, and does not repeat what was missing. */
function sameAsBefore(entries: readonly FeedEntry[]): FeedEvent[] {
  return entries
    .filter((entry) => entry.missingSince === null)
    .map(({ uid, start, end, kind, reference, guest, phoneLast4 }) => {
      return { uid, start, end, kind, reference, guest, phoneLast4 };
    });
}

/** A reservation that is longer than any stay, or ends after every calendar, only closes its nights. */
function bookable(event: FeedEvent, until: PlainDate): FeedEvent {
  const isTooLong =
    event.kind === 'reservation' && (daysBetween(event.start, event.end) > STAY_NIGHTS || event.end > until);
  return isTooLong ? { ...event, kind: 'unknown' } : event;
}

function saysUnreadable({ unreadable }: { unreadable: readonly { uid: string; problem: string }[] }): string | null {
  const [first] = unreadable;
  if (!first) return null;
  const more = unreadable.length > 1 ? `, and ${unreadable.length - 1} more` : '';
  return `event ${first.uid || 'without a UID'}: ${first.problem}${more}`.slice(0, LONGEST_PROBLEM);
}

/** Returns the place in the calendar that a feed closes. */
export function placeOf({ account_id, property_id, id, name }: FeedRow) {
  return { account_id, property_id, feed_id: id, name };
}

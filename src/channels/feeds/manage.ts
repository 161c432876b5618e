import { closeForFeed, renameFeed } from '../../core/availabilities/feedNights.ts';
import { lockAccount } from '../../core/accounts/lock.ts';
import { runChange } from '../../core/change.ts';
import { cancelChannelReservation } from '../../core/channels/reservations/changes.ts';
import type { Change, Core, Principal } from '../../core/context.ts';
import { type AccountRow, flag } from '../../core/database.ts';
import { maySee, requireProperty } from '../../core/ownership.ts';
import { dateIn, instantOf, nightsOf } from '../../kernel/dates.ts';
import { ApiError, invalid } from '../../kernel/errors.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import type { CalendarReader } from '../../outbound/fetchCalendar.ts';

export type { CalendarReader };
import { nextIds } from '../../store/leases/sequences.ts';
import { contentOf, type FeedOutcome, placeOf, readFeedNow } from './poll.ts';
import { identityOf } from './reservations.ts';
import type { FeedEntryRow, FeedRow } from './rows.ts';
import { openUrl, sealToken, sealUrl } from './secrets.ts';
import { eventsToShow, type PrivateDetail, privateDetails } from './shown.ts';
import { chosenSource, type SourceChoice } from './sources.ts';
import {
  accountAndProperty,
  addFeed,
  entriesOf,
  feedById,
  feedsOf,
  lockFeed,
  removeFeed,
  settleClash,
  writeFeed,
} from './table.ts';
import { nightsIn } from './told.ts';

/** Bytes of a token: 192 bits cannot be guessed. */
const TOKEN_BYTES = 24;
/** Feeds of one unit. */
const MOST_FEEDS = 20;

/** A person of an account, and the properties that they see. */
export type FeedKeeper = Pick<Principal, 'visible'> & {
  account: AccountRow;
  operator: Principal['operator'] | null;
};

/** A calendar of a unit at one place outside. */
export interface FeedDraft {
  readonly property_id: number;
  /** What people call it: the marketplace, or whose calendar it is. */
  readonly name: string;
  readonly audience: FeedRow['audience'];
  /** Where its calendar can be read; left out: ours is only read there. */
  readonly url?: string | undefined;
  /** By default what the host of the address says. */
  readonly source?: SourceChoice | undefined;
  /** What a private calendar shows. */
  readonly shows?: readonly PrivateDetail[] | undefined;
}

/**
 * Adds a feed. An address is read before anything is stored, so that a wrong one is refused with the reason; after that
 * the feed is taken over.
 * @throws ApiError 403 or 404 for the property, 409 for an address that the unit has already, 422 for one that cannot be
 * read
 */
export async function addFeedOf(
  core: Core,
  reader: CalendarReader,
  who: FeedKeeper,
  given: FeedDraft,
): Promise<{ feed: FeedRow; outcome: FeedOutcome | null }> {
  const property = await requireProperty(core.store.db, who.account, who, given.property_id);
  if (property.status === 'inactive') {
    throw new ApiError(409, 'The property is inactive, and no calendar of it is read: make it active first.', {
      field: 'property_id',
    });
  }
  const draft = { ...given, url: given.url && asHttps(given.url) };
  requireSound(draft);
  if (draft.url !== undefined) await requireReadable(core, reader, draft.url, property.time_zone);
  const feed = await runChange(core, who, async (change) => {
    await lockAccount(change.trx, who.account.account_id);
    await requireRoom(change, draft);
    const row = rowOf(change, draft, await nextIds(change.trx, 'feeds'));
    await addFeed(change.trx, row);
    change.audit('add feed', String(row.id), { after: recorded(row) });
    return row;
  });
  const outcome = feed.url === null ? null : await readFeedNow(core, reader, feed);
  return { feed: (await feedById(core.store.db, feed)) ?? feed, outcome };
}

/** Calendar programs spell addresses so, and mean the same by it. */
function asHttps(url: string): string {
  return url.replace(/^webcals?:/i, 'https:');
}

function requireSound({ audience, url, shows, name }: FeedDraft): void {
  if (/\p{Cc}/u.test(name)) throw invalid('name', 'must be on one line');
  if (audience === 'private' && url !== undefined) {
    throw invalid('url', 'belongs to a channel: a private calendar is only read by others');
  }
  if (audience === 'channel' && (shows?.length ?? 0) > 0) {
    throw invalid('shows', 'belongs to a private calendar: a channel sees closed nights and nothing else');
  }
}

async function requireReadable(core: Core, reader: CalendarReader, url: string, time_zone: string): Promise<void> {
  const answer = await reader.read(url, { etag: null, lastModified: null });
  const content =
    'text' in answer ? contentOf(answer.text, { source: 'generic' }, { time_zone }, core.clock.now()) : answer;
  if ('problem' in content) throw invalid('url', `cannot be read: ${content.problem}`);
}

async function requireRoom(change: Change, draft: FeedDraft): Promise<void> {
  const { account_id: accountId } = change.account;
  const own = await feedsOf(change.trx, { accountId, properties: [draft.property_id] });
  if (own.length >= MOST_FEEDS) throw new ApiError(409, `A property has at most ${MOST_FEEDS} feeds.`);
  const { url } = draft;
  const twin = own.find((feed) => feed.url !== null && openUrl(change.core, feed.id, feed.url) === url);
  if (twin) throw new ApiError(409, `The property reads this address already, as "${twin.name}".`, { field: 'url' });
}

function rowOf(change: Change, draft: FeedDraft, id: number): FeedRow {
  const { core, account, now } = change;
  const token = newToken(core);
  const host = draft.url === undefined ? null : new URL(draft.url).hostname;
  return {
    account_id: account.account_id,
    id,
    property_id: draft.property_id,
    name: draft.name,
    source: chosenSource(draft.source, host),
    audience: draft.audience,
    url: draft.url === undefined ? null : sealUrl(core, id, draft.url),
    host,
    token: sealToken(core, id, token),
    token_hash: sha256Hex(token),
    shows: JSON.stringify(privateDetails.filter((detail) => draft.shows?.includes(detail))),
    state: 'active',
    created_at: instantOf(now),
    etag: null,
    last_modified: null,
    next_read_at: draft.url === undefined ? null : now,
    tried_at: null,
    good_at: null,
    failures: 0,
    problem: null,
    good_reads: 0,
    events: null,
    unreadable: null,
    next_entry: 1,
    fetched_at: null,
    fetched_by: null,
    usual_fetch_ms: null,
    told: null,
  };
}

function newToken({ random }: Core): string {
  return random.bytes(TOKEN_BYTES).toString('base64url');
}

/** What the record keeps of a feed; its address and its token are secrets. */
function recorded({ property_id, name, source, audience, host, shows, state }: FeedRow): object {
  return { property_id, name, source, audience, host, shows, state };
}

/** A change of a feed: what is left out stays. */
export interface FeedChange {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly source?: SourceChoice | undefined;
  readonly shows?: readonly PrivateDetail[] | undefined;
  readonly state?: FeedRow['state'] | undefined;
  /** true: the old address of our calendar ends, and there is a new one. */
  readonly new_token?: boolean | undefined;
}

/** Changes a feed. A new address is read first. @throws ApiError as {@link addFeedOf} */
export async function changeFeedOf(
  core: Core,
  reader: CalendarReader,
  who: FeedKeeper,
  { id, ...given }: FeedChange & { id: number },
): Promise<FeedRow> {
  const wanted = { ...given, url: given.url && asHttps(given.url) };
  const known = await requireFeed(core, who, id);
  requireSound({ ...known, name: wanted.name ?? known.name, url: wanted.url, shows: wanted.shows });
  if (wanted.url !== undefined) {
    const property = await requireProperty(core.store.db, who.account, who, known.property_id);
    await requireReadable(core, reader, wanted.url, property.time_zone);
  }
  return runChange(core, who, async (change) => {
    const before = await lockFeed(change.trx, known);
    if (!before) throw gone();
    const after = { ...before, ...columnsOf(change, before, wanted) };
    await writeFeed(change.trx, before, after);
    if (after.name !== before.name) await renameFeed(change, placeOf(after));
    change.audit('change feed', String(id), { before: recorded(before), after: recorded(after) });
    return after;
  });
}

function columnsOf({ core, now }: Change, { id, state, host }: FeedRow, wanted: FeedChange): Partial<FeedRow> {
  const { name, url, source, shows } = wanted;
  const token = wanted.new_token === true ? newToken(core) : undefined;
  const next = wanted.state ?? state;
  return {
    ...(name !== undefined && { name }),
    ...(source !== undefined && { source: chosenSource(source, host) }),
    ...(shows !== undefined && { shows: JSON.stringify(privateDetails.filter((detail) => shows.includes(detail))) }),
    ...(token !== undefined && { token: sealToken(core, id, token), token_hash: sha256Hex(token), told: null }),
    ...(token !== undefined && { fetched_at: null, fetched_by: null }),
    ...(url !== undefined && {
      url: sealUrl(core, id, url),
      host: new URL(url).hostname,
      source: chosenSource(source, new URL(url).hostname),
      etag: null,
      last_modified: null,
      failures: 0,
      problem: null,
    }),
    ...((wanted.state !== undefined || url !== undefined) && {
      state: next,
      next_read_at: next === 'paused' ? null : now,
    }),
  };
}

/**
 * Removes a feed: nights that it alone closed are open again, and its address is dead.
 * @param cancels true cancels the reservations that came by it and have not begun; otherwise they stay
 */
export async function removeFeedOf(core: Core, who: FeedKeeper, id: number, cancels: boolean): Promise<void> {
  const known = await requireFeed(core, who, id);
  const property = await requireProperty(core.store.db, who.account, who, known.property_id);
  await runChange(core, who, async (change) => {
    const feed = await lockFeed(change.trx, known);
    if (!feed) throw gone();
    const today = dateIn(property.time_zone, change.now);
    await closeForFeed(change, placeOf(feed), { nights: new Set(), today });
    const booked = cancels ? (await entriesOf(change.trx, feed)).filter(isBooked) : [];
    for (const { entry, start_date } of booked) {
      if (start_date > today) await cancelChannelReservation(change, identityOf(feed.id, entry));
    }
    await removeFeed(change.trx, feed);
    change.audit('remove feed', String(id), { before: recorded(feed) });
  });
}

/** Reads a feed now, whenever its next turn is. @throws ApiError 409 for one that is not read */
export async function readFeedOf(
  core: Core,
  reader: CalendarReader,
  who: FeedKeeper,
  id: number,
): Promise<{ feed: FeedRow; outcome: FeedOutcome }> {
  const known = await requireFeed(core, who, id);
  if (known.url === null) throw new ApiError(409, 'Nothing is read from this feed: it has no address.');
  const outcome = await readFeedNow(core, reader, known);
  return { feed: (await feedById(core.store.db, known)) ?? known, outcome };
}

function isBooked({ reservation_code }: FeedEntryRow): boolean {
  return reservation_code !== null;
}

/**
 * Cancels the reservation that stands for an event, on a person's word: v3 cancels only what was made by hand. Its nights
 * stay closed as long as the feed shows the event.
 * @throws ApiError 404 if there is none
 */
export async function cancelEntryOf(core: Core, who: FeedKeeper, id: number, entry: number): Promise<void> {
  const feed = await requireFeed(core, who, id);
  await runChange(core, who, async (change) => {
    const row = (await entriesOf(change.trx, feed)).find((one) => one.entry === entry);
    if (!row || !isBooked(row)) throw new ApiError(404, 'No reservation stands for this event.');
    await cancelChannelReservation(change, identityOf(id, entry));
    change.audit('cancel feed reservation', `${id}/${entry}`);
  });
}

/**
 * Notes that an event on nights of a stay is that same stay. If others hold all its nights here, it only repeats them from
 * now on: it closes nothing of its own. @throws ApiError 404 if there is no such event
 */
export async function settleClashOf(core: Core, who: FeedKeeper, id: number, entry: number): Promise<void> {
  const feed = await requireFeed(core, who, id);
  const { property } = await accountAndProperty(core.store.db, feed);
  await runChange(core, who, async (change) => {
    const { trx, now } = change;
    // A read that is under way puts its entries in the place of these.
    await lockFeed(trx, feed);
    const row = (await entriesOf(trx, feed)).find((one) => one.entry === entry);
    if (!row) throw nothingToLookAt();
    const held = nightsIn(await eventsToShow({ core, db: trx, now }, feed, property));
    const today = dateIn(property.time_zone, now);
    const ahead = nightsOf(row.start_date, row.end_date).filter((night) => night >= today);
    const echo = flag(row.echo === 1 || ahead.every((night) => held.has(night)));
    if (!(await settleClash(trx, feed, { entry, echo }))) throw nothingToLookAt();
    change.audit('settle feed clash', `${id}/${entry}`);
  });
}

function nothingToLookAt(): ApiError {
  return new ApiError(404, 'The feed has no such event to look at.');
}

/** Returns a feed that somebody may see. @throws ApiError 404 */
export async function requireFeed(core: Core, who: FeedKeeper, id: number): Promise<FeedRow> {
  const feed = await feedById(core.store.db, { account_id: who.account.account_id, id });
  if (!feed || !maySee(who, feed.property_id)) throw gone();
  return feed;
}

function gone(): ApiError {
  return new ApiError(404, 'id not found.', { field: 'id' });
}

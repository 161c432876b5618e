import { addDays, msOf, nightsOf, type Instant, type PlainDate } from '../../kernel/dates.ts';
import { isClipped, matchEvents } from './match.ts';
import type { FeedEvent } from './readFeed.ts';

/** Good reads without an event before it is gone, and the least time since the first of them. */
export const GONE = { reads: 2, ms: 30 * 60_000 } as const;
/** The same while a feed that had events is valid but empty. */
export const EMPTIED = { reads: 3, ms: 2 * 3_600_000 } as const;

/** An event of a feed as it is remembered between reads. */
export interface FeedEntry extends FeedEvent {
  /** Its number within the feed; never used twice. */
  readonly entry: number;
  /** The nights are closed by us, and the feed only repeats it. */
  readonly echo: boolean;
  /** A reservation of ours stands for it. */
  readonly booked: boolean;
  /** That reservation was cancelled here, while the channel goes on to sell these nights. */
  readonly released: boolean;
  /** Good reads in a row that did not have it, and the time of the first of them. */
  readonly missingReads: number;
  readonly missingSince: Instant | null;
}

/** What we told the marketplace, to recognise it when it comes back. */
export interface Told {
  /** Returns true for a UID that this service gives to its own events. */
  isOurs(uid: string): boolean;
  /** Nights that its calendar with us showed as closed when it last fetched it. */
  readonly nights: ReadonlySet<PlainDate>;
  /** These, and those that it would show now. What a person called a repetition remains one while it covers only these. */
  readonly known: ReadonlySet<PlainDate>;
}

/** A good read of a feed, and what was known before. */
export interface FeedRead {
  readonly entries: readonly FeedEntry[];
  readonly events: readonly FeedEvent[];
  /** UIDs of events whose dates could not be read: what is known under them stays. */
  readonly unreadable: ReadonlySet<string>;
  readonly told: Told;
  /** In the zone of the unit. */
  readonly today: PlainDate;
  readonly now: Instant;
  /** The last night of calendars. */
  readonly until: PlainDate;
  /** The number of the next new entry. */
  readonly nextEntry: number;
}

/** What a read means for the unit. */
export interface FeedDecision {
  /** Everything to remember from now on. */
  readonly entries: readonly FeedEntry[];
  /** Nights from today on that the feed closes, without those of booked reservations. */
  readonly closed: ReadonlySet<PlainDate>;
  /** The number of the next new entry. */
  readonly nextEntry: number;
  readonly steps: readonly FeedStep[];
}

/** A change of reservations. Steps are in the order in which they free nights before they take them. */
export interface FeedStep {
  readonly do: 'cancel' | 'alter' | 'book';
  readonly entry: FeedEntry;
}

/**
 * Decides what a good read of a feed changes. Nothing is freed by a single read: an event must be missing in several
 * reads and for some time. An event that has begun is not shortened from its start, and a guest who is in the house is
 * not cancelled. A reservation that claims nights of another one of the same feed only closes them until the other is
 * gone. Nights of a reservation that was cancelled here stay closed as long as the feed shows them. Closed nights are the
 * marketplace's own unless it has learned them from us, night by night: it may write both as one event.
 */
export function decideFeed(read: FeedRead): FeedDecision {
  const { today, now } = read;
  const live = read.entries.filter((entry) => entry.end > today);
  const shown = read.events.filter((event) => event.end > today && event.start <= read.until);
  const events = shown.flatMap((event) => cutAtTold(event, live, read));
  const matching = matchEvents(live, events, today);
  const nextEntry = read.nextEntry + matching.fresh.length;
  const limits = events.length === 0 && live.length > 0 ? EMPTIED : GONE;

  const present = [
    ...matching.same.map(([entry, event]) => found(entry, event, read)),
    ...matching.recut.map((entry) => ({ ...entry, ...SEEN, echo: entry.echo && remainsEcho(entry, read) })),
    ...matching.fresh.map((event, index) => firstSeen(event, read.nextEntry + index, read)),
  ];
  const missing = matching.absent.map((entry) => (read.unreadable.has(entry.uid) ? entry : missed(entry, now)));
  const gone = missing.filter((entry) => isGone(entry, limits, read));
  const waiting = missing.filter((entry) => !gone.includes(entry));

  const before = new Map(live.map((entry) => [entry.entry, entry]));
  const steps: FeedStep[] = gone.filter(({ booked }) => booked).map((entry) => ({ do: 'cancel', entry }));
  const kept = [...present, ...waiting];
  const withheld: FeedEntry[] = [];
  const entries = kept.map((entry) => settle(entry, { kept, before, steps, withheld }));
  return { entries, closed: closedNights([...entries, ...withheld], read), nextEntry, steps };
}

const SEEN = { missingReads: 0, missingSince: null } as const;

function found(entry: FeedEntry, event: FeedEvent, read: FeedRead): FeedEntry {
  const start = isClipped(entry, event, read.today) ? entry.start : event.start;
  const kind = entry.booked ? entry.kind : event.kind;
  const next = { ...entry, ...event, ...SEEN, kind, start };
  // What was there before we told of these nights is the marketplace's own, and remains it.
  return { ...next, echo: entry.echo && remainsEcho(next, read) };
}

function firstSeen(event: FeedEvent, number: number, read: FeedRead): FeedEntry {
  return { ...event, entry: number, ...SEEN, booked: false, released: false, echo: isEcho(event, read) };
}

/**
 * Returns true for an event that only repeats what we told: it bears a UID of ours, or nobody's name or code and no night
 * that was free for the marketplace.
 */
function isEcho(event: FeedEvent, read: FeedRead): boolean {
  return read.told.isOurs(event.uid) || coversOnly(event, read.told.nights, read);
}

function remainsEcho(event: FeedEvent, read: FeedRead): boolean {
  return read.told.isOurs(event.uid) || coversOnly(event, read.told.known, read);
}

function coversOnly(event: FeedEvent, told: ReadonlySet<PlainDate>, { today, until }: FeedRead): boolean {
  if (event.reference !== null || event.guest !== null) return false;
  const nights = nightsAhead(event, today, until);
  return nights.length > 0 && nights.every((night) => told.has(night));
}

/**
 * Cuts closed nights into those that the marketplace has from us and its own. What was its own before we told of it
 * remains its own.
 */
function cutAtTold(event: FeedEvent, entries: readonly FeedEntry[], { told, today, until }: FeedRead): FeedEvent[] {
  if (event.kind === 'reservation' || told.isOurs(event.uid)) return [event];
  const own = entries.filter(({ echo, start, end }) => !echo && start < event.end && event.start < end);
  const isTold = (night: PlainDate) =>
    told.nights.has(night) && !own.some(({ start, end }) => start <= night && night < end);
  const nights = nightsAhead(event, today, until);
  const [first] = nights;
  if (first === undefined) return [event];
  const edges = nights.filter((night) => night !== first && isTold(night) !== isTold(addDays(night, -1)));
  return [...edges, event.end].map((end, index) => ({ ...event, start: edges[index - 1] ?? event.start, end }));
}

function missed(entry: FeedEntry, now: Instant): FeedEntry {
  return { ...entry, missingReads: entry.missingReads + 1, missingSince: entry.missingSince ?? now };
}

function isGone(entry: FeedEntry, limits: typeof GONE | typeof EMPTIED, { now, today }: FeedRead): boolean {
  if (entry.missingSince === null) return false;
  // What only repeated us closes nothing, so there is nothing to free too early.
  if (entry.echo) return true;
  if (entry.booked && entry.start <= today) return false;
  return entry.missingReads >= limits.reads && msOf(now) - msOf(entry.missingSince) >= limits.ms;
}

interface ReadContext {
  readonly kept: readonly FeedEntry[];
  readonly before: ReadonlyMap<number, FeedEntry>;
  readonly steps: FeedStep[];
  /** Claims that cannot be booked yet; their nights are closed. */
  readonly withheld: FeedEntry[];
}

/** Books or alters what a reservation asks for, unless another one of the feed still has its nights. */
function settle(entry: FeedEntry, { kept, before, steps, withheld }: ReadContext): FeedEntry {
  if (entry.kind !== 'reservation' || entry.echo || entry.released) return entry;
  const known = before.get(entry.entry);
  const isNew = !entry.booked;
  const isMoved = entry.booked && known !== undefined && (known.start !== entry.start || known.end !== entry.end);
  if (!isNew && !isMoved) return entry;
  const rivals = kept.filter(
    (other) => other.entry !== entry.entry && other.booked && other.start < entry.end && entry.start < other.end,
  );
  if (rivals.length > 0) {
    if (!entry.booked || !known) return entry;
    withheld.push({ ...entry, booked: false });
    return { ...known, ...SEEN };
  }
  const settled = { ...entry, booked: true };
  steps.push({ do: isNew ? 'book' : 'alter', entry: settled });
  return settled;
}

function closedNights(entries: readonly FeedEntry[], { today, until }: FeedRead): Set<PlainDate> {
  const closed = new Set<PlainDate>();
  for (const entry of entries) {
    if ((entry.booked && !entry.released) || entry.echo) continue;
    for (const night of nightsAhead(entry, today, until)) closed.add(night);
  }
  return closed;
}

function nightsAhead(
  { start, end }: Pick<FeedEvent, 'start' | 'end'>,
  today: PlainDate,
  until: PlainDate,
): PlainDate[] {
  const from = start < today ? today : start;
  const to = end > until ? addDays(until, 1) : end;
  return from < to ? nightsOf(from, to) : [];
}

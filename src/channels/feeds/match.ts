import { addDays, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import type { FeedEvent } from './readFeed.ts';

/** What is known of an event from earlier reads of its feed. */
export type Known = Pick<FeedEvent, 'uid' | 'start' | 'end' | 'kind' | 'reference' | 'guest'>;

/** How the events of a read and the known ones belong together. */
export interface Matching<Entry extends Known> {
  /** The same event, perhaps with other dates or another UID. */
  readonly same: readonly (readonly [Entry, FeedEvent])[];
  /** Known ones whose nights the feed cuts otherwise now, such as two neighbours that became one event. */
  readonly recut: readonly Entry[];
  readonly fresh: readonly FeedEvent[];
  readonly absent: readonly Entry[];
}

/** The longest time for which an event is looked at night by night. */
const LONGEST_NIGHTS = 400;

/**
 * Finds known events again, the surest signs first: the marketplace's code, the UID, the dates, a start that moves with
 * today, and for those that bear no code the same first or last night. UIDs alone prove nothing: some follow the dates,
 * and others stand for several events.
 */
export function matchEvents<Entry extends Known>(
  entries: readonly Entry[],
  events: readonly FeedEvent[],
  today: PlainDate,
): Matching<Entry> {
  const open = new Open(entries, events);
  open.pair(({ reference }) => reference ?? undefined);
  open.pair((one) => (one.uid === '' ? undefined : `${one.uid} ${one.start} ${one.end}`));
  open.pair(({ uid, start }) => (uid === '' ? undefined : `${uid} ${start}`));
  open.pairOnly(({ uid }) => (uid === '' ? undefined : uid));
  open.pair(({ start, end, kind }) => `${kind} ${start} ${end}`);
  open.pair(({ start, end }) => `${start} ${end}`);
  open.pairIf((entry, event) => entry.end === event.end && isClipped(entry, event, today) && mayBeSame(entry, event));
  const recut = open.takeRecut(today);
  open.pairIf((entry, event) => entry.start === event.start && mayBeSame(entry, event));
  open.pairIf((entry, event) => entry.end === event.end && overlaps(entry, event) && mayBeSame(entry, event));
  return { same: open.same, recut, fresh: open.events, absent: open.entries };
}

/** Returns true if a feed shows only what is left of an event that has begun. */
export function isClipped({ start }: Pick<Known, 'start'>, event: Pick<Known, 'start'>, today: PlainDate): boolean {
  return start < today && event.start > start && event.start <= addDays(today, 1);
}

/** Returns false for two that bear different codes or names, or of which one alone is a guest's. */
function mayBeSame(entry: Known, event: FeedEvent): boolean {
  return (
    entry.kind === event.kind && entry.reference === event.reference && (entry.guest ?? '') === (event.guest ?? '')
  );
}

function overlaps(a: Pick<Known, 'start' | 'end'>, b: Pick<Known, 'start' | 'end'>): boolean {
  return a.start < b.end && b.start < a.end;
}

/** What has not found its counterpart yet. */
class Open<Entry extends Known> {
  readonly same: (readonly [Entry, FeedEvent])[] = [];
  entries: Entry[];
  events: FeedEvent[];

  constructor(entries: readonly Entry[], events: readonly FeedEvent[]) {
    this.entries = [...entries];
    this.events = [...events];
  }

  /** Pairs those with the same sign, in their order. */
  pair(signOf: (one: Known) => string | undefined): void {
    const waiting = new Map<string, Entry[]>();
    for (const entry of this.entries) {
      const sign = signOf(entry);
      if (sign !== undefined) waiting.set(sign, [...(waiting.get(sign) ?? []), entry]);
    }
    this.#pairWith((event) => waiting.get(signOf(event) ?? '')?.shift());
  }

  /** Pairs those with the same sign where only one entry and one event bear it. */
  pairOnly(signOf: (one: Known) => string | undefined): void {
    const counts = (all: readonly Known[]) => {
      const bySign = new Map<string, number>();
      for (const one of all) bySign.set(signOf(one) ?? '', (bySign.get(signOf(one) ?? '') ?? 0) + 1);
      return bySign;
    };
    const [known, seen] = [counts(this.entries), counts(this.events)];
    this.pair((one) => {
      const sign = signOf(one);
      return sign !== undefined && known.get(sign) === 1 && seen.get(sign) === 1 ? sign : undefined;
    });
  }

  pairIf(isSame: (entry: Entry, event: FeedEvent) => boolean): void {
    const left = new Set(this.entries);
    this.#pairWith((event) => {
      for (const entry of left) {
        if (!isSame(entry, event)) continue;
        left.delete(entry);
        return entry;
      }
      return undefined;
    });
  }

  /**
   * Takes out entries and events that cover the same nights from today on, only cut otherwise. The entries are
   * returned; nothing has to be done about the events.
   */
  takeRecut(today: PlainDate): Entry[] {
    const nightsAhead = ({ start, end }: Known) =>
      start < end && end > today ? nightsOf(start < today ? today : start, end).slice(0, LONGEST_NIGHTS) : [];
    const covered = (all: readonly Known[]) => new Set(all.flatMap(nightsAhead));
    const isIn = (one: Known, nights: ReadonlySet<PlainDate>) => {
      const own = nightsAhead(one);
      return own.length > 0 && own.every((night) => nights.has(night));
    };
    const [known, seen] = [covered(this.entries), covered(this.events)];
    const events = this.events.filter((event) => isIn(event, known));
    const entries = this.entries.filter(
      (entry) => isIn(entry, seen) && !this.events.some((event) => overlaps(entry, event) && !events.includes(event)),
    );
    const kept = new Set(entries.flatMap(nightsAhead));
    this.entries = this.entries.filter((entry) => !entries.includes(entry));
    this.events = this.events.filter((event) => !(events.includes(event) && isIn(event, kept)));
    return entries;
  }

  #pairWith(find: (event: FeedEvent) => Entry | undefined): void {
    const taken = new Set<Entry>();
    this.events = this.events.filter((event) => {
      const entry = find(event);
      if (!entry) return true;
      taken.add(entry);
      this.same.push([entry, event]);
      return false;
    });
    this.entries = this.entries.filter((entry) => !taken.has(entry));
  }
}

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { addDays, nightsOf, type PlainDate } from '../../kernel/dates.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { Told } from './decide.ts';
import type { FeedRow } from './rows.ts';

const toldEvent = z.object({
  uid: z.string(),
  start: z.string(),
  end: z.string(),
  /** Times that the event was changed since it was first told. */
  sequence: z.int(),
  /** The moment of the last change. */
  modified: z.string(),
  /** Digest of everything that it says. */
  digest: z.string(),
});
/** An event of a calendar of ours, as it was told. */
export type ToldEvent = z.output<typeof toldEvent>;

/** An event that a calendar of ours is to show. */
export interface ShownEvent {
  readonly uid: string;
  readonly start: PlainDate;
  /** The day after the last night. */
  readonly end: PlainDate;
  readonly summary: string;
  readonly description?: string;
  /** Moments in place of days, in UTC. */
  readonly times?: { readonly start: string; readonly end: string };
}

/** Returns the events of a feed as they were fetched last. */
export function toldOf({ told }: Pick<FeedRow, 'told'>): ToldEvent[] {
  return told === null ? [] : z.array(toldEvent).parse(JSON.parse(told));
}

/** Returns events as they are told now: what says the same as before keeps its number and its time. */
export function tellAgain(before: readonly ToldEvent[], events: readonly ShownEvent[], now: string): ToldEvent[] {
  const known = new Map(before.map((event) => [event.uid, event]));
  return events.map((event) => {
    const digest = digestOf(event);
    const earlier = known.get(event.uid);
    if (earlier?.digest === digest) return earlier;
    const sequence = earlier ? earlier.sequence + 1 : 0;
    return { uid: event.uid, start: event.start, end: event.end, sequence, modified: now, digest };
  });
}

function digestOf({ start, end, summary, description, times }: ShownEvent): string {
  const text = JSON.stringify([start, end, summary, description ?? null, times ?? null]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Returns the end of all UIDs that an account gives. Another installation has another one. */
export function uidSuffix(accountId: AccountId): string {
  return `@${createHash('sha256').update(accountId).digest('hex').slice(0, 16)}.stayd`;
}

/** Returns what the reader of a calendar of ours can have learned from us. @param shown what it would fetch now */
export function knownToReader(accountId: AccountId, feed: FeedRow, shown: readonly ShownEvent[]): Told {
  const suffix = uidSuffix(accountId);
  const isOurs = (uid: string) => uid.endsWith(suffix);
  const nights = feed.fetched_at === null ? new Set<PlainDate>() : nightsIn(toldOf(feed));
  return { isOurs, nights, known: new Set([...nights, ...nightsIn(shown)]) };
}

/** Returns the nights of events of our calendar. */
export function nightsIn(events: readonly Pick<ShownEvent, 'start' | 'end'>[]): Set<PlainDate> {
  return new Set(events.flatMap(({ start, end }) => nightsOf(start, end < start ? addDays(start, 1) : end)));
}

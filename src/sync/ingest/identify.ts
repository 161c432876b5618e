import type { Clock } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/signature.ts';
import type { ReadEvent } from './readEvent.ts';

/** The time within which events without an id of their own are one and the same, if their content is. */
const WINDOW_MS = 3 * 60_000;
const HASH_DIGITS = 40;
const BASE = 36;

/** An event with an id. */
export interface IncomingEvent extends ReadEvent {
  eventId: string;
  /** Set if the id is made of the content: a repeat may be a second event with the same words. */
  isByContent: boolean;
}

/**
 * Gives ids to events that have none: made of their content, and of the moment when that first came. A restart forgets
 * recent events; then a repeat counts as another event, which causes one more read and does no harm.
 */
export function identifier(clock: Clock): (event: ReadEvent) => IncomingEvent {
  const lately = new Map<string, { eventId: string; at: number }>();

  /** Deletes old entries, in the order of their arrival. */
  function forget(now: number): void {
    for (const [content, { at }] of lately) {
      if (now - at < WINDOW_MS) return;
      lately.delete(content);
    }
  }

  function idOf(content: string): string {
    const now = clock.monotonic();
    forget(now);
    const known = lately.get(content);
    if (known) return known.eventId;
    const eventId = `h${content.slice(0, HASH_DIGITS)}${clock.now().toString(BASE)}`;
    lately.set(content, { eventId, at: now });
    return eventId;
  }

  return (event) =>
    event.eventId === null
      ? { ...event, eventId: idOf(sha256Hex(`${event.event} ${event.body}`)), isByContent: true }
      : { ...event, eventId: event.eventId, isByContent: false };
}

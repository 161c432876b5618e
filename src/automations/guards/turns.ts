/** A turn is used within so long after it has begun: what is looked at then is also sent then. */
export const BEGIN_MS = 30_000;
/** What was sent has arrived after so long. */
const ARRIVE_MS = 15_000;

/** How installations that act on one account take turns, so that each sees what the others have said. */
export interface Turns {
  /** The place of this one, from 0. */
  rank: number;
  /** How many there are. */
  of: number;
  /** How long a message may take until it shows. */
  showsMs: number;
}

/** From the beginning of a turn to that of the next one: a message that was sent in it shows by then. */
export function turnMs({ showsMs }: Pick<Turns, 'showsMs'>): number {
  return BEGIN_MS + ARRIVE_MS + showsMs;
}

/**
 * When this installation may speak about something: now, or when its next turn begins. Turns go round and round, and are
 * counted from a moment that all of them know.
 */
export function turnAt(sinceMs: number, nowMs: number, turns: Turns): number {
  if (turns.of < 2) return nowMs;
  const length = turnMs(turns);
  const round = turns.of * length;
  const gone = nowMs - sinceMs - turns.rank * length;
  const position = gone - Math.floor(gone / round) * round;
  return position < BEGIN_MS ? nowMs : nowMs + round - position;
}

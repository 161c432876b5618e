/** Milliseconds at the beginning of a turn within which a message must be checked and sent. */
export const BEGIN_MS = 30_000;
/** Milliseconds within which a sent message arrives. */
const ARRIVE_MS = 15_000;

/** The turns of several installations on one account. Turns let each see the messages of the others. */
export interface Turns {
  /** Position of this installation, from 0. */
  rank: number;
  /** Number of installations. */
  of: number;
  /** Most milliseconds until a message shows. */
  showsMs: number;
}

/**
 * Returns the milliseconds from the beginning of a turn to that of the next. A message sent in a turn shows by then.
 */
export function turnMs({ showsMs }: Pick<Turns, 'showsMs'>): number {
  return BEGIN_MS + ARRIVE_MS + showsMs;
}

/**
 * Returns the time at which this installation may speak: now, or the beginning of its next turn. Turns rotate, counted
 * from a moment that all installations know.
 */
export function turnAt(sinceMs: number, nowMs: number, turns: Turns): number {
  if (turns.of < 2) return nowMs;
  const length = turnMs(turns);
  const round = turns.of * length;
  const gone = nowMs - sinceMs - turns.rank * length;
  const position = gone - Math.floor(gone / round) * round;
  return position < BEGIN_MS ? nowMs : nowMs + round - position;
}

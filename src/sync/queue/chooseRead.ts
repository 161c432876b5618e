/** More dirty keys than this, and than the requests of a walk, are a storm. */
export const STORM_KEYS = 200;
/** A storm is over when nothing new came for this long. */
export const STORM_QUIET_MS = 5_000;
/** A gust is over when nothing new came for this long: few enough keys, read soon enough, need no walk. */
export const GUST_QUIET_MS = 1_000;
/** How long the look-ups of a gust may take. */
export const GUST_READ_MS = 3_000;
/** A storm that does not end is walked through after this time; so are two walks apart. */
export const STORM_LONGEST_MS = 10 * 60_000;

/** What waits to be read of one resource, and what reading it would cost. */
export interface Load {
  /** Keys that are dirty now. */
  dirty: number;
  /** Keys looked up within the last {@link STORM_QUIET_MS}: a reader that keeps up must see the storm, too. */
  recent: number;
  /** Requests of a walk that covers them all. */
  walkCost: number;
  /** Epoch milliseconds of the newest mark. */
  newestMark: number;
  /** How long looking up the dirty keys would take, as look-ups go at present. */
  lookUpMs: number;
  /** How many requests may be spent on gusts at present. */
  allowance: number;
  /** When the storm began; undefined in calm weather. */
  stormSince: number | undefined;
  /** When the last walk against a storm began. */
  lastBurstWalk: number | undefined;
}

export interface Choice {
  read: 'look_up' | 'walk' | 'wait';
  stormSince: number | undefined;
  /** These look-ups are those of a gust, and use up the allowance. */
  gust?: true;
  /** When to choose again, for `wait`. */
  until?: number;
}

/**
 * Whether dirty keys are looked up one by one or the whole resource is walked, at the moment `now`.
 *
 *     calm  --dirty + recent > max(walk cost, 200)-->  storm: look-ups wait
 *     storm --quiet for 1 s, few and fast to read----> calm: it was a gust, and they are looked up
 *     storm --quiet for 5 s, few keys left-----------> calm
 *     storm --quiet for 5 s, or 10 min old-----------> walk, at most one in 10 min
 */
export function chooseRead(load: Load, now: number): Choice {
  if (load.stormSince === undefined && load.dirty + load.recent <= Math.max(load.walkCost, STORM_KEYS)) {
    return { read: 'look_up', stormSince: undefined };
  }
  const stormSince = load.stormSince ?? now;
  const quietAt = load.newestMark + STORM_QUIET_MS;
  const isQuiet = now >= quietAt;
  if (isQuiet && load.dirty <= load.walkCost) return { read: 'look_up', stormSince: undefined };
  // A storm with pauses would pass for many gusts; the allowance sees to it that their cost has an end.
  const isGust = load.dirty <= load.allowance && load.lookUpMs <= GUST_READ_MS;
  const gustAt = load.newestMark + GUST_QUIET_MS;
  if (isGust && now >= gustAt) return { read: 'look_up', stormSince: undefined, gust: true };
  const mayWalkAt = load.lastBurstWalk === undefined ? now : load.lastBurstWalk + STORM_LONGEST_MS;
  const mustWalkAt = Math.min(quietAt, stormSince + STORM_LONGEST_MS);
  const walkAt = Math.max(mayWalkAt, mustWalkAt);
  if (now >= walkAt) return { read: 'walk', stormSince };
  // While nothing may be walked, a storm that calms down early may leave few keys.
  const until = isQuiet ? walkAt : Math.min(walkAt, quietAt);
  return { read: 'wait', stormSince, until: isGust ? Math.min(until, gustAt) : until };
}

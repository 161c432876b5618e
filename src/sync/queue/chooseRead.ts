/** More dirty keys than this, and than the requests of a scan, are a burst. */
export const BURST_KEYS = 200;
/** A burst is over when nothing new came for this long. */
export const BURST_QUIET_MS = 5_000;
/** A short burst is over when nothing new came for this long: few enough keys, read soon enough, need no scan. */
export const SHORT_BURST_QUIET_MS = 1_000;
/** How long the look-ups of a short burst may take. */
export const SHORT_BURST_READ_MS = 3_000;
/** A burst that does not end is scanned through after this time; so are two scans apart. */
export const BURST_LONGEST_MS = 10 * 60_000;

/** What waits to be read of one resource, and what reading it would cost. */
export interface Load {
  /** Keys that are dirty now. */
  dirty: number;
  /** Keys looked up within the last {@link BURST_QUIET_MS}: a reader that keeps up must see the burst, too. */
  recent: number;
  /** Requests of a scan that covers them all. */
  scanCost: number;
  /** Epoch milliseconds of the newest mark. */
  newestMark: number;
  /** How long looking up the dirty keys would take, as look-ups go at present. */
  lookUpMs: number;
  /** How many requests may be spent on short bursts at present. */
  allowance: number;
  /** When the burst began; undefined while idle. */
  burstSince: number | undefined;
  /** When the last scan against a burst began. */
  lastBurstScan: number | undefined;
}

export interface Choice {
  read: 'look_up' | 'scan' | 'wait';
  burstSince: number | undefined;
  /** These look-ups are those of a short burst, and use up the allowance. */
  shortBurst?: true;
  /** When to choose again, for `wait`. */
  until?: number;
}

/**
 * Whether dirty keys are looked up one by one or the whole resource is scanned, at the moment `now`.
 *
 *     idle  --dirty + recent > max(scan cost, 200)-->  burst: look-ups wait
 *     burst --quiet for 1 s, few and fast to read----> idle: it was a short burst, and they are looked up
 *     burst --quiet for 5 s, few keys left-----------> idle
 *     burst --quiet for 5 s, or 10 min old-----------> scan, at most one in 10 min
 */
export function chooseRead(load: Load, now: number): Choice {
  if (load.burstSince === undefined && load.dirty + load.recent <= Math.max(load.scanCost, BURST_KEYS)) {
    return { read: 'look_up', burstSince: undefined };
  }
  const burstSince = load.burstSince ?? now;
  const quietAt = load.newestMark + BURST_QUIET_MS;
  const isQuiet = now >= quietAt;
  if (isQuiet && load.dirty <= load.scanCost) return { read: 'look_up', burstSince: undefined };
  // A burst with pauses would pass for many short bursts; the allowance sees to it that their cost has an end.
  const isShortBurst = load.dirty <= load.allowance && load.lookUpMs <= SHORT_BURST_READ_MS;
  const shortBurstAt = load.newestMark + SHORT_BURST_QUIET_MS;
  if (isShortBurst && now >= shortBurstAt) return { read: 'look_up', burstSince: undefined, shortBurst: true };
  const mayScanAt = load.lastBurstScan === undefined ? now : load.lastBurstScan + BURST_LONGEST_MS;
  const mustScanAt = Math.min(quietAt, burstSince + BURST_LONGEST_MS);
  const scanAt = Math.max(mayScanAt, mustScanAt);
  if (now >= scanAt) return { read: 'scan', burstSince };
  // While nothing may be scanned, a burst that ends early may leave few keys.
  const until = isQuiet ? scanAt : Math.min(scanAt, quietAt);
  return { read: 'wait', burstSince, until: isShortBurst ? Math.min(until, shortBurstAt) : until };
}

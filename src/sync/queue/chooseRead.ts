/** More dirty keys than this, and than the requests of a scan, are a burst. */
export const BURST_KEYS = 200;
/** A burst ends after this time without new marks. */
export const BURST_QUIET_MS = 5_000;
/** A short burst ends after this time without new marks. It needs no scan, since its keys are few and quick to read. */
export const SHORT_BURST_QUIET_MS = 1_000;
/** The longest time that the look-ups of a short burst may take. */
export const SHORT_BURST_READ_MS = 3_000;
/** The age at which a continuing burst is scanned, and the least time between two such scans. */
export const BURST_LONGEST_MS = 10 * 60_000;

/** The work that waits for one resource, and the cost of reading it. */
export interface Load {
  /** Keys that are dirty now. */
  dirty: number;
  /** Keys looked up within the last {@link BURST_QUIET_MS}: a reader that keeps up must see the burst, too. */
  recent: number;
  /** Requests of a scan that covers them all. */
  scanCost: number;
  /** Epoch milliseconds of the newest mark. */
  newestMark: number;
  /** The time to look up the dirty keys at the present speed of look-ups. */
  lookUpMs: number;
  /** The requests that may be spent on short bursts at present. */
  allowance: number;
  /** The moment when the burst began; undefined while idle. */
  burstSince: number | undefined;
  /** The moment when the last scan against a burst began. */
  lastBurstScan: number | undefined;
}

/** The way to read the dirty keys of a resource at a moment. */
export interface Choice {
  read: 'look_up' | 'scan' | 'wait';
  burstSince: number | undefined;
  /** Set if these look-ups are those of a short burst, and use up the allowance. */
  shortBurst?: true;
  /** The moment to choose again, for `wait`. */
  until?: number;
}

/**
 * Chooses, at the moment `now`, between look-ups of the dirty keys and a scan of the whole resource.
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
  // A burst with pauses would count as many short bursts; the allowance limits their total cost.
  const isShortBurst = load.dirty <= load.allowance && load.lookUpMs <= SHORT_BURST_READ_MS;
  const shortBurstAt = load.newestMark + SHORT_BURST_QUIET_MS;
  if (isShortBurst && now >= shortBurstAt) return { read: 'look_up', burstSince: undefined, shortBurst: true };
  const mayScanAt = load.lastBurstScan === undefined ? now : load.lastBurstScan + BURST_LONGEST_MS;
  const mustScanAt = Math.min(quietAt, burstSince + BURST_LONGEST_MS);
  const scanAt = Math.max(mayScanAt, mustScanAt);
  if (now >= scanAt) return { read: 'scan', burstSince };
  // While no scan is allowed, a burst that ends early may leave few keys.
  const until = isQuiet ? scanAt : Math.min(scanAt, quietAt);
  return { read: 'wait', burstSince, until: isShortBurst ? Math.min(until, shortBurstAt) : until };
}

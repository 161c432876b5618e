import { type BackfillOptions, type BackfillPurpose, runBackfill } from './backfill/run.ts';
import { CallError } from '../../client/callError.ts';
import type { Client } from '../../client/client.ts';
import { Signal } from '../../kernel/signal.ts';
import { sleep, type Timer } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { invalid, messageOf } from '../../kernel/errors.ts';
import { caughtUp, readConnection, requestCatchUp } from '../tables/connection/state.ts';
import { oneAtATime } from './oneAtATime.ts';
import { mendOrphans } from './mendOrphans.ts';
import { quarantinedResources, quarantinedSince } from '../apply/quarantine.ts';
import { prepareRebuild } from './rebuild.ts';
import { burstScans } from './bursts.ts';
import { scans } from './all.ts';
import { propertiesScan } from './resources/properties.ts';
import {
  failedScan,
  originOf,
  type ScanContext,
  type ScanProgress,
  type ScanPurpose,
  type ScanResult,
} from './purpose.ts';
import { needsHost, runScan } from './run.ts';
import { markUnread } from './unread.ts';
import { type Applying, applying } from './visitApply.ts';
import { namesOf, type Scan } from './scan.ts';
import { RENEW_MS, type ScanLease } from './scanLease.ts';

/** The order of waiting scans: answers to a burst, then commands, then catching up. */
const rank = { burst: 0, command: 1, catch_up: 2 } as const;
/**
 * The longest time for which another process's catch-up request may go unseen; the next constants, the rest of a failed
 * scan.
 */
const LOOK_MS = 5_000;
const REST_MS = 30_000;
const LONGEST_REST_MS = 15 * 60_000;
const WISH_MS = 1_000;
const NOT_LET_IN = 401;
/** A catch-up waits at most this long for the end of a burst. */
const MOST_WAIT_MS = 15 * 60_000;

export interface ScannerOptions extends ScanContext {
  /** Gives up where it would be held up for long. */
  commands: Client;
  /** Maintains our registration for events. It is asked before any scan, so that no change falls between. */
  registering: { keep(): Promise<void>; doubt(): void; lookSoon(): void };
  /** Set if this process makes scans by itself; commands are carried out in any case. */
  isOn: boolean;
  /** Decides which of several processes scans. */
  lease: ScanLease;
  /** Marks keys again that events name and that are no longer dirty. @returns true if there were any */
  findLost(): Promise<boolean>;
  isBursting(): boolean;
  /** Called when a scan against a burst begins, or is over. */
  onBurst(resource: string, state: 'began' | 'failed' | 'ended'): void;
  /** Called when keys may have become dirty. */
  onMarked(): Promise<void>;
  onHostTrouble(error: CallError): Promise<void>;
  /** Resolves when reading is allowed. @returns true if it had been paused */
  untilActive(signal: AbortSignal): Promise<boolean>;
}

/** Makes the scans of one connection, one at a time. */
export interface Scanner {
  /** Resolves when everything has been read once since the start. */
  caughtUp(): Promise<void>;
  /** Returns true if this process, among all, is the one that scans. */
  holdsLease(): boolean;
  /** Requests that everything is read again, soon. */
  catchUp(why: string): void;
  /** Requests a scan in place of the look-ups of a burst. */
  burst(resource: string): void;
  /** Scans the named resource, or all, and applies the answers to the mirror. */
  reconcile(resource: string | undefined, onProgress: (progress: ScanProgress) => void): Promise<ScanResult[]>;
  /** Reads the resources again that have quarantined rows. */
  retryQuarantined(onProgress: (progress: ScanProgress) => void): Promise<ScanResult[]>;
  /** Reads everything and writes it again. Only changes of upstream get into the feed. */
  rebuild(onProgress: (progress: ScanProgress) => void): Promise<ScanResult[]>;
  /** Reads everything, the most useful first, or joins the read that is under way. */
  backfill(onProgress: (progress: ScanProgress) => void): Promise<ScanResult[]>;
  /** Runs a job that scans, when its turn comes. */
  inTurn<T>(job: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

interface Scanning extends Partial<Pick<Applying, 'isAlone' | 'told'>> {
  onProgress?: (progress: ScanProgress) => void;
}

/** Starts the scans of a connection. */
export function startScanner(options: ScannerOptions): Scanner {
  const { clock, connection, store, log, signal } = options;
  const turns = oneAtATime();
  const begunAt = clock.now();
  const bursting = new Set<string>();
  let firstDone: () => void = () => {};
  const first = new Promise<void>((resolve) => (firstDone = resolve));
  const news = new Signal();
  let reading: Promise<ScanResult[]> | undefined;
  const followers = new Set<(progress: ScanProgress) => void>();
  let holdsLease = false;
  let renewal: Timer | undefined;
  /** The reason to read everything again, until it is stored: a database that refused an event may refuse this, too. */
  let wish: string | undefined;
  let storing: Promise<void> | undefined;

  async function applyScan(scan: Scan, purpose: ScanPurpose, { onProgress, isAlone = false, told }: Scanning = {}) {
    // Other scans wait behind these, or a person does.
    const isWaitedFor = purpose === 'command' || purpose === 'catch_up';
    const context = isWaitedFor ? { ...options, client: options.commands } : options;
    const visitor = applying(context, { origin: originOf(purpose), isAlone, told });
    const result = await runScan(context, scan, purpose, visitor, onProgress);
    await options.onMarked();
    return result;
  }

  async function storeRequest(): Promise<void> {
    while (wish !== undefined && !signal.aborted) {
      const text = wish;
      try {
        await requestCatchUp(store.db, connection, text);
        if (wish === text) wish = undefined;
        news.ring();
      } catch (error) {
        log.error({ connection, problem: messageOf(error) }, 'a wish to catch up was not stored; trying again');
        await sleep(clock, WISH_MS, signal);
      }
    }
  }

  async function keep(): Promise<void> {
    if (options.isOn) renew();
    while (!signal.aborted) {
      // The cause that revoked our rights may have removed our registration, too.
      if (await options.untilActive(signal)) options.registering.doubt();
      if (signal.aborted) break;
      try {
        holdsLease = options.isOn && (await options.lease.take());
        if (holdsLease) await work();
        else await watch();
      } catch (error) {
        await afterFailure(error);
      }
      await news.wait(clock, LOOK_MS, signal);
    }
    renewal?.cancel();
    firstDone();
  }

  /** Renews the lease, since scans take longer than it lasts. */
  function renew(): void {
    renewal = clock.setTimer(RENEW_MS, () => {
      if (signal.aborted) return;
      renew();
      // A failure shows when the lease is needed next.
      if (holdsLease) options.lease.take().then(hold, () => hold(false));
    });
  }

  function hold(holds: boolean): void {
    holdsLease = holds;
  }

  /** Reports when everything has been read, while another process scans. */
  async function watch(): Promise<void> {
    const { catch_up_due: why } = await readConnection(store.db, connection);
    if (why === null) firstDone();
  }

  async function work(): Promise<void> {
    await options.registering.keep();
    if (await options.findLost()) await options.onMarked();
    await catchUpIfDue();
  }

  async function catchUpIfDue(): Promise<void> {
    const { catch_up_due: why, caught_up_at } = await readConnection(store.db, connection);
    if (why === null) return firstDone();
    const due = caught_up_at === null ? await readFirst() : scans;
    for (const scan of due) {
      await untilIdle();
      if (signal.aborted) return;
      await turns.run(rank.catch_up, () => applyScan(scan, 'catch_up'));
    }
    if (signal.aborted) return;
    await caughtUp(store.db, connection, why, instantOf(clock.now()));
    // Marks days that these scans met too late, and those that answers left out.
    if (await markUnread(options)) await options.onMarked();
    firstDone();
  }

  /**
   * Reads everything, continuing where an earlier process was interrupted.
   * @returns the scans to make after it: rows that the earlier process had read may have changed while none listened
   */
  async function readFirst(): Promise<readonly Scan[]> {
    const results = await readEverything('first');
    return results.some((one) => one.startedAt < begunAt) ? scans : [];
  }

  /** Makes all scans in parallel, and outside the turns of the others: they take hours under limits. */
  async function readEverything(purpose: BackfillPurpose): Promise<ScanResult[]> {
    const job: BackfillOptions = {
      ...options,
      applyScan: (scan, tell) => applyScan(scan, purpose, { onProgress: tell }),
    };
    const tellAll = (progress: ScanProgress) => {
      for (const follow of followers) follow(progress);
    };
    reading ??= runBackfill(job, purpose, tellAll).finally(() => (reading = undefined));
    return reading;
  }

  async function untilIdle(): Promise<void> {
    const end = clock.monotonic() + MOST_WAIT_MS;
    while (options.isBursting() && clock.monotonic() < end && !signal.aborted) await sleep(clock, 1_000, signal);
  }

  async function afterFailure(error: unknown): Promise<void> {
    if (signal.aborted) return;
    if (needsHost(error)) return options.onHostTrouble(error);
    log.warn({ connection, problem: messageOf(error) }, 'reading everything failed; it is tried again');
    const held = error instanceof CallError ? (error.retryAfterMs ?? 0) : 0;
    await sleep(clock, Math.max(REST_MS, Math.min(held, LONGEST_REST_MS)), signal);
  }

  /** Counts the rows that a commanded scan has quarantined, and repairs the mirror after it. */
  async function afterwards(scan: Scan, { startedAt, state }: ScanResult): Promise<Partial<ScanResult>> {
    const aside = await quarantinedSince(store.db, connection, namesOf(scan), instantOf(startedAt));
    const told = aside > 0 ? { quarantined: aside } : {};
    if (state !== 'done' || !scan.rows?.hasParts) return told;
    const orphaned = await turns.run(rank.command, () => mendOrphans(store, connection));
    if (orphaned === 0) return told;
    const mended = `what hung on ${orphaned} ${orphaned === 1 ? 'stay that is' : 'stays that are'} not there was deleted`;
    log.warn({ connection }, `rows were missing from the mirror: ${mended}`);
    return { ...told, mended };
  }

  /** Makes the chosen scans, one after the other. A scan that fails reports its reason, and the others are made. */
  async function scanEach(chosen: readonly Scan[], how: Scanning): Promise<ScanResult[]> {
    const results: ScanResult[] = [];
    let shut: CallError | undefined;
    for (const scan of chosen) {
      const begun = clock.now();
      try {
        // A deployment that refuses our token is not asked 25 times.
        if (shut) throw shut;
        const result = await turns.run(rank.command, () => applyScan(scan, 'command', how));
        results.push({ ...result, ...(await afterwards(scan, result)) });
      } catch (error) {
        if (!(error instanceof CallError) || signal.aborted) throw error;
        if (error.code === NOT_LET_IN) shut = error;
        results.push(failedScan(scan, error, begun));
      }
    }
    if (shut) await options.onHostTrouble(shut);
    return results;
  }

  async function burst(scan: Scan): Promise<void> {
    options.onBurst(scan.resource, 'began');
    try {
      // Nights are read of the known properties, and a burst may have brought new ones.
      if (!scan.rows) await applyScan(propertiesScan, 'burst', { isAlone: true });
      await applyScan(scan, 'burst', { isAlone: true });
    } catch (error) {
      options.onBurst(scan.resource, 'failed');
      await afterFailure(error);
    } finally {
      bursting.delete(scan.resource);
      options.onBurst(scan.resource, 'ended');
    }
  }

  const kept = keep();
  return {
    caughtUp: () => first,
    holdsLease: () => holdsLease,
    catchUp(why) {
      wish = `${why} at ${instantOf(clock.now())}`;
      storing ??= storeRequest().finally(() => (storing = undefined));
    },
    burst(resource) {
      const scan = burstScans.find((one) => one.resource === resource);
      if (!scan || !holdsLease || bursting.has(resource) || signal.aborted) return;
      bursting.add(resource);
      void turns.run(rank.burst, () => burst(scan));
    },
    async reconcile(resource, onProgress) {
      const chosen = scans.filter((scan) => resource === undefined || namesOf(scan).includes(resource));
      if (chosen.length === 0) throw invalid('resource', `must be one of ${scans.flatMap(namesOf).join(', ')}`);
      const results = await scanEach(chosen, { onProgress, isAlone: resource !== undefined });
      options.registering.lookSoon();
      news.ring();
      return results;
    },
    async retryQuarantined(onProgress) {
      const names = await quarantinedResources(store.db, connection);
      const chosen = scans.filter((scan) => holds(scan, names));
      return scanEach(chosen, { onProgress, isAlone: true });
    },
    async rebuild(onProgress) {
      const told = await turns.run(rank.command, () => prepareRebuild(store, connection));
      const results: ScanResult[] = [];
      for (const scan of scans) {
        results.push(await turns.run(rank.command, () => applyScan(scan, 'rebuild', { onProgress, told })));
      }
      return results;
    },
    async backfill(onProgress) {
      followers.add(onProgress);
      try {
        // A read that is under way is joined, whatever started it.
        return await readEverything('backfill');
      } finally {
        followers.delete(onProgress);
      }
    },
    inTurn: (job) => turns.run(rank.command, job),
    async stop() {
      news.ring();
      await kept;
      await storing;
      // Its failure was reported to its own caller.
      await reading?.catch(() => {});
      await turns.idle();
      await options.lease.release();
    },
  };
}

/** Returns true if a scan reads one of these resources. */
function holds(scan: Scan, names: ReadonlySet<string>): boolean {
  return namesOf(scan).some((name) => names.has(name));
}

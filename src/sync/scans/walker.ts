import { type BackfillOptions, type BackfillPurpose, runBackfill } from './backfill/run.ts';
import { CallError } from '../../client/callError.ts';
import type { Client } from '../../client/client.ts';
import { Bell } from '../../kernel/bell.ts';
import { sleep, type Timer } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { invalid, messageOf } from '../../kernel/errors.ts';
import { caughtUp, readConnection, requestCatchUp } from '../tables/connection/state.ts';
import { oneAtATime } from './oneAtATime.ts';
import { mendOrphans } from './mendOrphans.ts';
import { quarantinedResources, setAsideSince } from '../apply/quarantine.ts';
import { prepareRebuild } from './rebuild.ts';
import { burstWalks } from './storms.ts';
import { walks } from './all.ts';
import { propertiesWalk } from './resources/properties.ts';
import {
  failedWalk,
  originOf,
  type WalkContext,
  type WalkProgress,
  type WalkPurpose,
  type WalkResult,
} from './purpose.ts';
import { needsHost, runWalk } from './run.ts';
import { markUnread } from './unread.ts';
import { type Applying, applying } from './visitApply.ts';
import { namesOf, type Walk } from './walk.ts';
import { RENEW_MS, type WalkLease } from './walkLease.ts';

/** Of the walks that wait, first those that answer a storm, then what somebody waits for, then catching up. */
const rank = { burst: 0, command: 1, catch_up: 2 } as const;
/** How long another process's wish to catch up may go unseen, and a failed walk rests. */
const LOOK_MS = 5_000;
const REST_MS = 30_000;
const LONGEST_REST_MS = 15 * 60_000;
const WISH_MS = 1_000;
const NOT_LET_IN = 401;
/** A catch-up waits this long for calm weather at most. */
const CALM_MS = 15 * 60_000;

export interface WalkerOptions extends WalkContext {
  /** Gives up where it would be held up for long. */
  commands: Client;
  /** Keeps us registered for events; asked before anything is walked, so that nothing falls between. */
  registering: { keep(): Promise<void>; doubt(): void; lookSoon(): void };
  /** Whether this process makes walks by itself; commands are carried out in any case. */
  isOn: boolean;
  /** Who of several processes walks. */
  lease: WalkLease;
  /** Asks again for what no key waits for any more. @returns whether there was anything */
  findLost(): Promise<boolean>;
  isStormy(): boolean;
  /** A walk against a storm begins, or is over. */
  onBurst(resource: string, state: 'began' | 'failed' | 'ended'): void;
  /** Keys may have become dirty. */
  onMarked(): Promise<void>;
  onHostTrouble(error: CallError): Promise<void>;
  /** Resolves when reading is allowed. @returns whether it had been paused */
  untilActive(signal: AbortSignal): Promise<boolean>;
}

/** Makes the walks of one connection, one at a time. */
export interface Walker {
  /** Resolves when everything has been read once since the start. */
  caughtUp(): Promise<void>;
  /** Whether of all processes this one walks. */
  holdsLease(): boolean;
  /** Everything must be read again, soon. */
  catchUp(why: string): void;
  /** A storm of dirty keys is better answered by a walk. */
  burst(resource: string): void;
  /** Walks the named resource, or all, and brings the mirror up to it. */
  reconcile(resource: string | undefined, onProgress: (progress: WalkProgress) => void): Promise<WalkResult[]>;
  /** Reads again what holds rows that are set aside. */
  retryQuarantined(onProgress: (progress: WalkProgress) => void): Promise<WalkResult[]>;
  /** Reads everything and writes it anew. Only what upstream has changed gets into the feed. */
  rebuild(onProgress: (progress: WalkProgress) => void): Promise<WalkResult[]>;
  /** Reads everything, the most useful first, or follows the reading that is under way. */
  backfill(onProgress: (progress: WalkProgress) => void): Promise<WalkResult[]>;
  /** Runs a job that walks, when its turn comes. */
  inTurn<T>(job: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

interface Walking extends Partial<Pick<Applying, 'isAlone' | 'told'>> {
  onProgress?: (progress: WalkProgress) => void;
}

export function startWalker(options: WalkerOptions): Walker {
  const { clock, connection, store, log, signal } = options;
  const turns = oneAtATime();
  const begunAt = clock.now();
  const bursting = new Set<string>();
  let firstDone: () => void = () => {};
  const first = new Promise<void>((resolve) => (firstDone = resolve));
  const news = new Bell();
  let reading: Promise<WalkResult[]> | undefined;
  const followers = new Set<(progress: WalkProgress) => void>();
  let holdsLease = false;
  let renewal: Timer | undefined;
  /** Why everything must be read again, until that is stored: what has refused an event may refuse this, too. */
  let wish: string | undefined;
  let storing: Promise<void> | undefined;

  async function applyWalk(walk: Walk, purpose: WalkPurpose, { onProgress, isAlone = false, told }: Walking = {}) {
    // Others wait behind these, or a person does.
    const isWaitedFor = purpose === 'command' || purpose === 'catch_up';
    const context = isWaitedFor ? { ...options, client: options.commands } : options;
    const visitor = applying(context, { origin: originOf(purpose), isAlone, told });
    const result = await runWalk(context, walk, purpose, visitor, onProgress);
    await options.onMarked();
    return result;
  }

  async function storeWish(): Promise<void> {
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
      // What took our rights away may have taken our registration, too.
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

  /** Walks take longer than the lease lasts. */
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

  /** Somebody else walks: here is only to be said when everything has been read. */
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
    const due = caught_up_at === null ? await readFirst() : walks;
    for (const walk of due) {
      await calm();
      if (signal.aborted) return;
      await turns.run(rank.catch_up, () => applyWalk(walk, 'catch_up'));
    }
    if (signal.aborted) return;
    await caughtUp(store.db, connection, why, instantOf(clock.now()));
    // What these scans have met too late, and what answers have left out.
    if (await markUnread(options)) await options.onMarked();
    firstDone();
  }

  /**
   * Reads everything, going on where an earlier process was cut off.
   * @returns what is to be walked after it: of what that process had read, much may have changed while nobody listened
   */
  async function readFirst(): Promise<readonly Walk[]> {
    const results = await readEverything('first');
    return results.some((one) => one.startedAt < begunAt) ? walks : [];
  }

  /** All walks side by side, and not in turn with others: they take hours under limits. */
  async function readEverything(purpose: BackfillPurpose): Promise<WalkResult[]> {
    const job: BackfillOptions = {
      ...options,
      applyWalk: (walk, tell) => applyWalk(walk, purpose, { onProgress: tell }),
    };
    const tellAll = (progress: WalkProgress) => {
      for (const follow of followers) follow(progress);
    };
    reading ??= runBackfill(job, purpose, tellAll).finally(() => (reading = undefined));
    return reading;
  }

  async function calm(): Promise<void> {
    const end = clock.monotonic() + CALM_MS;
    while (options.isStormy() && clock.monotonic() < end && !signal.aborted) await sleep(clock, 1_000, signal);
  }

  async function afterFailure(error: unknown): Promise<void> {
    if (signal.aborted) return;
    if (needsHost(error)) return options.onHostTrouble(error);
    log.warn({ connection, problem: messageOf(error) }, 'reading everything failed; it is tried again');
    const held = error instanceof CallError ? (error.retryAfterMs ?? 0) : 0;
    await sleep(clock, Math.max(REST_MS, Math.min(held, LONGEST_REST_MS)), signal);
  }

  /** What a reading that somebody asked for has set aside, and what is mended after it. */
  async function afterwards(walk: Walk, { startedAt, state }: WalkResult): Promise<Partial<WalkResult>> {
    const aside = await setAsideSince(store.db, connection, namesOf(walk), instantOf(startedAt));
    const told = aside > 0 ? { setAside: aside } : {};
    if (state !== 'done' || walk.rows?.table !== 'stays') return told;
    const orphaned = await turns.run(rank.command, () => mendOrphans(store, connection));
    if (orphaned === 0) return told;
    const mended = `what hung on ${orphaned} ${orphaned === 1 ? 'stay that is' : 'stays that are'} not there was deleted`;
    log.warn({ connection }, `rows were missing from the mirror: ${mended}`);
    return { ...told, mended };
  }

  /** Reads what was chosen, one after the other. What cannot be read says why, and costs itself alone. */
  async function walkEach(chosen: readonly Walk[], how: Walking): Promise<WalkResult[]> {
    const results: WalkResult[] = [];
    let shut: CallError | undefined;
    for (const walk of chosen) {
      const begun = clock.now();
      try {
        // Whoever lets nobody in is not asked 25 times.
        if (shut) throw shut;
        const result = await turns.run(rank.command, () => applyWalk(walk, 'command', how));
        results.push({ ...result, ...(await afterwards(walk, result)) });
      } catch (error) {
        if (!(error instanceof CallError) || signal.aborted) throw error;
        if (error.code === NOT_LET_IN) shut = error;
        results.push(failedWalk(walk, error, begun));
      }
    }
    if (shut) await options.onHostTrouble(shut);
    return results;
  }

  async function burst(walk: Walk): Promise<void> {
    options.onBurst(walk.resource, 'began');
    try {
      // Nights are read of the properties that are known, and a storm may have brought new ones.
      if (!walk.rows) await applyWalk(propertiesWalk, 'burst', { isAlone: true });
      await applyWalk(walk, 'burst', { isAlone: true });
    } catch (error) {
      options.onBurst(walk.resource, 'failed');
      await afterFailure(error);
    } finally {
      bursting.delete(walk.resource);
      options.onBurst(walk.resource, 'ended');
    }
  }

  const kept = keep();
  return {
    caughtUp: () => first,
    holdsLease: () => holdsLease,
    catchUp(why) {
      wish = `${why} at ${instantOf(clock.now())}`;
      storing ??= storeWish().finally(() => (storing = undefined));
    },
    burst(resource) {
      const walk = burstWalks.find((one) => one.resource === resource);
      if (!walk || !holdsLease || bursting.has(resource) || signal.aborted) return;
      bursting.add(resource);
      void turns.run(rank.burst, () => burst(walk));
    },
    async reconcile(resource, onProgress) {
      const chosen = walks.filter((walk) => resource === undefined || namesOf(walk).includes(resource));
      if (chosen.length === 0) throw invalid('resource', `must be one of ${walks.flatMap(namesOf).join(', ')}`);
      const results = await walkEach(chosen, { onProgress, isAlone: resource !== undefined });
      options.registering.lookSoon();
      news.ring();
      return results;
    },
    async retryQuarantined(onProgress) {
      const names = await quarantinedResources(store.db, connection);
      const chosen = walks.filter((walk) => holds(walk, names));
      return walkEach(chosen, { onProgress, isAlone: true });
    },
    async rebuild(onProgress) {
      const told = await turns.run(rank.command, () => prepareRebuild(store, connection));
      const results: WalkResult[] = [];
      for (const walk of walks) {
        results.push(await turns.run(rank.command, () => applyWalk(walk, 'rebuild', { onProgress, told })));
      }
      return results;
    },
    async backfill(onProgress) {
      followers.add(onProgress);
      try {
        // One that is under way is followed, whoever began it.
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
      // Its failure was somebody else's to deal with.
      await reading?.catch(() => {});
      await turns.idle();
      await options.lease.release();
    },
  };
}

/** Whether a walk reads one of these resources. */
function holds(walk: Walk, names: ReadonlySet<string>): boolean {
  return namesOf(walk).some((name) => names.has(name));
}

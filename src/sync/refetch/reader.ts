import { CallError } from '../../client/callError.ts';
import type { Timer } from '../../kernel/clock.ts';
import { next } from '../../kernel/transitions.ts';
import { keyLife } from '../tables/states.ts';
import { instantOf, msOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import type { Random } from '../../kernel/random.ts';
import { postponement } from './backoff.ts';
import type { Choice } from '../queue/chooseRead.ts';
import { claimDue, type DirtyKey, nextDue, postponeKey, releaseAll, releaseKeys } from '../queue/dirtyKeys.ts';
import type { Logger } from '../../kernel/log.ts';
import { lookUp } from './lookUp.ts';
import type { LookUpContext } from './lookUpContext.ts';
import type { FailedKey } from './lookUpDays.ts';
import type { MirrorResource } from '../tables/rows/resource.ts';
import type { Newcomers } from './newcomers.ts';
import type { LoadMonitor } from '../queue/loadMonitor.ts';

/** Look-ups under way at once. */
export const CONCURRENCY = 8;
/** Keys claimed for one batch. */
const BATCH_KEYS = 100;
/** Longer than a request can take; an older claim belongs to a process that is gone. */
const LEASE_MS = 90_000;
/** The longest time for which another process's mark may go unseen; marks within the process are noticed at once. */
const POLL_MS = 1_000;
/** After this many failures in a row, only one key at a time is tried. */
const BREAKER = 3;

export interface ReaderOptions extends LookUpContext {
  random: Random;
  log: Logger;
  resources: Readonly<Record<string, MirrorResource>>;
  loadMonitor: LoadMonitor;
  /** Reads of resources that read many keys at a time; each returns the keys that failed. */
  batched: Readonly<Record<string, (keys: readonly DirtyKey[]) => Promise<FailedKey[]>>>;
  /** Rows that were announced and do not show yet. */
  newcomers: readonly Newcomers[];
  isPaused(): boolean;
  /** Called when only a person can help: token, subscription. */
  onHostTrouble(error: CallError): void;
  /** Called when a burst needs a scan; resolves when it is over. */
  onBurstDue(resource: string): void;
}

/** Looks up dirty keys as they come due. It finds its work in the stored state, so a stop loses nothing. */
export interface Reader {
  /** Reports that something is due at `at` (epoch milliseconds), or now. */
  wake(at?: number): void;
  /** Resolves when nothing is under way; no new look-up begins. */
  stop(): Promise<void>;
}

/** Starts the reader of a connection's dirty keys. */
export function startReader(options: ReaderOptions): Reader {
  const { store, connection, clock, by, log, loadMonitor, resources } = options;
  const underWay = new Set<Promise<void>>();
  const batching = new Set<string>();
  let timer: Timer | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let passing: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  let failures = 0;
  /** Set after an error of the database: keys may be claimed without a reader. */
  let unsure = false;

  function wake(at?: number): void {
    if (stopped) return;
    const now = clock.now();
    if (at !== undefined && at > now) return wakeAt(at, now);
    again = true;
    passing ??= passes();
  }

  function wakeAt(at: number, now: number): void {
    if (at >= timerAt) return;
    timer?.cancel();
    timerAt = at;
    timer = clock.setTimer(at - now, () => {
      timerAt = Number.POSITIVE_INFINITY;
      wake();
    });
  }

  async function passes(): Promise<void> {
    while (again && !stopped) {
      again = false;
      try {
        await pass();
      } catch (error) {
        log.error({ connection, problem: messageOf(error) }, 'looking for work failed');
        unsure = true;
        wakeAt(clock.now() + POLL_MS, clock.now());
      }
    }
    passing = undefined;
  }

  async function pass(): Promise<void> {
    if (options.isPaused()) return;
    if (unsure && !(await letGo())) return;
    const limit = failures >= BREAKER ? 1 : CONCURRENCY;
    const free = limit - underWay.size;
    if (free <= 0) return;
    const choices = await loadMonitor.choose();
    startScans(choices);
    const singly = eligible(choices, resources);
    const together = eligible(choices, options.batched);
    let apart: readonly DirtyKey[] = await claim(singly, free);
    for (const kind of options.newcomers) {
      const sorted = await kind.sort(apart);
      apart = sorted.apart;
      if (sorted.together.length > 0) start(readNewcomers(kind, sorted.together), sorted.together);
    }
    for (const dirty of apart) startOne(dirty);
    await startBatches(together);
    // A batch under way wakes the reader at its end, so keys that came due meanwhile can wait until then.
    const idle = together.filter((name) => !batching.has(name));
    await planNext([...singly, ...idle], choices);
  }

  /**
   * Releases claims that no look-up holds, which would block their keys until they end. @returns true if none are left
   */
  async function letGo(): Promise<boolean> {
    if (underWay.size > 0) return false;
    await releaseAll(store.db, connection, by);
    unsure = false;
    return true;
  }

  function startScans(choices: ReadonlyMap<string, Choice>): void {
    for (const [resource, choice] of choices) if (choice.read === 'scan') options.onBurstDue(resource);
  }

  async function claim(names: readonly string[], limit: number): Promise<DirtyKey[]> {
    if (names.length === 0) return [];
    const now = clock.now();
    const until = instantOf(now + LEASE_MS);
    return store.transaction((trx) =>
      claimDue(trx, { connection, resources: names, by, at: instantOf(now), until, limit }),
    );
  }

  /** Starts one batch at a time for each resource: keys that come meanwhile make the next one. */
  async function startBatches(names: readonly string[]): Promise<void> {
    const claimed = await claim(
      names.filter((name) => !batching.has(name)),
      BATCH_KEYS,
    );
    for (const resource of new Set(claimed.map((dirty) => dirty.resource))) {
      const read = options.batched[resource];
      if (!read) continue;
      const keys = claimed.filter((dirty) => dirty.resource === resource);
      batching.add(resource);
      start(
        readMany(read, keys).finally(() => batching.delete(resource)),
        keys,
      );
    }
  }

  /** Reads a batch. Its keys are clean afterwards; the release of the others, marked meanwhile, can wait its turn. */
  async function readMany(read: ReaderOptions['batched'][string], keys: readonly DirtyKey[]): Promise<void> {
    const failed = await read(keys);
    for (const { dirty, error } of failed) await putBack([dirty], error);
    const done = keys.map((dirty) => dirty.key).filter((key) => !failed.some((one) => one.dirty.key === key));
    const [first] = keys;
    if (first) await releaseKeys(store.db, { connection, resource: first.resource, keys: done, by });
  }

  async function planNext(names: readonly string[], choices: ReadonlyMap<string, Choice>): Promise<void> {
    const now = clock.now();
    const due = await nextDue(store.db, connection, names);
    if (due !== undefined && underWay.size < CONCURRENCY) wakeAt(Math.max(msOf(due), now + 1), now);
    for (const { until } of choices.values()) if (until !== undefined) wakeAt(Math.max(until, now + 1), now);
    if (store.kind === 'postgres') wakeAt(now + POLL_MS, now);
  }

  function start(work: Promise<void>, keys: readonly DirtyKey[]): void {
    const guarded = work
      .then(() => {
        failures = 0;
      })
      .catch((error: unknown) => putBack(keys, error))
      .catch((error: unknown) => {
        // A dead reader would be worse than a failure without a record.
        log.error({ connection, problem: messageOf(error) }, 'a failed read could not be noted');
        unsure = true;
      })
      .finally(() => {
        underWay.delete(guarded);
        wake();
      });
    underWay.add(guarded);
  }

  function startOne(dirty: DirtyKey): void {
    loadMonitor.lookedUp(dirty.resource, 1);
    start(readOne(dirty), [dirty]);
  }

  async function readOne(dirty: DirtyKey): Promise<void> {
    const resource = resources[dirty.resource];
    if (!resource) return;
    const begun = clock.monotonic();
    const applied = await lookUp(options, resource, dirty);
    loadMonitor.took(clock.monotonic() - begun);
    for (const kind of options.newcomers) await kind.lookedUp(dirty, applied);
  }

  async function readNewcomers(kind: Newcomers, keys: readonly DirtyKey[]): Promise<void> {
    for (const dirty of await kind.read(keys)) startOne(dirty);
  }

  /** Returns keys to the queue whose read failed, each with the time of the next attempt. */
  async function putBack(keys: readonly DirtyKey[], error: unknown): Promise<void> {
    if (error instanceof CallError && error.client === 'retry') failures += 1;
    if (error instanceof CallError && error.client !== 'fix') options.health.failed();
    const host = error instanceof CallError && error.client === 'host';
    if (host) options.onHostTrouble(error);
    for (const { resource, key, attempts, first_marked_at } of keys) {
      const now = clock.now();
      const later =
        host || stopped
          ? { attempts, waitMs: 0, dead: false }
          : postponement(error, attempts, now - msOf(first_marked_at), options.random);
      if (later.dead) log.error({ connection, resource, key, problem: messageOf(error) }, 'gave up reading a key');
      await postponeKey(store.db, {
        connection,
        resource,
        key,
        attempts: later.attempts,
        state: next(keyLife, 'waiting', later.dead ? 'give_up' : 'postpone'),
        problem: messageOf(error).slice(0, 500),
        again: instantOf(now + later.waitMs),
      });
    }
  }

  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      timer?.cancel();
      await passing;
      await Promise.all(underWay);
      await releaseAll(store.db, connection, by);
    },
  };
}

/** Returns the resources to look up: by choice, or, if no scan can replace their look-ups, under any load. */
function eligible(choices: ReadonlyMap<string, Choice>, ours: object): string[] {
  return Object.keys(ours).filter((name) => (choices.get(name)?.read ?? 'look_up') === 'look_up');
}

import { CallError } from '../../client/callError.ts';
import type { Timer } from '../../kernel/clock.ts';
import { next } from '../../kernel/transitions.ts';
import { keyLife } from '../tables/states.ts';
import { instantOf, msOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import { aboutKey, noTracer } from '../../kernel/tracing/tracer.ts';
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

interface ReaderOptions extends LookUpContext {
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
export class Reader {
  readonly #options: ReaderOptions;
  readonly #underWay = new Set<Promise<void>>();
  readonly #batching = new Set<string>();
  #timer: Timer | undefined;
  #timerAt = Number.POSITIVE_INFINITY;
  #passing: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #failures = 0;
  /** Set after an error of the database: keys may be claimed without a reader. */
  #unsure = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** Looks for due keys now, or at `at` (epoch milliseconds). */
  wake(at?: number): void {
    if (this.#stopped) return;
    const now = this.#options.clock.now();
    if (at !== undefined && at > now) return this.#wakeAt(at, now);
    this.#again = true;
    this.#passing ??= this.#passes();
  }

  /** Resolves when nothing is under way; no new look-up begins. */
  async stop(): Promise<void> {
    const { store, connection, by } = this.#options;
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#passing;
    await Promise.all(this.#underWay);
    await releaseAll(store.db, connection, by);
  }

  #wakeAt(at: number, now: number): void {
    if (at >= this.#timerAt) return;
    this.#timer?.cancel();
    this.#timerAt = at;
    this.#timer = this.#options.clock.setTimer(at - now, () => {
      this.#timerAt = Number.POSITIVE_INFINITY;
      this.wake();
    });
  }

  async #passes(): Promise<void> {
    const { clock, connection, log } = this.#options;
    while (this.#again && !this.#stopped) {
      this.#again = false;
      try {
        await this.#pass();
      } catch (error) {
        log.error({ connection, problem: messageOf(error) }, 'looking for work failed');
        this.#unsure = true;
        this.#wakeAt(clock.now() + POLL_MS, clock.now());
      }
    }
    this.#passing = undefined;
  }

  async #pass(): Promise<void> {
    const { isPaused, loadMonitor, resources, batched, newcomers, onBurstDue } = this.#options;
    if (isPaused()) return;
    if (this.#unsure && !(await this.#letGo())) return;
    const limit = this.#failures >= BREAKER ? 1 : CONCURRENCY;
    const free = limit - this.#underWay.size;
    if (free <= 0) return;
    const choices = await loadMonitor.choose();
    for (const [resource, choice] of choices) if (choice.read === 'scan') onBurstDue(resource);
    const singly = eligible(choices, resources);
    const together = eligible(choices, batched);
    let apart: readonly DirtyKey[] = await this.#claim(singly, free);
    for (const kind of newcomers) {
      const sorted = await kind.sort(apart);
      apart = sorted.apart;
      if (sorted.together.length > 0) {
        const together = sorted.together;
        this.#start(
          this.#traced('read keys', together, () => this.#readNewcomers(kind, together)),
          together,
        );
      }
    }
    for (const dirty of apart) this.#startOne(dirty);
    await this.#startBatches(together);
    // A batch under way wakes the reader at its end, so keys that came due meanwhile can wait until then.
    const idle = together.filter((name) => !this.#batching.has(name));
    await this.#planNext([...singly, ...idle], choices);
  }

  /**
   * Releases claims that no look-up holds, which would block their keys until they end. @returns true if none are left
   */
  async #letGo(): Promise<boolean> {
    const { store, connection, by } = this.#options;
    if (this.#underWay.size > 0) return false;
    await releaseAll(store.db, connection, by);
    this.#unsure = false;
    return true;
  }

  async #claim(names: readonly string[], limit: number): Promise<DirtyKey[]> {
    if (names.length === 0) return [];
    const { store, connection, by, clock } = this.#options;
    const now = clock.now();
    const until = instantOf(now + LEASE_MS);
    return store.transaction((trx) =>
      claimDue(trx, { connection, resources: names, by, at: instantOf(now), until, limit }),
    );
  }

  /** Starts one batch at a time for each resource: keys that come meanwhile make the next one. */
  async #startBatches(names: readonly string[]): Promise<void> {
    const claimed = await this.#claim(
      names.filter((name) => !this.#batching.has(name)),
      BATCH_KEYS,
    );
    for (const resource of new Set(claimed.map((dirty) => dirty.resource))) {
      const read = this.#options.batched[resource];
      if (!read) continue;
      const keys = claimed.filter((dirty) => dirty.resource === resource);
      this.#batching.add(resource);
      this.#start(
        this.#traced('read keys', keys, () => this.#readMany(read, keys)).finally(() =>
          this.#batching.delete(resource),
        ),
        keys,
      );
    }
  }

  /** Reads a batch. Its keys are clean afterwards; the release of the others, marked meanwhile, can wait its turn. */
  async #readMany(read: ReaderOptions['batched'][string], keys: readonly DirtyKey[]): Promise<void> {
    const { store, connection, by } = this.#options;
    const failed = await read(keys);
    for (const { dirty, error } of failed) await this.#putBack([dirty], error);
    const done = keys.map((dirty) => dirty.key).filter((key) => !failed.some((one) => one.dirty.key === key));
    const [first] = keys;
    if (first) await releaseKeys(store.db, { connection, resource: first.resource, keys: done, by });
  }

  async #planNext(names: readonly string[], choices: ReadonlyMap<string, Choice>): Promise<void> {
    const { store, connection, clock } = this.#options;
    const now = clock.now();
    const due = await nextDue(store.db, connection, names);
    if (due !== undefined && this.#underWay.size < CONCURRENCY) this.#wakeAt(Math.max(msOf(due), now + 1), now);
    for (const { until } of choices.values()) if (until !== undefined) this.#wakeAt(Math.max(until, now + 1), now);
    if (store.kind === 'postgres') this.#wakeAt(now + POLL_MS, now);
  }

  #start(work: Promise<void>, keys: readonly DirtyKey[]): void {
    const { connection, log } = this.#options;
    const guarded = work
      .then(() => {
        this.#failures = 0;
      })
      .catch((error: unknown) => this.#putBack(keys, error))
      .catch((error: unknown) => {
        // A dead reader would be worse than a failure without a record.
        log.error({ connection, problem: messageOf(error) }, 'a failed read could not be noted');
        this.#unsure = true;
      })
      .finally(() => {
        this.#underWay.delete(guarded);
        this.wake();
      });
    this.#underWay.add(guarded);
  }

  #startOne(dirty: DirtyKey): void {
    this.#options.loadMonitor.lookedUp(dirty.resource, 1);
    this.#start(
      this.#traced('read key', [dirty], () => this.#readOne(dirty)),
      [dirty],
    );
  }

  /** Runs a read in a span that follows from the first event of its keys, and is linked with the others. */
  #traced(name: string, keys: readonly DirtyKey[], work: () => Promise<void>): Promise<void> {
    const { connection, tracer = noTracer } = this.#options;
    if (!tracer.isOn) return work();
    const causes = keys.map(({ resource, key }) => tracer.remembered(aboutKey({ connection, resource, key })));
    const [parent = null, ...links] = causes.filter((one) => one !== undefined);
    const attributes = {
      'stayd.connection': connection,
      'stayd.resource': keys[0]?.resource ?? '',
      'stayd.keys': keys.length,
    };
    return tracer.run(name, { kind: 'consumer', parent, links, attributes }, work);
  }

  async #readOne(dirty: DirtyKey): Promise<void> {
    const { resources, clock, loadMonitor, newcomers } = this.#options;
    const resource = resources[dirty.resource];
    if (!resource) return;
    const begun = clock.monotonic();
    const applied = await lookUp(this.#options, resource, dirty);
    loadMonitor.took(clock.monotonic() - begun);
    for (const kind of newcomers) await kind.lookedUp(dirty, applied);
  }

  async #readNewcomers(kind: Newcomers, keys: readonly DirtyKey[]): Promise<void> {
    for (const dirty of await kind.read(keys)) this.#startOne(dirty);
  }

  /** Returns keys to the queue whose read failed, each with the time of the next attempt. */
  async #putBack(keys: readonly DirtyKey[], error: unknown): Promise<void> {
    const { store, connection, clock, log, random, health, onHostTrouble } = this.#options;
    if (error instanceof CallError && error.client === 'retry') this.#failures += 1;
    if (error instanceof CallError && error.client !== 'fix') health.failed();
    const host = error instanceof CallError && error.client === 'host';
    if (host) onHostTrouble(error);
    for (const { resource, key, attempts, first_marked_at } of keys) {
      const now = clock.now();
      const later =
        host || this.#stopped
          ? { attempts, waitMs: 0, dead: false }
          : postponement(error, attempts, now - msOf(first_marked_at), random);
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
}

/** Returns the resources to look up: by choice, or, if no scan can replace their look-ups, under any load. */
function eligible(choices: ReadonlyMap<string, Choice>, ours: object): string[] {
  return Object.keys(ours).filter((name) => (choices.get(name)?.read ?? 'look_up') === 'look_up');
}

import type { Clock } from '../../kernel/clock.ts';
import { msOf } from '../../kernel/dates.ts';
import { chooseRead, type Choice, BURST_KEYS, BURST_QUIET_MS } from './chooseRead.ts';
import type { MirrorDb } from '../tables/database.ts';
import { countFirst, countWaiting } from './dirtyKeys.ts';
import { newestReceived } from './inbox.ts';

/** The number of keys that one query counts. */
const FEW_KEYS = 500;
/** More keys than this are counted again only after {@link RECOUNT_MS}. */
const MANY_KEYS = 2_000;
const RECOUNT_MS = 500;
/** The requests for short bursts: some hundred at a time, and some thousand an hour at most. */
const SHORT_BURST_REQUESTS = 600;
const SHORT_BURST_REFILL_PER_S = 1;
/** The assumed time of a look-up until some have been made. */
const FIRST_LOOK_UP_MS = 20;
/** The weight of the newest look-up in the average time. */
const NEWEST_PART = 0.1;
/** The count stops here: a scan of two million rows has as many requests. */
const MOST_COUNTED = 20_000;

/** The cost of a scan of a resource, and the moment when the last one against a burst began. */
export interface ScanFacts {
  cost(resource: string, dirty: number): Promise<number>;
  lastBurst(resource: string): number | undefined;
}

interface LoadOptions {
  db: MirrorDb;
  connection: string;
  /** Each with the number of its keys that one request looks up. */
  resources: ReadonlyMap<string, number>;
  clock: Clock;
  scans: ScanFacts;
  /** Look-ups under way at once. */
  atOnce: number;
}

/** Collects the input of {@link chooseRead} per resource of one connection. Its memory may be lost without harm. */
export class LoadMonitor {
  readonly #options: LoadOptions;
  readonly #bursts = new Map<string, number>();
  readonly #recent: ReadonlyMap<string, ReturnType<typeof recentCount>>;
  /**
   * Look-ups of each resource while others were in a burst. A resource that has cost as much as a scan joins the burst.
   */
  readonly #spent = new Map<string, number>();
  readonly #shortBursts: ReturnType<typeof allowance>;
  readonly #inShortBurst = new Set<string>();
  #lookUpMs = FIRST_LOOK_UP_MS;
  #counted: { at: number; keys: Map<string, number> } | undefined;
  #lastMark = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    const { resources, clock } = options;
    this.#recent = new Map([...resources.keys()].map((resource) => [resource, recentCount(clock)]));
    this.#shortBursts = allowance(clock);
  }

  /** Returns the choice for each resource at this moment. */
  async choose(): Promise<Map<string, Choice>> {
    const { resources } = this.#options;
    const keys = await this.#count();
    const newest = await this.#newestMark(keys);
    const choices = new Map<string, Choice>();
    for (const resource of resources.keys()) {
      choices.set(resource, await this.#chooseOne(resource, keys.get(resource) ?? 0, newest));
    }
    return choices;
  }

  /** Reports that keys became dirty at this moment (epoch milliseconds). */
  marked(at: number): void {
    this.#lastMark = Math.max(this.#lastMark, at);
  }

  /** Reports the number of look-ups of the resource that are being sent. */
  lookedUp(resource: string, requests: number): void {
    this.#recent.get(resource)?.add(requests);
    if (this.#bursts.size > 0) this.#spent.set(resource, (this.#spent.get(resource) ?? 0) + requests);
    if (this.#inShortBurst.has(resource)) this.#shortBursts.spend(requests);
  }

  /** Reports the time that a look-up took, including the wait for the gate. */
  took(ms: number): void {
    this.#lookUpMs += (ms - this.#lookUpMs) * NEWEST_PART;
  }

  /** Reports that a scan has answered the burst. */
  cleared(resource: string): void {
    this.#bursts.delete(resource);
    this.#counted = undefined;
  }

  isBursting(): boolean {
    return this.#bursts.size > 0;
  }

  /** Counts the waiting keys. In a burst they are many and counted often, so a recent count is good enough. */
  async #count(): Promise<Map<string, number>> {
    const { clock } = this.#options;
    const now = clock.monotonic();
    if (this.#counted && now - this.#counted.at < RECOUNT_MS && sumOf(this.#counted.keys) > MANY_KEYS)
      return this.#counted.keys;
    const keys = (await this.#countFew()) ?? (await this.#countEach());
    this.#counted = { at: now, keys };
    return keys;
  }

  /** Counts all keys with one query, which suffices while idle; undefined: there are more. */
  async #countFew(): Promise<Map<string, number> | undefined> {
    const { db, connection } = this.#options;
    const rows = await countFirst(db, { connection, most: FEW_KEYS });
    const keys = new Map(rows.map((row) => [row.resource, row.keys]));
    return sumOf(keys) < FEW_KEYS ? keys : undefined;
  }

  async #countEach(): Promise<Map<string, number>> {
    const { resources, db, connection } = this.#options;
    const keys = new Map<string, number>();
    for (const resource of resources.keys()) {
      const [row] = await countWaiting(db, { connection, resource, most: MOST_COUNTED });
      keys.set(resource, row?.keys ?? 0);
    }
    return keys;
  }

  /**
   * Returns the time of the newest mark. A burst touches all kinds at once: it is quiet when nothing new comes of any
   * kind.
   */
  async #newestMark(keys: ReadonlyMap<string, number>): Promise<number> {
    const { db, connection } = this.#options;
    if (this.#bursts.size === 0 && sumOf(keys) <= BURST_KEYS) return this.#lastMark;
    const received = await newestReceived(db, connection);
    return Math.max(this.#lastMark, received === undefined ? 0 : msOf(received));
  }

  async #chooseOne(resource: string, keys: number, newestMark: number): Promise<Choice> {
    const { resources, scans, atOnce, clock } = this.#options;
    // Measured in requests: of some resources one request looks up many keys.
    const perRequest = resources.get(resource) ?? 1;
    const dirty = Math.ceil(keys / perRequest);
    const lookedUp = Math.max(this.#recent.get(resource)?.total() ?? 0, this.#spent.get(resource) ?? 0);
    // Bursts of one moment count as one, so that their scans follow each other in the order of the resources.
    const burstSince = this.#bursts.has(resource) ? Math.min(...this.#bursts.values()) : undefined;
    // While idle, the cost of a scan does not matter.
    const isIdle = burstSince === undefined && dirty + lookedUp <= BURST_KEYS;
    const choice = chooseRead(
      {
        dirty,
        recent: lookedUp,
        scanCost: isIdle ? 0 : await scans.cost(resource, keys),
        newestMark,
        lookUpMs: (dirty * this.#lookUpMs) / atOnce,
        allowance: this.#shortBursts.left(),
        burstSince,
        lastBurstScan: scans.lastBurst(resource),
      },
      clock.now(),
    );
    if (choice.shortBurst) this.#inShortBurst.add(resource);
    else this.#inShortBurst.delete(resource);
    if (choice.burstSince !== undefined) this.#bursts.set(resource, choice.burstSince);
    else if (this.#bursts.delete(resource)) this.#spent.delete(resource);
    if (this.#bursts.size === 0) this.#spent.clear();
    return choice;
  }
}

function sumOf(keys: ReadonlyMap<string, number>): number {
  return [...keys.values()].reduce((sum, count) => sum + count, 0);
}

/** Makes an allowance that refills with time up to its limit, and shrinks by the spent requests. */
function allowance(clock: Clock) {
  let amount = SHORT_BURST_REQUESTS;
  let at = clock.monotonic();
  const left = () => {
    const now = clock.monotonic();
    amount = Math.min(SHORT_BURST_REQUESTS, amount + ((now - at) / 1_000) * SHORT_BURST_REFILL_PER_S);
    at = now;
    return amount;
  };
  return { left, spend: (requests: number) => void (amount = Math.max(0, left() - requests)) };
}

/** Counts events within the last {@link BURST_QUIET_MS}. */
function recentCount(clock: Clock) {
  let entries: { at: number; count: number }[] = [];
  return {
    add(count: number) {
      entries.push({ at: clock.monotonic(), count });
    },
    total() {
      const since = clock.monotonic() - BURST_QUIET_MS;
      entries = entries.filter((entry) => entry.at > since);
      return entries.reduce((sum, entry) => sum + entry.count, 0);
    },
  };
}

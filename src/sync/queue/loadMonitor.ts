import type { Clock } from '../../kernel/clock.ts';
import { msOf } from '../../kernel/dates.ts';
import { chooseRead, type Choice, BURST_KEYS, BURST_QUIET_MS } from './chooseRead.ts';
import type { MirrorDb } from '../tables/database.ts';
import { countFirst, countWaiting } from './dirtyKeys.ts';
import { newestReceived } from './inbox.ts';

/** So many keys are counted in one go. */
const FEW_KEYS = 500;
/** So many keys are counted again only after so long. */
const MANY_KEYS = 2_000;
const RECOUNT_MS = 500;
/** Requests for short bursts: some hundred at a time, and over an hour some thousand at most. */
const SHORT_BURST_REQUESTS = 600;
const SHORT_BURST_REFILL_PER_S = 1;
/** A look-up takes about this long, until some have been made. */
const FIRST_LOOK_UP_MS = 20;
/** The part of the newest look-up in what they take on average. */
const NEWEST_PART = 0.1;
/** Nobody needs to know of more: a scan of two million rows has as many requests. */
const MOST_COUNTED = 20_000;

/** What a scan through a resource would cost, and when the last one against a burst began. */
export interface ScanFacts {
  cost(resource: string, dirty: number): Promise<number>;
  lastBurst(resource: string): number | undefined;
}

/** Remembers what {@link chooseRead} needs, per resource of one connection. Nothing is lost when it is forgotten. */
export interface LoadMonitor {
  /** The choice for each resource at this moment. */
  choose(): Promise<Map<string, Choice>>;
  /** Keys became dirty at this moment (epoch milliseconds). */
  marked(at: number): void;
  /** So many look-ups of the resource are being sent. */
  lookedUp(resource: string, requests: number): void;
  /** A look-up took so long, waiting for leave to ask included. */
  took(ms: number): void;
  /** A scan has answered the burst. */
  cleared(resource: string): void;
  isBursting(): boolean;
}

/**
 * @param resources each with how many of its keys one request looks up
 * @param atOnce look-ups under way at once
 */
export function loadMonitor(
  db: MirrorDb,
  connection: string,
  resources: ReadonlyMap<string, number>,
  clock: Clock,
  scans: ScanFacts,
  atOnce: number,
): LoadMonitor {
  const bursts = new Map<string, number>();
  const recent = new Map([...resources.keys()].map((resource) => [resource, recentCount(clock)]));

  /** Look-ups of each while others were in a burst; what has cost as much as a scan joins them. */
  const spent = new Map<string, number>();
  const shortBursts = allowance(clock);
  const inShortBurst = new Set<string>();
  let lookUpMs = FIRST_LOOK_UP_MS;
  let counted: { at: number; keys: Map<string, number> } | undefined;
  let lastMark = 0;

  /** In a burst the keys are many and asked for often, and what was true a moment ago is good enough. */
  async function count(): Promise<Map<string, number>> {
    const now = clock.monotonic();
    if (counted && now - counted.at < RECOUNT_MS && sumOf(counted.keys) > MANY_KEYS) return counted.keys;
    const keys = (await countFew()) ?? (await countEach());
    counted = { at: now, keys };
    return keys;
  }

  /** In calm loadMonitor one question tells all; undefined: there are more. */
  async function countFew(): Promise<Map<string, number> | undefined> {
    const rows = await countFirst(db, { connection, most: FEW_KEYS });
    const keys = new Map(rows.map((row) => [row.resource, row.keys]));
    return sumOf(keys) < FEW_KEYS ? keys : undefined;
  }

  async function countEach(): Promise<Map<string, number>> {
    const keys = new Map<string, number>();
    for (const resource of resources.keys()) {
      const [row] = await countWaiting(db, { connection, resource, most: MOST_COUNTED });
      keys.set(resource, row?.keys ?? 0);
    }
    return keys;
  }

  /** A burst touches all kinds at once: it is quiet when nothing new comes of any kind. */
  async function newestMark(keys: ReadonlyMap<string, number>): Promise<number> {
    if (bursts.size === 0 && sumOf(keys) <= BURST_KEYS) return lastMark;
    const received = await newestReceived(db, connection);
    return Math.max(lastMark, received === undefined ? 0 : msOf(received));
  }

  async function chooseOne(resource: string, keys: number, newestMark: number): Promise<Choice> {
    // Weighed in requests: of some resources many keys are looked up by one.
    const perRequest = resources.get(resource) ?? 1;
    const dirty = Math.ceil(keys / perRequest);
    const lookedUp = Math.max(recent.get(resource)?.total() ?? 0, spent.get(resource) ?? 0);
    // Bursts of one moment count as one, so that their scans follow each other in the order of the resources.
    const burstSince = bursts.has(resource) ? Math.min(...bursts.values()) : undefined;
    // What a scan costs matters to nobody while idle.
    const isIdle = burstSince === undefined && dirty + lookedUp <= BURST_KEYS;
    const choice = chooseRead(
      {
        dirty,
        recent: lookedUp,
        scanCost: isIdle ? 0 : await scans.cost(resource, keys),
        newestMark,
        lookUpMs: (dirty * lookUpMs) / atOnce,
        allowance: shortBursts.left(),
        burstSince,
        lastBurstScan: scans.lastBurst(resource),
      },
      clock.now(),
    );
    if (choice.shortBurst) inShortBurst.add(resource);
    else inShortBurst.delete(resource);
    if (choice.burstSince !== undefined) bursts.set(resource, choice.burstSince);
    else if (bursts.delete(resource)) spent.delete(resource);
    if (bursts.size === 0) spent.clear();
    return choice;
  }

  return {
    async choose() {
      const keys = await count();
      const newest = await newestMark(keys);
      const choices = new Map<string, Choice>();
      for (const resource of resources.keys()) {
        choices.set(resource, await chooseOne(resource, keys.get(resource) ?? 0, newest));
      }
      return choices;
    },
    marked(at) {
      lastMark = Math.max(lastMark, at);
    },
    lookedUp(resource, requests) {
      recent.get(resource)?.add(requests);
      if (bursts.size > 0) spent.set(resource, (spent.get(resource) ?? 0) + requests);
      if (inShortBurst.has(resource)) shortBursts.spend(requests);
    },
    took(ms) {
      lookUpMs += (ms - lookUpMs) * NEWEST_PART;
    },
    cleared(resource) {
      bursts.delete(resource);
      counted = undefined;
    },
    isBursting: () => bursts.size > 0,
  };
}

function sumOf(keys: ReadonlyMap<string, number>): number {
  return [...keys.values()].reduce((sum, count) => sum + count, 0);
}

/** Grows by itself up to its measure, and shrinks by what is spent. */
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

/** Counts what happened within the last {@link BURST_QUIET_MS}. */
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

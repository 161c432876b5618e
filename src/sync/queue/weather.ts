import type { Clock } from '../../kernel/clock.ts';
import { msOf } from '../../kernel/dates.ts';
import { chooseRead, type Choice, STORM_KEYS, STORM_QUIET_MS } from './chooseRead.ts';
import type { MirrorDb } from '../tables/database.ts';
import { countFirst, countWaiting } from './dirtyKeys.ts';
import { newestReceived } from './inbox.ts';

/** So many keys are counted in one go. */
const FEW_KEYS = 500;
/** So many keys are counted again only after so long. */
const MANY_KEYS = 2_000;
const RECOUNT_MS = 500;
/** Requests for gusts: some hundred at a time, and over an hour some thousand at most. */
const GUST_REQUESTS = 600;
const GUST_REFILL_PER_S = 1;
/** A look-up takes about this long, until some have been made. */
const FIRST_LOOK_UP_MS = 20;
/** The part of the newest look-up in what they take on average. */
const NEWEST_PART = 0.1;
/** Nobody needs to know of more: a walk of two million rows has as many requests. */
const MOST_COUNTED = 20_000;

/** What a walk through a resource would cost, and when the last one against a storm began. */
export interface WalkFacts {
  cost(resource: string, dirty: number): Promise<number>;
  lastBurst(resource: string): number | undefined;
}

/** Remembers what {@link chooseRead} needs, per resource of one connection. Nothing is lost when it is forgotten. */
export interface Weather {
  /** The choice for each resource at this moment. */
  choose(): Promise<Map<string, Choice>>;
  /** Keys became dirty at this moment (epoch milliseconds). */
  marked(at: number): void;
  /** So many look-ups of the resource are being sent. */
  lookedUp(resource: string, requests: number): void;
  /** A look-up took so long, waiting for leave to ask included. */
  took(ms: number): void;
  /** A walk has answered the storm. */
  cleared(resource: string): void;
  isStormy(): boolean;
}

/**
 * @param resources each with how many of its keys one request looks up
 * @param atOnce look-ups under way at once
 */
export function weather(
  db: MirrorDb,
  connection: string,
  resources: ReadonlyMap<string, number>,
  clock: Clock,
  walks: WalkFacts,
  atOnce: number,
): Weather {
  const storms = new Map<string, number>();
  const recent = new Map([...resources.keys()].map((resource) => [resource, recentCount(clock)]));

  /** Look-ups of each while others were in a storm; what has cost as much as a walk joins them. */
  const spent = new Map<string, number>();
  const gusts = allowance(clock);
  const inGust = new Set<string>();
  let lookUpMs = FIRST_LOOK_UP_MS;
  let counted: { at: number; keys: Map<string, number> } | undefined;
  let lastMark = 0;

  /** In a storm the keys are many and asked for often, and what was true a moment ago is good enough. */
  async function count(): Promise<Map<string, number>> {
    const now = clock.monotonic();
    if (counted && now - counted.at < RECOUNT_MS && sumOf(counted.keys) > MANY_KEYS) return counted.keys;
    const keys = (await countFew()) ?? (await countEach());
    counted = { at: now, keys };
    return keys;
  }

  /** In calm weather one question tells all; undefined: there are more. */
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

  /** A storm blows from all sides at once: it is quiet when nothing new comes of any kind. */
  async function newestMark(keys: ReadonlyMap<string, number>): Promise<number> {
    if (storms.size === 0 && sumOf(keys) <= STORM_KEYS) return lastMark;
    const received = await newestReceived(db, connection);
    return Math.max(lastMark, received === undefined ? 0 : msOf(received));
  }

  async function chooseOne(resource: string, keys: number, newestMark: number): Promise<Choice> {
    // Weighed in requests: of some resources many keys are looked up by one.
    const perRequest = resources.get(resource) ?? 1;
    const dirty = Math.ceil(keys / perRequest);
    const lookedUp = Math.max(recent.get(resource)?.total() ?? 0, spent.get(resource) ?? 0);
    // Storms of one blow count as one, so that their walks follow each other in the order of the resources.
    const stormSince = storms.has(resource) ? Math.min(...storms.values()) : undefined;
    // What a walk costs matters to nobody in calm weather.
    const calm = stormSince === undefined && dirty + lookedUp <= STORM_KEYS;
    const choice = chooseRead(
      {
        dirty,
        recent: lookedUp,
        walkCost: calm ? 0 : await walks.cost(resource, keys),
        newestMark,
        lookUpMs: (dirty * lookUpMs) / atOnce,
        allowance: gusts.left(),
        stormSince,
        lastBurstWalk: walks.lastBurst(resource),
      },
      clock.now(),
    );
    if (choice.gust) inGust.add(resource);
    else inGust.delete(resource);
    if (choice.stormSince !== undefined) storms.set(resource, choice.stormSince);
    else if (storms.delete(resource)) spent.delete(resource);
    if (storms.size === 0) spent.clear();
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
      if (storms.size > 0) spent.set(resource, (spent.get(resource) ?? 0) + requests);
      if (inGust.has(resource)) gusts.spend(requests);
    },
    took(ms) {
      lookUpMs += (ms - lookUpMs) * NEWEST_PART;
    },
    cleared(resource) {
      storms.delete(resource);
      counted = undefined;
    },
    isStormy: () => storms.size > 0,
  };
}

function sumOf(keys: ReadonlyMap<string, number>): number {
  return [...keys.values()].reduce((sum, count) => sum + count, 0);
}

/** Grows by itself up to its measure, and shrinks by what is spent. */
function allowance(clock: Clock) {
  let amount = GUST_REQUESTS;
  let at = clock.monotonic();
  const left = () => {
    const now = clock.monotonic();
    amount = Math.min(GUST_REQUESTS, amount + ((now - at) / 1_000) * GUST_REFILL_PER_S);
    at = now;
    return amount;
  };
  return { left, spend: (requests: number) => void (amount = Math.max(0, left() - requests)) };
}

/** Counts what happened within the last {@link STORM_QUIET_MS}. */
function recentCount(clock: Clock) {
  let entries: { at: number; count: number }[] = [];
  return {
    add(count: number) {
      entries.push({ at: clock.monotonic(), count });
    },
    total() {
      const since = clock.monotonic() - STORM_QUIET_MS;
      entries = entries.filter((entry) => entry.at > since);
      return entries.reduce((sum, entry) => sum + entry.count, 0);
    },
  };
}

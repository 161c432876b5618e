import { dateIn, instantOf, msOf } from '../../kernel/dates.ts';
import { type Applied, apply } from '../apply/apply.ts';
import { type DirtyKey, dirtyRows, holdBack } from '../queue/dirtyKeys.ts';
import { following } from '../apply/following.ts';
import { pendingEvents } from '../queue/inbox.ts';
import type { LookUpContext } from './lookUpContext.ts';
import type { MirrorResource, NewestRows, Page } from '../tables/rows/resource.ts';
import { ANSWERED } from '../queue/patience.ts';
import { rowQueries } from '../tables/rows/rowTable.ts';

/** The wait after a first list that has shown none of the keys; it doubles each time. */
const FIRST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 10_000;
/** The delay for keys that come due while a list is being read. */
const UNDER_WAY_MS = 250;
/** A list at least this long may have been cut off, within the rows of its last key. */
const SHORT_LIST = 20;

/**
 * Rows that events have announced and that the source does not show yet. While several of them are awaited, one request
 * looks for all of them in the list of the newest rows. The longer none of them shows, the rarer the requests. This
 * memory may be lost: then each is looked up by itself.
 */
export interface Newcomers {
  /** Divides these keys into those to look up by themselves and those to look for together. */
  sort(claimed: readonly DirtyKey[]): Promise<{ apart: readonly DirtyKey[]; together: readonly DirtyKey[] }>;
  /** Looks for these, and for all other awaited keys. @returns the keys that must be looked up by themselves */
  read(claimed: readonly DirtyKey[]): Promise<readonly DirtyKey[]>;
  /** Reports that a key was looked up by itself. */
  lookedUp(dirty: DirtyKey, applied: Applied): Promise<void>;
}

export interface NewcomersOptions extends LookUpContext {
  /** The kind of rows, which has a list of the newest. */
  resource: MirrorResource & { newest: NewestRows };
  /** Called for each request sent. */
  onRequest(): void;
}

/** Makes the search for announced rows of one kind that do not show yet. */
export function newcomers(options: NewcomersOptions): Newcomers {
  const { resource, store, connection, clock, signal, by, patience } = options;
  const waiting = new Set<string>();
  let gapMs = 0;
  let nextAt = 0;
  let isReading = false;

  /** Returns true if an event says that the row is new, and it was never seen. */
  async function isNew(key: string): Promise<boolean> {
    const arg = { connection, resource: resource.name, keys: [key], number: Number.MAX_SAFE_INTEGER, after: '' };
    const events = await pendingEvents(store.db, { ...arg, limit: 100 });
    if (!events.some(({ event }) => event === resource.newest.event)) return false;
    return (await rowQueries(resource).storedUnder(store.db, connection, [key])).length === 0;
  }

  async function putOff(keys: readonly DirtyKey[]): Promise<void> {
    const until = instantOf(Math.max(nextAt, clock.now() + (isReading ? UNDER_WAY_MS : 0)));
    await holdBack(store.db, { connection, resource: resource.name, keys: keys.map(({ key }) => key), by, until });
  }

  /** Returns the awaited keys that are still dirty. The others were read meanwhile, by a scan or another look-up. */
  async function stillWaiting(): Promise<readonly DirtyKey[]> {
    const dirty = await dirtyRows(store.db, { connection, resource: resource.name, keys: [...waiting] });
    const keys = new Set(dirty.map(({ key }) => key));
    for (const key of waiting) if (!keys.has(key)) waiting.delete(key);
    return dirty.filter(({ state }) => state === 'waiting');
  }

  async function list(claimed: readonly DirtyKey[]): Promise<readonly DirtyKey[]> {
    const dirty = await stillWaiting();
    const now = clock.now();
    let number = 0;
    const beforeSend = async () => {
      number = await options.numbers.take();
      options.onRequest();
    };
    const reading = options.reading();
    const asking = { purpose: 'lookup', signal, beforeSend } as const;
    const page = await resource.newest.read(options.client, reading, asking, dateIn(reading.zone, now));
    options.health.answered();
    const { rows, ends } = judge(page, dirty, { isDue: dueAt(now, claimed), isLast: patience.isLast });
    const keys = claimed.map(({ key }) => key).filter((key) => ends.has(key));
    const { confirming, following: related } = await apply(options, {
      resource,
      page: { rows, quarantined: [] },
      number,
      origin: 'event',
      whole: [],
      ends: [...ends],
      patience,
      release: { by, keys },
      follow: following(options, resource, false),
    });
    options.named.asked(related);
    const left = claimed.filter(({ key }) => !ends.has(key));
    for (const key of [...ends, ...left.map((one) => one.key)]) if (!confirming.includes(key)) waiting.delete(key);
    if (rows.length === 0) gapMs = Math.min(Math.max(gapMs * 2, FIRST_GAP_MS), LONGEST_GAP_MS);
    if (waiting.size === 0) gapMs = 0;
    nextAt = now + gapMs;
    return left;
  }

  return {
    async sort(claimed) {
      if (waiting.size === 0) return { apart: claimed, together: [] };
      const together: DirtyKey[] = [];
      for (const dirty of claimed) {
        if (dirty.resource !== resource.name) continue;
        if (waiting.has(dirty.key) || (await isNew(dirty.key))) together.push(dirty);
      }
      for (const { key } of together) waiting.add(key);
      if (waiting.size < 2) return { apart: claimed, together: [] };
      return { apart: claimed.filter((dirty) => !together.includes(dirty)), together };
    },
    async read(claimed) {
      if (isReading || clock.now() < nextAt) {
        await putOff(claimed);
        return [];
      }
      isReading = true;
      try {
        return await list(claimed);
      } finally {
        isReading = false;
      }
    },
    async lookedUp({ resource: name, key }, { confirming, created, updated, unchanged }) {
      if (name !== resource.name) return;
      if (!confirming.includes(key)) waiting.delete(key);
      else if (created + updated + unchanged === 0 && (await isNew(key))) waiting.add(key);
    },
  };
}

function dueAt(now: number, claimed: readonly DirtyKey[]): (one: DirtyKey) => boolean {
  const own = new Set(claimed.map(({ key }) => key));
  return ({ key, next_at }) => own.has(key) || msOf(next_at) <= now;
}

interface Judging {
  isDue(one: DirtyKey): boolean;
  isLast(looks: number): boolean;
}

/**
 * Judges a list of the newest rows for the awaited keys.
 * @returns the rows that the list shows, and the keys for which it counts as a read
 */
function judge(page: Page, dirty: readonly DirtyKey[], { isDue, isLast }: Judging) {
  const isShort = page.rows.length + page.quarantined.length < SHORT_LIST;
  const cut = isShort ? undefined : page.rows.at(-1)?.key;
  const listed = new Set(page.rows.map(({ key }) => key).filter((key) => key !== cut));
  const ends = new Set<string>();
  for (const one of dirty) {
    const { key, confirming } = one;
    // A row that was seen before is awaited for a second change, which takes its time.
    if (
      listed.has(key)
        ? isDue(one) || confirming !== ANSWERED
        : isDue(one) && confirming !== ANSWERED && !isLast(confirming)
    )
      ends.add(key);
  }
  return { rows: page.rows.filter(({ key }) => listed.has(key) && ends.has(key)), ends };
}

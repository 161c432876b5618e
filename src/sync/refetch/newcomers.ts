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

interface NewcomersOptions extends LookUpContext {
  /** The kind of rows, which has a list of the newest. */
  resource: MirrorResource & { newest: NewestRows };
  /** Called for each request sent. */
  onRequest(): void;
}

/**
 * Rows that events have announced and that the source does not show yet. While several of them are awaited, one request
 * looks for all of them in the list of the newest rows. The longer none of them shows, the rarer the requests. This
 * memory may be lost: then each is looked up by itself.
 */
export class Newcomers {
  readonly #options: NewcomersOptions;
  readonly #waiting = new Set<string>();
  #gapMs = 0;
  #nextAt = 0;
  #isReading = false;

  constructor(options: NewcomersOptions) {
    this.#options = options;
  }

  /** Divides these keys into those to look up by themselves and those to look for together. */
  async sort(claimed: readonly DirtyKey[]): Promise<{ apart: readonly DirtyKey[]; together: readonly DirtyKey[] }> {
    const { resource } = this.#options;
    if (this.#waiting.size === 0) return { apart: claimed, together: [] };
    const together: DirtyKey[] = [];
    for (const dirty of claimed) {
      if (dirty.resource !== resource.name) continue;
      // Of a row that was seen, the list tells a change that is still to come, but not that the row is gone.
      const isAwaited = dirty.confirming === ANSWERED ? this.#waiting.has(dirty.key) : await this.#isNew(dirty.key);
      if (isAwaited) together.push(dirty);
      else this.#waiting.delete(dirty.key);
    }
    for (const { key } of together) this.#waiting.add(key);
    if (this.#waiting.size < 2) return { apart: claimed, together: [] };
    return { apart: claimed.filter((dirty) => !together.includes(dirty)), together };
  }

  /** Looks for these, and for all other awaited keys. @returns the keys that must be looked up by themselves */
  async read(claimed: readonly DirtyKey[]): Promise<readonly DirtyKey[]> {
    const { clock } = this.#options;
    if (this.#isReading || clock.now() < this.#nextAt) {
      await this.#putOff(claimed);
      return [];
    }
    this.#isReading = true;
    try {
      return await this.#list(claimed);
    } finally {
      this.#isReading = false;
    }
  }

  /** Reports that a key was looked up by itself. */
  async lookedUp(
    { resource: name, key }: DirtyKey,
    { confirming, created, updated, unchanged }: Applied,
  ): Promise<void> {
    const { resource } = this.#options;
    if (name !== resource.name) return;
    if (!confirming.includes(key)) this.#waiting.delete(key);
    else if (created + updated + unchanged === 0 && (await this.#isNew(key))) this.#waiting.add(key);
  }

  /** Returns true if an event says that the row is new, and it was never seen. */
  async #isNew(key: string): Promise<boolean> {
    const { connection, resource, store } = this.#options;
    const arg = { connection, resource: resource.name, keys: [key], number: Number.MAX_SAFE_INTEGER, after: '' };
    const events = await pendingEvents(store.db, { ...arg, limit: 100 });
    if (!events.some(({ event }) => event === resource.newest.event)) return false;
    return (await this.#storedAmong([key])).size === 0;
  }

  async #putOff(keys: readonly DirtyKey[]): Promise<void> {
    const { clock, store, connection, resource, by } = this.#options;
    const until = instantOf(Math.max(this.#nextAt, clock.now() + (this.#isReading ? UNDER_WAY_MS : 0)));
    await holdBack(store.db, { connection, resource: resource.name, keys: keys.map(({ key }) => key), by, until });
  }

  /** Returns the awaited keys that are still dirty. The others were read meanwhile, by a scan or another look-up. */
  async #stillWaiting(): Promise<readonly DirtyKey[]> {
    const { store, connection, resource } = this.#options;
    const dirty = await dirtyRows(store.db, { connection, resource: resource.name, keys: [...this.#waiting] });
    const keys = new Set(dirty.map(({ key }) => key));
    for (const key of this.#waiting) if (!keys.has(key)) this.#waiting.delete(key);
    return dirty.filter(({ state }) => state === 'waiting');
  }

  async #storedAmong(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const { store, connection, resource } = this.#options;
    return new Set((await rowQueries(resource).storedUnder(store.db, connection, keys)).map((row) => String(row.key)));
  }

  async #list(claimed: readonly DirtyKey[]): Promise<readonly DirtyKey[]> {
    const { clock, signal, resource, patience, by } = this.#options;
    const dirty = await this.#stillWaiting();
    const now = clock.now();
    let number = 0;
    const beforeSend = async () => {
      number = await this.#options.numbers.take();
      this.#options.onRequest();
    };
    const reading = this.#options.reading();
    const asking = { purpose: 'lookup', signal, beforeSend } as const;
    const page = await resource.newest.read(this.#options.client, reading, asking, dateIn(reading.zone, now));
    this.#options.health.answered();
    const stored = await this.#storedAmong(dirty.map(({ key }) => key));
    const { rows, ends } = judge(page, dirty, { isDue: dueAt(now, claimed), isLast: patience.isLast, stored });
    const keys = claimed.map(({ key }) => key).filter((key) => ends.has(key));
    const { confirming, following: related } = await apply(this.#options, {
      resource,
      page: { rows, quarantined: [] },
      number,
      origin: 'event',
      whole: [],
      ends: [...ends],
      patience,
      release: { by, keys },
      follow: following(this.#options, resource, false),
    });
    this.#options.named.asked(related);
    const left = claimed.filter(({ key }) => !ends.has(key));
    for (const key of [...ends, ...left.map((one) => one.key)])
      if (!confirming.includes(key)) this.#waiting.delete(key);
    if (rows.length === 0) this.#gapMs = Math.min(Math.max(this.#gapMs * 2, FIRST_GAP_MS), LONGEST_GAP_MS);
    if (this.#waiting.size === 0) this.#gapMs = 0;
    this.#nextAt = now + this.#gapMs;
    return left;
  }
}

function dueAt(now: number, claimed: readonly DirtyKey[]): (one: DirtyKey) => boolean {
  const own = new Set(claimed.map(({ key }) => key));
  return ({ key, next_at }) => own.has(key) || msOf(next_at) <= now;
}

interface Judging {
  isDue(one: DirtyKey): boolean;
  isLast(looks: number): boolean;
  /** The keys whose rows are in the mirror. */
  stored: ReadonlySet<string>;
}

/**
 * Judges a list of the newest rows for the awaited keys.
 * @returns the rows that the list shows, and the keys for which it counts as a read
 */
function judge(page: Page, dirty: readonly DirtyKey[], { isDue, isLast, stored }: Judging) {
  const isShort = page.rows.length + page.quarantined.length < SHORT_LIST;
  const cut = isShort ? undefined : page.rows.at(-1)?.key;
  const listed = new Set(page.rows.map(({ key }) => key).filter((key) => key !== cut));
  const ends = new Set<string>();
  for (const one of dirty) {
    const { key, confirming } = one;
    // A row that was seen before is awaited for a second change, which takes its time. A stored one that is not listed
    // may be gone, or dated elsewhere: only a look-up tells.
    const isRead = listed.has(key)
      ? isDue(one) || confirming !== ANSWERED
      : isDue(one) && !stored.has(key) && !isLast(confirming);
    if (isRead) ends.add(key);
  }
  return { rows: page.rows.filter(({ key }) => listed.has(key) && ends.has(key)), ends };
}

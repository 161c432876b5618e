import { PAGE_ROWS } from '../tables/rows/allPages.ts';
import type { Page } from '../tables/rows/resource.ts';

export { PAGE_ROWS };

/** Going back so often has shown nothing between: what two pages do not share then cannot be found. */
const MOST_LOOKS_BACK = 4;
/** After looking back in vain pages share so many times more rows than before. */
const MORE_SHARED = 4;
/** And in all of one list: one that is another one each time is not looked through for ever. */
const MOST_LOOKS_BACK_IN_ALL = 50;
/** A page without a new row may show rows that others have pushed down; so many in a row show that offsets are not heeded. */
const MOST_STILL_PAGES = 2;
/** Deployments that heed no limit serve pages of a round number of rows: of tens, or of a quarter of a hundred. */
const isRound = (rows: number): boolean => rows % 10 === 0 || rows === 25;

/** A row as a list answers it, one that cannot be read included. */
export interface ListEntry {
  key: string;
  /** What the list is ordered by, latest first; left out where that is not known. */
  order?: string | undefined;
}

/** One answer of a list. */
export interface ListPage<Entry extends ListEntry = ListEntry> {
  page: Page;
  /** Taken when the request was sent. */
  number: number;
  entries: readonly Entry[];
  /** How many rows the list says it has; null where it does not say. Nothing is decided by it but what pages leave open. */
  total: number | null;
}

/** A page of a scan, and how many of its rows no earlier page has shown. */
export interface ScannedPage<Entry extends ListEntry = ListEntry> extends ListPage<Entry> {
  fresh: number;
  /** Where to go on after it; undefined at the end of the list. */
  bookmark: Bookmark | undefined;
}

/** How far a scan through a list has come. */
export interface Bookmark extends Cursor {
  /** The keys of its last page; left out by those of an earlier version. */
  seen?: readonly string[];
}

/** A list whose pages have nothing in common, however often they are asked for: nobody can tell where it ends. */
export class UnsteadyList extends Error {
  override readonly name = 'UnsteadyList';
}

/** Where to ask: the list up to `bound` (as its filter means it), from `offset` on. */
export interface Cursor {
  bound: string;
  offset: number;
}

export interface List<Entry extends ListEntry = ListEntry> {
  fetch(cursor: Cursor): Promise<ListPage<Entry>>;
  first: Cursor;
  /** Where an earlier scan was cut off. */
  bookmark?: Bookmark | undefined;
  /** Rows after which asking starts anew at a nearer bound, because deep offsets are slow; undefined: never. */
  windowRows?: number;
  /** Who scans may stop at any row: no page is asked for before it is needed. */
  isBrokenOff?: true;
}

/** How many rows several lists say they have together; null where one of them does not say. */
export async function sumOf<Part>(
  parts: Iterable<Part>,
  count: (part: Part) => Promise<number | null>,
): Promise<number | null> {
  let sum = 0;
  for (const part of parts) {
    const rows = await count(part);
    if (rows === null) return null;
    sum += rows;
  }
  return sum;
}

/** The keys of a page's rows, those that cannot be read included. */
export function entriesOf({ rows, quarantined }: Page): ListEntry[] {
  return [...rows.map((row) => ({ key: String(row.rowKey) })), ...quarantined.map(({ key }) => ({ key }))];
}

/**
 * All pages of a list that changes while it is read. Each page overlaps the one before, as a rule by a row: when rows before it have
 * vanished, so that others slipped past us, nothing of it has been seen, and we go back; when rows have come, some are
 * read twice. The list ends with pages that bring nothing new, or one that is shorter than pages of this list are; how many rows
 * it says it has decides only where the first page leaves that open. While a page is being worked on, the next one is
 * under way.
 */
export async function* scanList<Entry extends ListEntry>(list: List<Entry>): AsyncGenerator<ScannedPage<Entry>> {
  let cursor: Cursor = list.bookmark ?? list.first;
  const seen = new Set(list.bookmark?.seen);
  let before: ReadonlySet<string> = seen;
  let back = PAGE_ROWS - 1;
  let shared = 1;
  let inWindow = 0;
  let furthest = 0;
  let largest = 0;
  let still = 0;
  const tail = new Tail();
  const looks = new LooksBack();
  let coming = list.fetch(cursor);
  for (;;) {
    const page = await coming;
    const { entries } = page;
    // Where the whole page before has vanished, what was seen before it will do.
    const met = back === PAGE_ROWS - 1 ? before : seen;
    const overlaps = cursor.offset === 0 || seen.size === 0 || entries.some(({ key }) => met.has(key));
    if (!overlaps && looks.isDue(cursor, seen.size)) {
      cursor = { ...cursor, offset: Math.max(0, cursor.offset - back) };
      back *= 2;
      shared = Math.min(shared * MORE_SHARED, PAGE_ROWS / 2);
      coming = list.fetch(cursor);
      continue;
    }
    back = PAGE_ROWS - 1;
    inWindow += entries.length;
    tail.add(entries);
    const known = seen.size;
    for (const { key } of entries) seen.add(key);
    const fresh = seen.size - known;
    if (fresh > 0) shared = 1;
    const end = cursor.offset + entries.length;
    still = fresh === 0 && end >= furthest ? still + 1 : 0;
    furthest = Math.max(furthest, end);
    if (still > MOST_STILL_PAGES || isLast(page, end, largest)) {
      yield { ...page, fresh, bookmark: undefined };
      return;
    }
    largest = Math.max(largest, entries.length);
    before = new Set(entries.map(({ key }) => key));
    const newBound =
      list.windowRows !== undefined && inWindow >= list.windowRows ? tail.bound(cursor.bound) : undefined;
    if (newBound !== undefined) {
      // The rows of this date that we have seen come first again; one of them is the overlap.
      cursor = { bound: newBound, offset: Math.max(0, tail.size - 1) };
      inWindow = 0;
      furthest = 0;
    } else {
      cursor = { ...cursor, offset: cursor.offset + Math.max(1, entries.length - shared) };
    }
    const next = { ...page, fresh, bookmark: { ...cursor, seen: [...before] } };
    if (list.isBrokenOff) {
      yield next;
      coming = list.fetch(cursor);
      continue;
    }
    coming = list.fetch(cursor);
    // Awaited after the yield; a failure before that is nobody's unhandled rejection.
    coming.catch(() => {});
    yield next;
  }
}

/**
 * Whether a page ends its list. A full one never does. One that is not full does, unless pages of this list are no
 * larger: then the limit that was asked for is not heeded.
 */
function isLast({ entries, total }: ListPage, end: number, largest: number): boolean {
  const { length } = entries;
  if (length >= PAGE_ROWS) return false;
  if (length === 0 || length < largest) return true;
  return total === null ? !isRound(length) : end >= total;
}

/** Decides when to go back for rows that may have slipped past between two pages. */
class LooksBack {
  readonly #counts = new Map<string, number>();
  #inAll = 0;

  isDue({ bound, offset }: Cursor, seen: number): boolean {
    // Back at the same place with nothing seen beyond it: the row in between cannot be found, and will not be.
    const place = JSON.stringify([bound, offset, seen]);
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    this.#inAll += 1;
    if (this.#inAll > MOST_LOOKS_BACK_IN_ALL) throw new UnsteadyList(`a list shows other rows each time it is asked`);
    return count <= MOST_LOOKS_BACK;
  }
}

/** The rows seen that share the order value of the last one. */
class Tail {
  #order = '';
  #keys = new Set<string>();
  /** Each page has had the latest first so far: only then does its last row bound what is left. */
  #isFalling = true;

  add(entries: readonly ListEntry[]): void {
    let above: string | undefined;
    for (const { key, order } of entries) {
      if (order === undefined) continue;
      if (above !== undefined && order > above) this.#isFalling = false;
      above = order;
      if (order !== this.#order) {
        this.#order = order;
        this.#keys = new Set();
      }
      this.#keys.add(key);
    }
  }

  get size(): number {
    return this.#keys.size;
  }

  /** The next bound, when it is nearer than the present one: a window that is all one value goes on deeper. */
  bound(present: string): string | undefined {
    return this.#isFalling && this.#order !== '' && this.#order < present ? this.#order : undefined;
  }
}

import { PAGE_ROWS } from '../tables/rows/allPages.ts';
import type { Page } from '../tables/rows/resource.ts';

export { PAGE_ROWS };

/** After this many vain attempts to go back, rows that two pages do not share are taken to be unfindable. */
const MOST_LOOKS_BACK = 4;
/** The factor by which the overlap of pages grows after going back in vain. */
const MORE_SHARED = 4;
/** The limit for one whole list: a list that differs at each request is not read for ever. */
const MOST_LOOKS_BACK_IN_ALL = 50;
/**
 * A page without a new row may show rows that others have pushed down. More such pages in a row show that offsets are
 * not heeded.
 */
const MOST_STILL_PAGES = 2;
/**
 * Returns true for a round number of rows (tens, or a quarter of a hundred): the page size of deployments that heed no
 * limit.
 */
const isRound = (rows: number): boolean => rows % 10 === 0 || rows === 25;

/** A row as a list answers it, or one that cannot be read. */
export interface ListEntry {
  key: string;
  /** The value that orders the list, latest first; left out where it is not known. */
  order?: string | undefined;
}

/** One answer of a list. */
export interface ListPage<Entry extends ListEntry = ListEntry> {
  page: Page;
  /** Taken when the request was sent. */
  number: number;
  entries: readonly Entry[];
  /** The number of rows that the list reports; null where it does not. It only decides cases that pages leave open. */
  total: number | null;
}

/** A page of a scan, and the number of its rows that no earlier page has shown. */
export interface ScannedPage<Entry extends ListEntry = ListEntry> extends ListPage<Entry> {
  fresh: number;
  /** The position after it; undefined at the end of the list. */
  bookmark: Bookmark | undefined;
}

/** The position of a scan in a list. */
export interface Bookmark extends Cursor {
  /** The keys of its last page; missing in bookmarks of an earlier version. */
  seen?: readonly string[];
}

/** Thrown for a list whose pages have nothing in common, however often they are requested: its end cannot be found. */
export class UnsteadyList extends Error {
  override readonly name = 'UnsteadyList';
}

/** A position: in the list up to `bound` (as its filter means it), from `offset` on. */
export interface Cursor {
  bound: string;
  offset: number;
}

/** A list to read page by page. */
interface List<Entry extends ListEntry = ListEntry> {
  fetch(cursor: Cursor): Promise<ListPage<Entry>>;
  first: Cursor;
  /** The position where an earlier scan was interrupted. */
  bookmark?: Bookmark | undefined;
  /** Rows after which paging starts over at a nearer bound, because deep offsets are slow; undefined: never. */
  windowRows?: number;
  /** Set if the consumer may stop at any row: no page is requested before it is needed. */
  isBrokenOff?: true;
}

/** Adds up the numbers of rows that several lists report; null if one of them reports none. */
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

/** Returns the keys of a page's rows, including those that cannot be read. */
export function entriesOf({ rows, quarantined }: Page): ListEntry[] {
  return [...rows.map((row) => ({ key: String(row.rowKey) })), ...quarantined.map(({ key }) => ({ key }))];
}

/**
 * Yields all pages of a list that changes while it is read. Each page overlaps the one before, usually by one row. If
 * rows before it have vanished, so that others slipped past us, the page shows no known row, and the scan goes back. If
 * rows have come, some are read twice. The list ends with pages that bring nothing new, or with one that is shorter
 * than the usual pages of this list. The reported number of rows only decides if the first page leaves that open. While
 * a page is being processed, the next one is under way.
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
    // If the whole page before has vanished, earlier rows serve as the overlap.
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
      // The known rows of this date come first again; one of them is the overlap.
      cursor = { bound: newBound, offset: Math.max(0, tail.size - 1) };
      [inWindow, furthest] = [0, 0];
    } else {
      cursor = { ...cursor, offset: cursor.offset + Math.max(1, entries.length - shared) };
    }
    const next = { ...page, fresh, bookmark: { ...cursor, seen: [...before] } };
    if (list.isBrokenOff) yield next;
    coming = list.fetch(cursor);
    // Awaited after the yield; an earlier failure must not become an unhandled rejection.
    coming.catch(() => {});
    if (!list.isBrokenOff) yield next;
  }
}

/**
 * Returns true if a page ends its list. A full one never does. One that is not full does, unless pages of this list are
 * no larger: then the requested limit is not heeded.
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
    // A repeated place with nothing new seen: the row in between cannot be found, now or later.
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
  /** True while each page has had the latest first: only then does its last row bound the rest. */
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

  /**
   * Returns the next bound if it is nearer than the present one. A window with one single value is paged more deeply.
   */
  bound(present: string): string | undefined {
    return this.#isFalling && this.#order !== '' && this.#order < present ? this.#order : undefined;
  }
}

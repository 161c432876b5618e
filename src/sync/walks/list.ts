import type { Page } from '../mirror/resource.ts';

/** Going back twice has shown nothing between: what the pages do not share then is a row that cannot be read. */
const MOST_LOOKS_BACK = 2;

/** The largest page v3 answers. */
export const PAGE_ROWS = 100;

/** Where a row stands in a list that is ordered latest first, and by newest id among equals. */
export interface Place {
  /** What the list is ordered by; '' where that is the id alone. */
  at: string;
  id: number;
}

/** One answer of a list. */
export interface ListPage {
  page: Page;
  /** Taken when the request was sent. */
  number: number;
  /** The places of the rows that could be read, in the order of the answer. */
  places: readonly Place[];
  /** Rows answered, those that could not be read included. */
  answered: number;
  total: number;
}

/** A page of a walk, and how many of its rows no earlier page has shown. */
export interface WalkedPage extends ListPage {
  fresh: number;
  /** Where to go on after it; undefined at the end of the list. */
  bookmark: Bookmark | undefined;
}

/** How far a walk through a list has come. */
export interface Bookmark extends Cursor {
  last: Place | undefined;
}

/** A list said that it has more rows than it was ready to answer: nobody can tell which ones are missing. */
export class BrokenOffList extends Error {
  override readonly name = 'BrokenOffList';
}

/** Where to ask: the list up to `bound` (as its filter means it), from `offset` on. */
export interface Cursor {
  bound: string;
  offset: number;
}

export interface List {
  fetch(cursor: Cursor): Promise<ListPage>;
  first: Cursor;
  /** Where an earlier walk was cut off. */
  bookmark?: Bookmark | undefined;
  /** Rows after which asking starts anew at a nearer bound, because deep offsets are slow; undefined: never. */
  windowRows?: number;
}

/**
 * All pages of a list that changes while it is read. Each page overlaps the one before by a row: when rows
 * before it have vanished, so that others slipped past us, the overlap is missing, and we go back; when
 * rows have come, some are read twice. An overlap that cannot be read is looked for in vain, and not for ever. While a page is being worked on, the next one is under way.
 */
export async function* walkList(list: List): AsyncGenerator<WalkedPage> {
  let cursor: Cursor = list.bookmark ?? list.first;
  let last = list.bookmark?.last;
  let back = PAGE_ROWS - 1;
  let inWindow = 0;
  let tail = new Tail();
  const looks = new LooksBack();
  let coming = list.fetch(cursor);
  for (;;) {
    const page = await coming;
    if (page.answered === 0 && cursor.offset < page.total) {
      throw new BrokenOffList(`a list ended after ${cursor.offset} rows and said that it has ${page.total}`);
    }
    if (looks.isDue(page, cursor, last)) {
      cursor = { ...cursor, offset: Math.max(0, cursor.offset - back) };
      back *= 2;
      coming = list.fetch(cursor);
      continue;
    }
    back = PAGE_ROWS - 1;
    inWindow += page.answered;
    tail.add(page.places);
    const fresh = freshRows(page, last);
    last = later(last, page.places.at(-1));
    const isEnd = page.answered === 0 || cursor.offset + page.answered >= page.total;
    if (isEnd) {
      yield { ...page, fresh, bookmark: undefined };
      return;
    }
    const newBound =
      list.windowRows !== undefined && inWindow >= list.windowRows ? tail.bound(cursor.bound) : undefined;
    if (newBound !== undefined) {
      // The rows of this date that we have seen come first again; one of them is the overlap.
      cursor = { bound: newBound, offset: Math.max(0, tail.size - 1) };
      inWindow = 0;
    } else {
      cursor = { ...cursor, offset: cursor.offset + Math.max(1, page.answered - 1) };
    }
    coming = list.fetch(cursor);
    // Awaited after the yield; a failure before that is nobody's unhandled rejection.
    coming.catch(() => {});
    yield { ...page, fresh, bookmark: { ...cursor, last } };
  }
}

/** Decides when to go back for rows that may have slipped past between two pages. */
class LooksBack {
  #allReadable = true;
  readonly #counts = new Map<string, number>();

  isDue(page: ListPage, { bound, offset }: Cursor, last: Place | undefined): boolean {
    this.#allReadable &&= page.places.length === page.answered;
    if (!last || offset === 0 || reachesBackTo(page, last)) return false;
    if (this.#allReadable) return true;
    // Back at the same place with nothing seen beyond it: the row in between cannot be read, and will not be.
    const place = JSON.stringify([bound, offset, last]);
    const count = (this.#counts.get(place) ?? 0) + 1;
    this.#counts.set(place, count);
    return count <= MOST_LOOKS_BACK;
  }
}

/** Whether the page begins at or before the last row seen, so that nothing can have slipped between. */
function reachesBackTo({ places }: ListPage, last: Place): boolean {
  const [first] = places;
  if (!first) return false;
  return !isAfter(first, last) || places.some((place) => place.id === last.id);
}

function freshRows({ places, answered }: ListPage, last: Place | undefined): number {
  const seen = last ? places.filter((place) => !isAfter(place, last)).length : 0;
  return answered - seen;
}

/** Whether `a` stands further down the list than `b`. */
function isAfter(a: Place, b: Place): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id);
}

function later(a: Place | undefined, b: Place | undefined): Place | undefined {
  if (!a || !b) return a ?? b;
  return isAfter(b, a) ? b : a;
}

/** The rows seen that share the order value of the last one. */
class Tail {
  #at = '';
  #ids = new Set<number>();

  add(places: readonly Place[]): void {
    for (const { at, id } of places) {
      if (at !== this.#at) {
        this.#at = at;
        this.#ids = new Set();
      }
      this.#ids.add(id);
    }
  }

  get size(): number {
    return this.#ids.size;
  }

  /** The next bound, when it is nearer than the present one: a window that is all one value goes on deeper. */
  bound(present: string): string | undefined {
    return this.#at !== '' && this.#at < present ? this.#at : undefined;
  }
}

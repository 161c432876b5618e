import type { ChangeNumbers } from '../changes.ts';

/** Lists, and places of one list, that are remembered. */
const MOST_LISTS = 64;
const MOST_PLACES = 256;

/** The place of a list behind its first `offset` rows. */
export interface Place<Key> {
  readonly offset: number;
  /** Of the last row before the place. */
  readonly key: Key;
}

/**
 * Remembers where pages of lists ended, until a table of the list changes: whoever reads page after page by offset
 * would otherwise go through the whole list for each one.
 */
export class Bookmarks<Key> {
  readonly #lists = new WeakMap<ChangeNumbers, Map<string, { at: string; places: Map<number, Key> }>>();

  /**
   * @param at the text of the change numbers before the list is read
   * @returns the last known place at or before the offset
   */
  before(numbers: ChangeNumbers, list: string, at: string, offset: number): Place<Key> | undefined {
    const known = this.#lists.get(numbers)?.get(list);
    if (known?.at !== at) return undefined;
    let nearest: Place<Key> | undefined;
    for (const [place, key] of known.places) {
      if (place <= offset && place > (nearest?.offset ?? 0)) nearest = { offset: place, key };
    }
    return nearest;
  }

  note(numbers: ChangeNumbers, list: string, at: string, { offset, key }: Place<Key>): void {
    let lists = this.#lists.get(numbers);
    if (!lists) this.#lists.set(numbers, (lists = new Map()));
    let known = lists.get(list);
    if (known?.at !== at) {
      if (lists.size >= MOST_LISTS) lists.clear();
      lists.set(list, (known = { at, places: new Map() }));
    }
    if (known.places.size >= MOST_PLACES) known.places.clear();
    known.places.set(offset, key);
  }
}

import { PAGE_ROWS } from './list.ts';

/** The rows that a list shows from an offset on. */
export interface Peek {
  /** The number of rows that the list reports; null where it does not. */
  total: number | null;
  /** The keys by which its rows differ. */
  keys: readonly string[];
}

/** The offset before which a list is taken to end. */
const FURTHEST = PAGE_ROWS * 4 ** 8;
const STRIDE = 4;
/** The precision of the end: a page, and this part of the rows before it. */
const CLOSE = 0.02;

/**
 * Returns the number of rows in a list: the reported one, or else an estimate. The estimate tries ever larger offsets,
 * and then offsets between the last two. It needs some 15 requests for a hundred thousand rows, and is a few per cent
 * too high rather than too low.
 * @returns null where offsets are not heeded, so that only reading shows the number
 */
export async function sizeOf(peek: (offset: number, limit: number) => Promise<Peek>): Promise<number | null> {
  const { total, keys: firstOfAll } = await peek(0, 1);
  if (total !== null) return total;
  if (firstOfAll.length === 0) return 0;
  const { keys } = await peek(0, PAGE_ROWS);
  if (keys.length < PAGE_ROWS) return keys.length;
  const [first] = keys;
  let [there, gone] = [0, PAGE_ROWS];
  for (;;) {
    const [key] = (await peek(gone, 1)).keys;
    if (key === undefined) break;
    if (key === first) return null;
    [there, gone] = [gone, gone * STRIDE];
    if (gone > FURTHEST) return there;
  }
  while (gone - there > Math.max(PAGE_ROWS, there * CLOSE)) {
    const middle = Math.ceil((there + gone) / 2);
    const isThere = (await peek(middle, 1)).keys.length > 0;
    if (isThere) there = middle;
    else gone = middle;
  }
  return gone;
}

/** Number of matches below which rows are always sorted. */
const WORTH_A_SCAN = 2_000;
/** Rows that cost as much to scan in the order of an index as one costs to sort. */
const SCANNED_FOR_ONE_SORTED = 6;

/**
 * Returns true if a page is found sooner by a scan of all rows in its order than by sorting the matching ones, even
 * if its rows come last.
 * @param matching the number of rows that match
 * @param countAll returns the number of all rows, or a little more
 */
export async function isScanCheaper(matching: number, countAll: () => Promise<number>): Promise<boolean> {
  return matching >= WORTH_A_SCAN && matching * SCANNED_FOR_ONE_SORTED >= (await countAll());
}

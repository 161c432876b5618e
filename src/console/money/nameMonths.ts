/** Months that are named one by one. */
const FEW = 3;

/**
 * Names months for a sentence: a few by themselves, more by the first, the last and their number, since whoever closes a
 * month for the first time closes years before it as well.
 * @param months successive months, in any order
 */
export function nameMonths(
  months: readonly string[],
  range: (first: string, last: string, count: number) => string,
): string {
  const sorted = months.toSorted();
  const [first] = sorted;
  const last = sorted.at(-1);
  if (sorted.length <= FEW || first === undefined || last === undefined) return sorted.join(', ');
  return range(first, last, sorted.length);
}

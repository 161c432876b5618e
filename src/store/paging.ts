/**
 * How many rows a list has, where its page tells: one that is not full ends it. Undefined where they must be counted.
 */
export function endOf(
  page: readonly unknown[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): number | undefined {
  return page.length < limit && (page.length > 0 || offset === 0) ? offset + page.length : undefined;
}

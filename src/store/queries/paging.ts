import type { SelectQueryBuilder } from 'kysely';

/** The requested part of a list. */
export interface Range<Key extends string | number = number> {
  readonly offset: number;
  readonly limit: number;
  /** The key of the last row of the page before; this page has lower keys, in descending order. */
  readonly before?: Key | undefined;
  /** The number of rows in the list, if known. */
  readonly total?: number | undefined;
}

/** Counts the rows of a query. */
export async function countRows<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<number> {
  const counted = query.select((of) => of.fn.countAll<number>().as('total')).$castTo<{ total: number }>();
  const { total } = await counted.executeTakeFirstOrThrow();
  return total;
}

/**
 * Returns the length of a list if its page reveals it: a page that is not full is the last. Undefined if a count is
 * needed.
 */
export function endOf(
  page: readonly unknown[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): number | undefined {
  return page.length < limit && (page.length > 0 || offset === 0) ? offset + page.length : undefined;
}

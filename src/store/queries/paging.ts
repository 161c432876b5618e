import type { SelectQueryBuilder } from 'kysely';

/** The part of a list that is asked for. */
export interface Range<Key extends string | number = number> {
  readonly offset: number;
  readonly limit: number;
  /** The key of the last row of the page before; the rows of this one have lesser keys, and fall by them. */
  readonly before?: Key | undefined;
  /** How many rows the list has, where that is known. */
  readonly total?: number | undefined;
}

/** How many rows a query finds. */
export async function countRows<DB, Tables extends keyof DB>(
  query: SelectQueryBuilder<DB, Tables, object>,
): Promise<number> {
  const counted = query.select((of) => of.fn.countAll<number>().as('total')).$castTo<{ total: number }>();
  const { total } = await counted.executeTakeFirstOrThrow();
  return total;
}

/**
 * How many rows a list has, where its page tells: one that is not full ends it. Undefined where they must be counted.
 */
export function endOf(
  page: readonly unknown[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): number | undefined {
  return page.length < limit && (page.length > 0 || offset === 0) ? offset + page.length : undefined;
}

import { z } from 'zod';
import { FIRST_CURSOR } from '../contract/fields.ts';
import { type GuardedId, operations } from '../contract/index.ts';
import { invalid } from '../kernel/errors.ts';
import { sha256Hex } from '../kernel/signature.ts';
import type { Range } from '../store/queries/paging.ts';
import type { Context } from './context.ts';

type Key = string | number;

/** The page of a list that a request asks for, by offset or by cursor. */
interface Page<K extends Key> {
  readonly operation: GuardedId;
  /** Rows to return. */
  readonly limit: number;
  /** Range for the table. With a cursor it has one row more, which shows whether a page follows. */
  readonly range: Range<K>;
  /** true: the rows are ordered by a falling key that never changes, not in the order of the list. */
  readonly byCursor: boolean;
  /**
   * The present moment; with a cursor that of the first page, so that windows beginning today do not move between
   * pages.
   */
  readonly asOf: number;
  /** A digest of the filters; empty for a page by offset, which no cursor follows. */
  readonly filters: string;
  readonly context: Pick<Context, 'core' | 'account'>;
}

/** The input of an operation with pages. */
interface Asked {
  offset: number;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Parses the page that a request asks for. A cursor holds the key of the last row of the page before. Rows that are
 * added, deleted or sorted elsewhere in between therefore move no other row from one page to another.
 * @param key kind of the list's keys
 * @throws ApiError 422 for a cursor that this list did not give to this account, or gave for other filters
 */
export function pageOf<K extends 'number' | 'string'>(
  operation: GuardedId,
  key: K,
  { offset, limit, cursor, ...asked }: Asked & Record<string, unknown>,
  context: Pick<Context, 'core' | 'account' | 'now'>,
): Page<K extends 'number' ? number : string> {
  if (cursor === undefined) {
    return { operation, limit, filters: '', context, range: { offset, limit }, byCursor: false, asOf: context.now };
  }
  const filters = digestOf(asked);
  const page = { operation, limit, filters, context };
  // One row more than is shown.
  const range = { offset: 0, limit: limit + 1 };
  if (cursor === FIRST_CURSOR) return { ...page, range, byCursor: true, asOf: context.now };
  const position = openCursor(operation, cursor, context);
  if (typeof position.key !== key) throw new Error(`a cursor of ${operation} holds a key of another kind`);
  if (position.filters !== filters) {
    throw invalid('cursor', `was answered to other filters; send those, or begin again with cursor=${FIRST_CURSOR}`);
  }
  const before = position.key as K extends 'number' ? number : string;
  return { ...page, range: { ...range, before, total: position.total }, byCursor: true, asOf: position.as_of };
}

/** The result of a table's query for a page. */
interface Found<Row, K extends Key> {
  readonly rows: Row[];
  /** Keys of the page, where rows were fetched by them afterwards. A row deleted meanwhile does not end the list. */
  readonly keys?: readonly K[];
  readonly total?: number;
}

/** Returns the rows of a page and, for a request by cursor, the fields about the next page. */
export function closePage<Row, K extends Key>(
  page: Page<K>,
  found: Found<Row, K>,
  keyOf: (row: Row) => K,
): { rows: Row[]; next: { next_cursor?: string | null } } {
  const { rows, keys = rows.map(keyOf), total } = found;
  if (!page.byCursor) return { rows, next: {} };
  const beyond = keys[page.limit];
  const last = keys[page.limit - 1];
  if (beyond === undefined || last === undefined) return { rows, next: { next_cursor: null } };
  const next_cursor = sealCursor(page, { key: last, total });
  return { rows: rows.filter((row) => keyOf(row) !== beyond), next: { next_cursor } };
}

const position = z.object({
  key: z.union([z.number(), z.string()]),
  /** Rows in the list when its first page was read. */
  total: z.number().optional(),
  as_of: z.number(),
  filters: z.string(),
});

function sealCursor(
  { operation, asOf, filters, context }: Page<Key>,
  at: { key: Key; total: number | undefined },
): string {
  const text = JSON.stringify({ ...at, as_of: asOf, filters } satisfies z.input<typeof position>);
  return context.core.sealer.seal(text, placeOf(operation, context));
}

function openCursor(
  operation: GuardedId,
  cursor: string,
  context: Pick<Context, 'core' | 'account'>,
): z.output<typeof position> {
  let text: string;
  try {
    text = context.core.sealer.open(cursor, placeOf(operation, context));
  } catch {
    const { method, path } = operations[operation];
    throw invalid(
      'cursor',
      `is none that ${method} ${path} has answered; send next_cursor as it came, or ${FIRST_CURSOR} to begin again`,
    );
  }
  return position.parse(JSON.parse(text));
}

/** Returns the context of a cursor, which is valid for its account and its list only. */
function placeOf(operation: GuardedId, { account }: Pick<Context, 'account'>): string {
  return `cursor:${account.account_id}:${operation}`;
}

/** Returns a digest that distinguishes sets of filters. */
function digestOf(filters: Record<string, unknown>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined);
  return sha256Hex(JSON.stringify(given.toSorted(([a], [b]) => (a < b ? -1 : 1)))).slice(0, 16);
}

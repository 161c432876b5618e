import { turn } from '../../kernel/clock.ts';
import { apply } from '../apply/apply.ts';
import { markKeys } from '../queue/markKeys.ts';
import type { MirrorResource } from '../tables/rows/resource.ts';
import { rowQueries, type DateScope } from '../tables/rows/rowTable.ts';
import { originOf, type ScanContext, type ScanPurpose, type ScanResult } from './purpose.ts';
import type { Asking, Visitor, Scan } from './scan.ts';

const SCAN_ROWS = 500;
/**
 * The part of a resource (and the least number of rows) that may be missing. Beyond it, upstream is doubted, not the
 * mirror.
 */
const SHRINK_PART = 0.2;
const SHRINK_ROWS = 20;
/** The most rows that one scan looks up; the others are left to the next one. */
const MOST_LOOK_UPS = 500;

/**
 * Decides about known rows that a complete scan has not seen. Absence from a list proves nothing, so each is looked up
 * by itself. Rows without a look-up are gone if a second read of the whole list lacks them, too.
 * @returns the suspicious fact about the scan; null if there is none
 */
export async function settleUnseen(
  context: ScanContext,
  scan: Scan,
  result: ScanResult,
  asking: Asking,
  visitor: Visitor,
  purpose: ScanPurpose,
): Promise<string | null> {
  const scope = scan.scope?.(asking);
  if (!scan.rows || scope === null) return null;
  const problems: string[] = [];
  // A suspicion about one kind says nothing of the others.
  for (const resource of [scan.rows, ...(scan.also ?? [])]) {
    const missing: Missing = { resource, scope, firstNumber: result.firstNumber };
    const problem = await settleOne(context, scan, missing, result, asking, visitor, purpose);
    if (problem !== null) problems.push(scan.also ? `${resource.name}: ${problem}` : problem);
  }
  return problems.length === 0 ? null : problems.join('; ');
}

/** Rows of one kind, within a scope, that no read since a number has seen. */
interface Missing {
  resource: MirrorResource;
  scope: DateScope | undefined;
  firstNumber: number;
}

async function settleOne(
  context: ScanContext,
  scan: Scan,
  missing: Missing,
  result: ScanResult,
  asking: Asking,
  visitor: Visitor,
  purpose: ScanPurpose,
): Promise<string | null> {
  const { resource, scope } = missing;
  let unseen = 0;
  for await (const rows of unseenRows(context, missing)) unseen += rows.length;
  if (unseen === 0) return null;
  const { store, connection } = context;
  const queries = rowQueries(resource);
  const known = await (scope ? queries.countWithin(store.db, connection, scope) : queries.count(store.db, connection));
  // A part of a resource can become empty in ordinary use.
  const isDoubted = !resource.mayShrink;
  if (isDoubted && result.rows === 0 && (scope === undefined || unseen > SHRINK_ROWS)) {
    return `an empty answer where ${known} rows are known; nothing was deleted`;
  }
  if (isDoubted && unseen > SHRINK_ROWS && unseen > known * SHRINK_PART) {
    return `${unseen} of ${known} known rows were missing; nothing was deleted`;
  }
  if (!resource.lookUp) {
    await readAgain(context, scan, resource, asking, visitor, purpose);
    return null;
  }
  const left = await lookUpUnseen(context, missing, purpose);
  return left === 0 ? null : `${left} more rows are missing and will be looked up by the next scan`;
}

/** @returns the number of rows left for another scan */
async function lookUpUnseen(context: ScanContext, missing: Missing, purpose: ScanPurpose): Promise<number> {
  let marked = 0;
  let left = 0;
  for await (const rows of unseenRows(context, missing)) {
    const now = rows.slice(0, Math.max(0, MOST_LOOK_UPS - marked));
    left += rows.length - now.length;
    marked += now.length;
    const keys = [...new Set(now.map((row) => String(row.key)))];
    await markKeys(
      context,
      keys.map((key) => ({ resource: missing.resource.name, key })),
      originOf(purpose),
    );
  }
  return left;
}

async function readAgain(
  context: ScanContext,
  scan: Scan,
  resource: MirrorResource,
  asking: Asking,
  visitor: Visitor,
  purpose: ScanPurpose,
): Promise<void> {
  const again = await context.numbers.take();
  let rows = 0;
  for await (const step of scan.steps(asking)) {
    await step.visit(visitor);
    rows += step.rows;
  }
  if (rows === 0 && !resource.mayShrink) return;
  for await (const gone of unseenRows(context, { resource, scope: undefined, firstNumber: again })) {
    const whole = gone.map((row) => String(row.key));
    await apply(context, {
      resource,
      page: { rows: [], quarantined: [] },
      number: again,
      origin: originOf(purpose),
      whole,
    });
  }
}

async function* unseenRows({ store, connection }: ScanContext, { resource, scope, firstNumber }: Missing) {
  const queries = rowQueries(resource);
  if (scope) {
    let place: Awaited<ReturnType<typeof queries.unseenWithin>>['next'];
    do {
      const { rows, next } = await queries.unseenWithin(store.db, connection, firstNumber, scope, place, SCAN_ROWS);
      if (rows.length > 0) yield rows;
      place = next;
      await turn();
    } while (place !== undefined);
    return;
  }
  let after: string | number | undefined;
  do {
    const { rows, next } = await queries.unseen(store.db, connection, firstNumber, after, SCAN_ROWS);
    if (rows.length > 0) yield rows;
    after = next;
    await turn();
  } while (after !== undefined);
}

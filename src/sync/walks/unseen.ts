import { turn } from '../../kernel/clock.ts';
import { apply } from '../apply.ts';
import { markKeys } from '../markKeys.ts';
import type { MirrorResource } from '../mirror/resource.ts';
import { rowQueries } from '../rowTable.ts';
import { originOf, type WalkContext, type WalkPurpose, type WalkResult } from './purpose.ts';
import type { Asking, Visitor, Walk } from './walk.ts';

const SCAN_ROWS = 500;
/** When more than this part of a resource (and more than so many rows) is missing, upstream is doubted, not the mirror. */
const SHRINK_PART = 0.2;
const SHRINK_ROWS = 20;

/**
 * What becomes of rows that are known and that a complete walk has not seen: absence from a list proves
 * nothing, so each is looked up by itself; rows without a look-up are gone when a second reading of the
 * whole list lacks them, too.
 * @returns what is suspicious about the walk; null when nothing is
 */
export async function settleUnseen(
  context: WalkContext,
  walk: Walk,
  result: WalkResult,
  asking: Asking,
  visitor: Visitor,
  purpose: WalkPurpose,
): Promise<string | null> {
  const { rows: resource } = walk;
  if (!resource) return null;
  let unseen = 0;
  for await (const rows of unseenRows(context, resource, result.firstNumber)) unseen += rows.length;
  if (unseen === 0) return null;
  const known = await rowQueries(resource).count(context.store.db, context.connection);
  if (result.rows === 0 && !resource.passing)
    return `an empty answer where ${known} rows are known; nothing was deleted`;
  if (!resource.passing && unseen > SHRINK_ROWS && unseen > known * SHRINK_PART) {
    return `${unseen} of ${known} known rows were missing; nothing was deleted`;
  }
  if (resource.lookUp) await lookUpUnseen(context, resource, result.firstNumber, purpose);
  else await readAgain(context, walk, resource, asking, visitor, purpose);
  return null;
}

async function lookUpUnseen(
  context: WalkContext,
  resource: MirrorResource,
  firstNumber: number,
  purpose: WalkPurpose,
): Promise<void> {
  for await (const rows of unseenRows(context, resource, firstNumber)) {
    const keys = [...new Set(rows.map((row) => String(row.key)))];
    await markKeys(
      context,
      keys.map((key) => ({ resource: resource.name, key })),
      originOf(purpose),
    );
  }
}

async function readAgain(
  context: WalkContext,
  walk: Walk,
  resource: MirrorResource,
  asking: Asking,
  visitor: Visitor,
  purpose: WalkPurpose,
): Promise<void> {
  const again = await context.numbers.take();
  let rows = 0;
  for await (const step of walk.steps(asking)) {
    await step.visit(visitor);
    rows += step.rows;
  }
  if (rows === 0 && !resource.passing) return;
  for await (const gone of unseenRows(context, resource, again)) {
    const whole = gone.map((row) => String(row.key));
    await apply(context, { resource, page: { rows: [], unfit: [] }, number: again, origin: originOf(purpose), whole });
  }
}

async function* unseenRows(context: WalkContext, resource: MirrorResource, firstNumber: number) {
  const queries = rowQueries(resource);
  let after: string | number | undefined;
  do {
    const { rows, next } = await queries.unseen(context.store.db, context.connection, firstNumber, after, SCAN_ROWS);
    if (rows.length > 0) yield rows;
    after = next;
    await turn();
  } while (after !== undefined);
}

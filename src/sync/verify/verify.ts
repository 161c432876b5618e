import { turn } from '../../kernel/clock.ts';
import { type WalkContext, type WalkProgress } from '../walks/purpose.ts';
import { runWalk } from '../walks/run.ts';
import { walks } from '../walks/all.ts';
import type { Visitor, Walk } from '../walks/walk.ts';
import { compareCalendars } from './compareCalendars.ts';
import { compareDays } from './compareDays.ts';
import { compareRows } from './compareRows.ts';
import { type Finding, reportOf, type ResourceReport } from './findings.ts';
import { orphans } from './orphans.ts';
import { type Compared, mirroredRows, recheck } from './recheck.ts';
import { unseen } from './unseenRows.ts';

export interface VerifyReport {
  /** No difference anywhere, and something was compared. */
  clean: boolean;
  resources: readonly ResourceReport[];
  [detail: string]: unknown;
}

/**
 * Reads everything again and compares it with the mirror, field by field. What differs is looked at again
 * before it is reported, because it may have changed meanwhile.
 * @param inTurn runs one walk at a time among the others of the connection
 */
export async function verify(
  context: WalkContext,
  inTurn: <T>(job: () => Promise<T>) => Promise<T>,
  onProgress: (progress: WalkProgress) => void,
): Promise<VerifyReport> {
  const all: Compared[] = [];
  for (const walk of walks) all.push(await inTurn(() => compareAll(context, walk, onProgress)));
  await recheck(context, inTurn, all, ({ result }) => onProgress(result));
  const resources: ResourceReport[] = [];
  for (const one of all) resources.push(await report(context, one));
  const compared = resources.reduce((sum, resource) => sum + resource.compared, 0);
  return { clean: compared > 0 && resources.every((resource) => resource.clean), compared, resources };
}

async function compareAll(
  context: WalkContext,
  walk: Walk,
  onProgress: (progress: WalkProgress) => void,
): Promise<Compared> {
  const suspects: Finding[] = [];
  let unfit = 0;
  const visitor: Visitor = {
    async rows(resource, page, number) {
      suspects.push(...(await compareRows(context, resource, page, number)));
      unfit += page.unfit.length;
      await turn();
    },
    async days(answer) {
      suspects.push(...(await compareDays(context, answer)));
      await turn();
    },
    async calendars(answer) {
      suspects.push(...(await compareCalendars(context, answer)));
      await turn();
    },
  };
  const result = await runWalk(context, walk, 'verify', visitor, onProgress);
  if (result.absent && walk.rows) {
    const known = await mirroredRows(context, walk.rows);
    return { walk, result, unfit: 0, findings: [], upstream: 0, mirrored: known };
  }
  if (walk.rows) suspects.push(...(await unseen(context, walk.rows, result.firstNumber, suspects)));
  const mirrored = walk.rows ? await mirroredRows(context, walk.rows) : result.total;
  // Pages of a walk overlap: a row can have been met twice.
  const findings = [...new Map(suspects.map((one) => [`${one.kind} ${one.row} ${one.key}`, one])).values()];
  return { walk, result, unfit, findings, upstream: result.total, mirrored };
}

async function report(context: WalkContext, one: Compared): Promise<ResourceReport> {
  const { walk, result, unfit, upstream, mirrored } = one;
  const lost = walk.rows?.table === 'stays' ? await orphans(context.store.db, context.connection) : [];
  const totals = { upstream, compared: result.rows - unfit };
  return reportOf(walk.resource, [...one.findings, ...lost], totals, problemOf(upstream, mirrored, unfit));
}

function problemOf(upstream: number, mirrored: number, unfit: number): string | null {
  if (unfit > 0)
    return `${unfit} rows upstream do not fit the contract and could not be compared; ./stayd events quarantined lists them`;
  const rows = upstream === 1 ? 'row' : 'rows';
  return upstream === mirrored ? null : `upstream has ${upstream} ${rows}, the mirror ${mirrored}`;
}

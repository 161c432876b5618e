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
import { recheck, settledTotals } from './recheck.ts';
import { unseen } from './unseenRows.ts';

export interface VerifyReport {
  /** No difference anywhere, and something was compared. */
  clean: boolean;
  resources: readonly ResourceReport[];
  [detail: string]: unknown;
}

/**
 * Reads everything again and compares it with the mirror, field by field. What differs is looked at once
 * more before it is reported, because it may have changed meanwhile.
 * @param inTurn runs one walk at a time among the others of the connection
 */
export async function verify(
  context: WalkContext,
  inTurn: <T>(job: () => Promise<T>) => Promise<T>,
  onProgress: (progress: WalkProgress) => void,
): Promise<VerifyReport> {
  const resources: ResourceReport[] = [];
  for (const walk of walks) resources.push(await inTurn(() => verifyResource(context, walk, onProgress)));
  const compared = resources.reduce((sum, report) => sum + report.compared, 0);
  return { clean: compared > 0 && resources.every((report) => report.clean), compared, resources };
}

async function verifyResource(
  context: WalkContext,
  walk: Walk,
  onProgress: (progress: WalkProgress) => void,
): Promise<ResourceReport> {
  const suspects: Finding[] = [];
  let unfit = 0;
  const visitor: Visitor = {
    async rows(resource, page, number) {
      suspects.push(...(await compareRows(context, resource, page, number)));
      unfit += page.unfit.length;
      await turn();
    },
    async days(answer) {
      suspects.push(...(await compareDays(context.store.db, context.connection, answer)));
      await turn();
    },
    async calendars(answer) {
      suspects.push(...(await compareCalendars(context.store.db, context.connection, answer)));
      await turn();
    },
  };
  const result = await runWalk(context, walk, 'verify', visitor, onProgress);
  if (walk.rows) suspects.push(...(await unseen(context, walk.rows, result.firstNumber, suspects)));
  const findings = await recheck(context, walk, suspects, () => onProgress(result));
  const compared = result.rows - unfit;
  if (walk.rows?.table === 'stays') findings.push(...(await orphans(context.store.db, context.connection)));
  if (!walk.rows) return reportOf(walk.resource, findings, { upstream: result.total, compared }, null);
  const { upstream, mirrored } = await settledTotals(context, walk, walk.rows, result.total);
  const problem = problemOf(upstream, mirrored, unfit);
  return reportOf(walk.resource, findings, { upstream, compared }, problem);
}

function problemOf(upstream: number, mirrored: number, unfit: number): string | null {
  if (unfit > 0) return `${unfit} rows upstream do not fit the contract and could not be compared; see quarantine`;
  return upstream === mirrored ? null : `upstream has ${upstream} rows, the mirror ${mirrored}`;
}

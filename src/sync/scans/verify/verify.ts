import { turn } from '../../../kernel/clock.ts';
import type { MirrorResource } from '../../tables/rows/resource.ts';
import { type ScanContext, type ScanProgress, type ScanResult } from '../purpose.ts';
import { runScan } from '../run.ts';
import { scans } from '../all.ts';
import type { Visitor, Scan } from '../scan.ts';
import { compareCalendars } from './compareCalendars.ts';
import { compareDays } from './compareDays.ts';
import { compareRows } from './compareRows.ts';
import { type Finding, reportOf, type ResourceReport } from './findings.ts';
import { orphans } from './orphans.ts';
import { type Compared, keysOf, mirroredRows, recheck } from './recheck.ts';
import { unseen } from './unseenRows.ts';

export interface VerifyReport {
  /** True if no difference was found, and something was compared. */
  clean: boolean;
  resources: readonly ResourceReport[];
  [detail: string]: unknown;
}

/**
 * Reads everything again and compares it with the mirror, field by field. A difference is checked again before it is
 * reported, because the row may have changed meanwhile.
 * @param inTurn runs one scan at a time among the others of the connection
 */
export async function verify(
  context: ScanContext,
  inTurn: <T>(job: () => Promise<T>) => Promise<T>,
  onProgress: (progress: ScanProgress) => void,
): Promise<VerifyReport> {
  const all: Compared[] = [];
  for (const scan of scans) all.push(...(await inTurn(() => compareAll(context, scan, onProgress))));
  await recheck(context, inTurn, all, ({ result }) => onProgress(result));
  const resources: ResourceReport[] = [];
  for (const one of all) resources.push(await report(context, one));
  const compared = resources.reduce((sum, resource) => sum + resource.compared, 0);
  return { clean: compared > 0 && resources.every((resource) => resource.clean), compared, resources };
}

/** The rows or days of one kind that were met. */
interface Met {
  rows: MirrorResource | null;
  suspects: Finding[];
  quarantined: number;
  /** The keys of the rows, where the end of the scan does not report their number. */
  keys: Set<string>;
}

/** Compares each kind of rows that the scan reads by itself. */
async function compareAll(
  context: ScanContext,
  scan: Scan,
  onProgress: (progress: ScanProgress) => void,
): Promise<Compared[]> {
  const own: Met = { rows: scan.rows, suspects: [], quarantined: 0, keys: new Set() };
  const others = (scan.also ?? []).map((rows): Met => ({ rows, suspects: [], quarantined: 0, keys: new Set() }));
  const visitor: Visitor = {
    async rows(resource, page, number) {
      const other = others.find(({ rows }) => rows === resource);
      const met = other ?? own;
      met.suspects.push(...(await compareRows(context, resource, page, number)));
      met.quarantined += page.quarantined.length;
      if (other) for (const key of keysOf(page)) other.keys.add(key);
      await turn();
    },
    async days(answer) {
      own.suspects.push(...(await compareDays(context, answer)));
      await turn();
    },
    async calendars(answer) {
      own.suspects.push(...(await compareCalendars(context, answer)));
      await turn();
    },
  };
  const result = await runScan(context, scan, 'verify', visitor, onProgress);
  const beside = others.map((met) =>
    compared(context, scan, met, { result, rows: met.keys.size, total: met.keys.size }),
  );
  return Promise.all([...beside, compared(context, scan, own, { result, rows: result.rows, total: result.total })]);
}

async function compared(
  context: ScanContext,
  scan: Scan,
  { rows, suspects, quarantined }: Met,
  read: { result: ScanResult; rows: number; total: number },
): Promise<Compared> {
  const { result, total: upstream } = read;
  const mirrored = rows ? await mirroredRows(context, rows) : upstream;
  const all = { scan, rows, result, mirrored };
  if (result.absent && rows) return { ...all, quarantined: 0, compared: 0, findings: [], upstream: 0 };
  if (rows) suspects.push(...(await unseen(context, rows, result.firstNumber, suspects)));
  // Pages of a scan overlap: a row can have been met twice.
  const findings = [...new Map(suspects.map((one) => [`${one.kind} ${one.row} ${one.key}`, one])).values()];
  return { ...all, quarantined, compared: read.rows - quarantined, findings, upstream };
}

async function report(context: ScanContext, one: Compared): Promise<ResourceReport> {
  const { scan, rows, quarantined, upstream, mirrored } = one;
  const lost = rows?.hasParts ? await orphans(context.store.db, context.connection) : [];
  const totals = { upstream, compared: one.compared };
  const problem = problemOf(upstream, mirrored, quarantined);
  return reportOf(rows?.name ?? scan.resource, [...one.findings, ...lost], totals, problem);
}

function problemOf(upstream: number, mirrored: number, quarantined: number): string | null {
  if (quarantined > 0)
    return `${quarantined} rows upstream do not fit the contract and could not be compared; ./stayd events quarantined lists them`;
  const rows = upstream === 1 ? 'row' : 'rows';
  return upstream === mirrored ? null : `upstream has ${upstream} ${rows}, the mirror ${mirrored}`;
}

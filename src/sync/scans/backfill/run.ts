import { dateIn, instantOf, msOf } from '../../../kernel/dates.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { mayGo, next } from '../../../kernel/transitions.ts';
import { scanLife } from '../../tables/states.ts';
import { noteFresh } from '../reconcile/freshness.ts';
import type { ScanContext, ScanProgress, ScanResult } from '../purpose.ts';
import { reservationsScan } from '../resources/reservations.ts';
import type { Scan } from '../scan.ts';
import { CallError } from '../../../client/callError.ts';
import { failedScan } from '../purpose.ts';
import { rowsOfWork } from './stages.ts';
import { groundwork } from '../all.ts';

/** The name in `scans` of a read of everything. */
export const EVERYTHING = 'everything';
/** An interrupted read older than this starts over. */
const RESUME_MS = 7 * 24 * 60 * 60_000;

export type BackfillPurpose = 'first' | 'backfill';

interface BackfillOptions extends ScanContext {
  applyScan(scan: Scan, onProgress: (progress: ScanProgress) => void): Promise<ScanResult>;
}

/** A read of everything, as `scans` stores it. */
interface Run {
  scanId: string;
  startedAt: number;
  requests: number;
  rows: number;
}

/**
 * Reads everything, the most useful first. Each part has a row in `scans` with its position, so an interrupted read
 * continues there. Finished parts are not read again.
 * @returns the results of this run and of the interrupted ones before it
 */
export async function runBackfill(
  options: BackfillOptions,
  purpose: BackfillPurpose,
  onProgress: (progress: ScanProgress) => void = () => {},
): Promise<ScanResult[]> {
  const { connection, store, signal } = options;
  const run = (await findRun(options, purpose)) ?? (await beginRun(options, purpose));
  const results: ScanResult[] = [];
  const read = async (scan: Scan): Promise<void> => {
    if (signal.aborted) return;
    const known = await doneBefore(options, purpose, run, scan);
    results.push(known ?? (await readOrRefused(options, scan, onProgress)));
  };
  try {
    for (const scan of groundwork) await read(scan);
    // Computed after the account was read, whose zone determines the date.
    const today = dateIn(options.zone(), run.startedAt);
    const rows = rowsOfWork(today).map(async (scans) => {
      for (const scan of scans) await read(scan);
    });
    const failed = (await Promise.allSettled(rows)).find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  } catch (error) {
    await endRun(options, run, results, 'fail', messageOf(error));
    throw error;
  }
  if (signal.aborted) return results;
  if (results.every((one) => one.state === 'done'))
    await noteFresh(store.db, connection, reservationsScan, run.startedAt);
  const doubtful = results.find((one) => one.state !== 'done');
  await endRun(options, run, results, doubtful ? 'doubt' : 'finish', doubtful?.problem ?? null);
  return results;
}

/** Skips a resource that upstream refuses to answer. All others are read, and reconciliations ask for it again. */
async function readOrRefused(
  { applyScan, clock, connection, log }: BackfillOptions,
  scan: Scan,
  onProgress: (progress: ScanProgress) => void,
): Promise<ScanResult> {
  const begun = clock.now();
  try {
    return await applyScan(scan, onProgress);
  } catch (error) {
    if (!(error instanceof CallError) || error.client !== 'fix') throw error;
    log.warn({ connection, resource: scan.resource, problem: error.message }, 'upstream refuses to list a resource');
    return failedScan(scan, error, begun);
  }
}

async function findRun({ store, connection, clock }: BackfillOptions, purpose: BackfillPurpose) {
  const row = await store.db
    .selectFrom('scans')
    .selectAll()
    .where('connection', '=', connection)
    .where('resource', '=', EVERYTHING)
    .where('purpose', '=', purpose)
    .orderBy('scan_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row || !mayGo(scanLife, row.state, 'resume')) return undefined;
  const startedAt = msOf(row.started_at);
  if (clock.now() - startedAt > RESUME_MS) return undefined;
  return { scanId: row.scan_id, startedAt, requests: row.requests, rows: row.rows } satisfies Run;
}

async function beginRun({ store, connection, clock, ids, numbers }: BackfillOptions, purpose: BackfillPurpose) {
  const run: Run = { scanId: ids(), startedAt: clock.now(), requests: 0, rows: 0 };
  await store.db
    .insertInto('scans')
    .values({
      connection,
      scan_id: run.scanId,
      resource: EVERYTHING,
      purpose,
      state: next(scanLife, null, 'begin'),
      started_at: instantOf(run.startedAt),
      finished_at: null,
      first_number: await numbers.take(),
      requests: 0,
      rows: 0,
      cursor: null,
      claimed_until: null,
      problem: null,
    })
    .execute();
  return run;
}

async function endRun(
  { store, connection, clock }: BackfillOptions,
  run: Run,
  results: readonly ScanResult[],
  trigger: 'finish' | 'doubt' | 'fail',
  problem: string | null,
): Promise<void> {
  const sum = (field: 'requests' | 'rows') => results.reduce((total, one) => total + one[field], 0);
  await store.db
    .updateTable('scans')
    .set({
      state: next(scanLife, 'running', trigger),
      problem,
      requests: sum('requests'),
      rows: sum('rows'),
      finished_at: instantOf(clock.now()),
    })
    .where('connection', '=', connection)
    .where('scan_id', '=', run.scanId)
    .execute();
}

/** Returns the result of a part that was complete before the interruption; undefined: it is still to be read. */
async function doneBefore(
  { store, connection }: BackfillOptions,
  purpose: BackfillPurpose,
  run: Run,
  scan: Scan,
): Promise<ScanResult | undefined> {
  const row = await store.db
    .selectFrom('scans')
    .selectAll()
    .where('connection', '=', connection)
    .where('resource', '=', scan.resource)
    .where('purpose', '=', purpose)
    .where('part', scan.part === undefined ? 'is' : '=', scan.part ?? null)
    .where('state', '=', 'done')
    .where('started_at', '>=', instantOf(run.startedAt))
    .orderBy('scan_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { scan_id: scanId, resource, first_number: firstNumber, requests, rows, problem, started_at } = row;
  return {
    scanId,
    resource,
    firstNumber,
    requests,
    rows,
    problem,
    ...(scan.part !== undefined && { part: scan.part }),
    state: 'done',
    total: rows,
    startedAt: msOf(started_at),
  };
}

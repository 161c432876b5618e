import { CallError } from '../../client/callError.ts';
import { instantOf, msOf } from '../../kernel/dates.ts';
import { messageOf } from '../../kernel/errors.ts';
import { noTracer } from '../../kernel/tracing/tracer.ts';
import { mayGo, next } from '../../kernel/transitions.ts';
import { scanLife } from '../tables/states.ts';
import { noteAbsence, noteThere } from './absences.ts';
import { markKeys } from '../queue/markKeys.ts';
import { CALENDAR } from '../tables/listings/calendar.ts';
import { listings } from '../tables/listings/listings.ts';
import { noteFresh } from './reconcile/freshness.ts';
import {
  asksAs,
  originOf,
  type ScanContext,
  type ScanProgress,
  type ScanPurpose,
  type ScanResult,
  wordsOf,
} from './purpose.ts';
import { settleUnseen } from './unseen.ts';
import type { Asking, Visitor, Scan } from './scan.ts';

const SAVE_EVERY_MS = 2_000;
/** An interrupted scan older than this starts over. */
const RESUME_MS = 7 * 24 * 60 * 60_000;
/** The time for which ended scans are stored. */
const KEEP_MS = 7 * 24 * 60 * 60_000;

/** Scans with these purposes continue where they were interrupted. */
const resumed: ReadonlySet<ScanPurpose> = new Set(['first', 'backfill']);

/**
 * Reads a whole resource, or a part of it, with one row in `scans` for its progress. Known rows that it has not seen
 * are looked up one by one before any of them counts as gone.
 */
export async function runScan(
  context: ScanContext,
  scan: Scan,
  purpose: ScanPurpose,
  visitor: Visitor,
  onProgress: (progress: ScanProgress) => void = () => {},
): Promise<ScanResult> {
  const { tracer = noTracer, connection } = context;
  const attributes = { 'stayd.connection': connection, 'stayd.resource': scan.resource, 'stayd.purpose': purpose };
  return tracer.run('scan', { kind: 'internal', parent: null, attributes }, async (span) => {
    const result = await readAll(context, { scan, purpose, visitor }, onProgress);
    span.set({ 'stayd.requests': result.requests, 'stayd.rows': result.rows });
    return result;
  });
}

async function readAll(
  context: ScanContext,
  { scan, purpose, visitor }: { scan: Scan; purpose: ScanPurpose; visitor: Visitor },
  onProgress: (progress: ScanProgress) => void,
): Promise<ScanResult> {
  const { clock, connection, store } = context;
  const cut = resumed.has(purpose) ? await findCut(context, scan, purpose) : undefined;
  const result = cut?.result ?? (await begin(context, scan, purpose));
  visitor.begin?.(result.scanId);
  let savedAt = clock.monotonic();
  let bookmark = cut?.bookmark;
  try {
    const asking = askingOf(context, purpose, () => (result.requests += 1));
    asking.since = await lastReading(context, scan);
    const steps = scan.steps(asking, bookmark);
    for (;;) {
      const step = await steps.next();
      if (step.done) {
        result.total = step.value.total;
        break;
      }
      await step.value.visit(visitor);
      result.rows += step.value.rows;
      onProgress(result);
      const isResumable = resumed.has(purpose) && step.value.bookmark !== undefined;
      if (isResumable) bookmark = step.value.bookmark;
      if (isResumable || clock.monotonic() - savedAt > SAVE_EVERY_MS) {
        savedAt = clock.monotonic();
        await save(context, result, bookmark);
      }
    }
    if (purpose !== 'verify') result.problem = await settleUnseen(context, scan, result, asking, visitor, purpose);
    result.state = next(scanLife, result.state, result.problem === null ? 'finish' : 'doubt');
    bookmark = undefined;
  } catch (error) {
    if (isAbsent(scan, error)) return absent(result, error);
    result.state = next(scanLife, result.state, 'fail');
    result.problem = messageOf(error);
    throw error;
  } finally {
    await save(context, result, bookmark, instantOf(clock.now()));
    if (result.state === 'done' && purpose !== 'verify') {
      await noteFresh(store.db, connection, scan, result.startedAt);
      await forgetOld(context, scan);
    }
  }
  logEnd(context, scan, purpose, result);
  return result;
}

function logEnd({ log, connection, store }: ScanContext, scan: Scan, purpose: ScanPurpose, result: ScanResult): void {
  const { resource, part } = scan;
  const { requests, rows, state, problem } = result;
  log.info({ connection, store: store.kind, resource, part, purpose, requests, rows, state, problem }, 'scan ended');
}

/** Returns the context of a scan's requests. */
export function askingOf(context: ScanContext, purpose: ScanPurpose, onSend: () => void): Asking {
  const { client, numbers, clock, historyFrom, signal, connection, store } = context;
  const reading = context.reading();
  return {
    client,
    purpose: asksAs(purpose),
    reading,
    numbers,
    db: store.db,
    clock,
    historyFrom,
    signal,
    onSend,
    async onAbsent(key) {
      await noteAbsence(store.db, { connection, resource: CALENDAR, key }, clock.now());
      // A listing without a calendar may itself be gone.
      if (purpose !== 'verify') await markKeys(context, [{ resource: listings.name, key }], originOf(purpose));
    },
    onThere: (keys) => noteThere(store.db, { connection, resource: CALENDAR, keys }),
  };
}

/** Returns true if an error says that upstream does not have the list of the scan. */
function isAbsent(scan: Scan, error: unknown): error is CallError {
  return scan.mayBeAbsent === true && error instanceof CallError && (error.code === 404 || error.code === 501);
}

/** Returns the result for a list that does not exist: it is read in no time, and its stored rows stay unchanged. */
function absent(result: ScanResult, error: CallError): ScanResult {
  return Object.assign(result, {
    state: next(scanLife, result.state, 'finish'),
    absent: true,
    problem: `upstream does not have it: ${error.message}`,
  });
}

/** Finds the newest scan of the same kind if it was interrupted so that the next one can continue it. */
async function findCut(context: ScanContext, scan: Scan, purpose: ScanPurpose) {
  const { store, connection, clock } = context;
  const row = await store.db
    .selectFrom('scans')
    .selectAll()
    .where('connection', '=', connection)
    .where('resource', '=', scan.resource)
    .where('purpose', '=', purpose)
    .where('part', scan.part === undefined ? 'is' : '=', scan.part ?? null)
    .orderBy('scan_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row || row.cursor === null || !mayGo(scanLife, row.state, 'resume')) return undefined;
  const startedAt = msOf(row.started_at);
  if (clock.now() - startedAt > RESUME_MS) return undefined;
  const { scan_id: scanId, first_number: firstNumber, requests, rows } = row;
  const result: ScanResult = {
    scanId,
    ...wordsOf(scan),
    state: next(scanLife, row.state, 'resume'),
    firstNumber,
    requests,
    rows,
    total: 0,
    problem: null,
    startedAt,
  };
  return { result, bookmark: JSON.parse(row.cursor) as unknown };
}

async function begin(context: ScanContext, scan: Scan, purpose: ScanPurpose): Promise<ScanResult> {
  const startedAt = context.clock.now();
  const result: ScanResult = {
    scanId: context.ids(),
    ...wordsOf(scan),
    state: next(scanLife, null, 'begin'),
    firstNumber: await context.numbers.take(),
    requests: 0,
    rows: 0,
    total: 0,
    problem: null,
    startedAt,
  };
  await context.store.db
    .insertInto('scans')
    .values({
      connection: context.connection,
      scan_id: result.scanId,
      resource: result.resource,
      part: scan.part ?? null,
      purpose,
      state: result.state,
      started_at: instantOf(startedAt),
      finished_at: null,
      first_number: result.firstNumber,
      requests: 0,
      rows: 0,
      cursor: null,
      claimed_until: null,
      problem: null,
    })
    .execute();
  return result;
}

async function save(
  context: ScanContext,
  result: ScanResult,
  bookmark: unknown,
  finishedAt: string | null = null,
): Promise<void> {
  const { state, requests, rows, problem } = result;
  const cursor = bookmark === undefined ? null : JSON.stringify(bookmark);
  await context.store.db
    .updateTable('scans')
    .set({ state, requests, rows, problem, cursor, finished_at: finishedAt })
    .where('connection', '=', context.connection)
    .where('scan_id', '=', result.scanId)
    .execute();
}

/** Returns the moment when the last complete read of the same part began. */
async function lastReading({ store, connection }: ScanContext, scan: Scan): Promise<number | undefined> {
  const row = await store.db
    .selectFrom('scans')
    .select('started_at')
    .where('connection', '=', connection)
    .where('resource', '=', scan.resource)
    .where('part', scan.part === undefined ? 'is' : '=', scan.part ?? null)
    .where('state', '=', 'done')
    .where('purpose', '!=', 'verify')
    .orderBy('scan_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && msOf(row.started_at);
}

/** Deletes old reconciliations: they are many, and of the finished ones only the latest matter. */
async function forgetOld({ store, connection, clock }: ScanContext, scan: Scan): Promise<void> {
  await store.db
    .deleteFrom('scans')
    .where('connection', '=', connection)
    .where('resource', '=', scan.resource)
    .where('purpose', 'in', ['reconcile', 'reconcile_slow'])
    .where('finished_at', '<', instantOf(clock.now() - KEEP_MS))
    .execute();
}

/** Returns true if a scan ended because only a person can help. */
export function needsHost(error: unknown): error is CallError {
  return error instanceof CallError && error.client === 'host';
}

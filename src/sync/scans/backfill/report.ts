import { REVIEW_DAYS } from '../../../contract/reviews.ts';
import { reservationStatuses } from '../../../contract/reservations.ts';
import { addDays, dateIn } from '../../../kernel/dates.ts';
import type { Ledger } from '../../budget/ledger.ts';
import type { Scanner } from '../scanner/scanner.ts';
import type { ScanContext, ScanProgress, ScanResult } from '../purpose.ts';
import { type BackfillPlan, planBackfill } from './plan.ts';

export interface BackfillProgress extends ScanProgress {
  /** Requests so far, of all parts; the next field is their total. */
  done: number;
  planned: number;
  /** The expected end (epoch milliseconds). */
  finishAt: number;
}

/** The stays of a status, counted at the source and in the mirror; within check-out dates, if they are given. */
interface CountCheck {
  status: string;
  from: string | null;
  to: string | null;
  upstream: number;
  mirrored: number;
}

export interface BackfillReport {
  plan: BackfillPlan;
  resources: ScanResult[];
  checks: CountCheck[];
  /** The moment when it was over (epoch milliseconds). */
  finishedAt: number;
}

/** Plans a read of everything, makes it, and compares the counts of both sides at the end. */
export async function reportedBackfill(
  context: ScanContext,
  scanner: Scanner,
  ledger: () => Ledger,
  onProgress: (progress: BackfillProgress) => void,
): Promise<BackfillReport> {
  const plan = await planBackfill(context, ledger);
  const requestsOf = new Map<string, number>();
  const resources = await scanner.backfill((progress) => {
    requestsOf.set(`${progress.resource} ${progress.part ?? ''}`, progress.requests);
    const done = [...requestsOf.values()].reduce((sum, requests) => sum + requests, 0);
    const finishAt = expected(plan, done, context.clock.now());
    onProgress({ ...progress, done, planned: Math.max(plan.requests, done), finishAt });
  });
  const finishedAt = context.clock.now();
  return { plan, resources, checks: await countChecks(context), finishedAt };
}

/** Returns the planned end, unless it has become clear that the read takes longer. */
function expected({ startAt, finishAt, requests }: BackfillPlan, done: number, now: number): number {
  if (done === 0 || now <= finishAt) return Math.max(finishAt, now);
  return now + ((now - startAt) / done) * Math.max(0, requests - done);
}

/** Counts the stays of each status, and those within the most used windows of dates. */
async function countChecks(context: ScanContext): Promise<CountCheck[]> {
  const today = dateIn(context.zone(), context.clock.now());
  const windows = [
    { from: null, to: null },
    { from: addDays(today, -REVIEW_DAYS), to: addDays(today, -1) },
    { from: today, to: addDays(today, REVIEW_DAYS) },
  ];
  const checks: CountCheck[] = [];
  for (const window of windows) {
    for (const status of reservationStatuses) {
      const upstream = await upstreamCount(context, status, window);
      // Where the source does not count, there is nothing to compare.
      if (upstream === null) continue;
      checks.push({ status, ...window, upstream, mirrored: await mirroredCount(context, status, window) });
    }
  }
  return checks;
}

const END_OF_TIME = '2199-12-31';

type Window = Pick<CountCheck, 'from' | 'to'>;
type Status = (typeof reservationStatuses)[number];

async function upstreamCount(
  { client, signal }: ScanContext,
  status: Status,
  { from, to }: Window,
): Promise<number | null> {
  const input = { status, end_check_out_date: to ?? END_OF_TIME, ...(from !== null && { start_check_out_date: from }) };
  const answer = await client.call(
    'listReservations',
    { ...input, offset: 0, limit: 1 },
    { purpose: 'backfill', signal },
  );
  return answer.data.total;
}

async function mirroredCount(
  { store, connection }: ScanContext,
  status: Status,
  { from, to }: Window,
): Promise<number> {
  const { rows } = await store.db
    .selectFrom('stays')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where('connection', '=', connection)
    .where('deleted_at', 'is', null)
    .where('status', '=', status)
    .$if(from !== null, (query) => query.where('check_out_date', '>=', from ?? ''))
    .where('check_out_date', '<=', to ?? END_OF_TIME)
    .executeTakeFirstOrThrow();
  return rows;
}

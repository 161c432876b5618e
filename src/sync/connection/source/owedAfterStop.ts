import type { AskUndelivered } from '../../../client/undelivered.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { type Instant, instantOf, msOf } from '../../../kernel/dates.ts';
import type { Owed } from '../../scans/scanner/catchingUp.ts';
import type { MirrorDb } from '../../tables/database.ts';
import { putFact, readFact } from '../../tables/connection/facts.ts';
import { readConnection } from '../../tables/connection/state.ts';

/** Deliveries that failed so shortly before the stop count as well: two clocks, and requests that the stop cut off. */
const MARGIN_MS = 60_000;
/** A delivery that began before we listened has its outcome after this time. */
const OUTCOME_MS = 10_000;
/** The longest stop after which the near parts suffice; reconciliation finds the rest within its ages. */
const SHORT_STOP_MS = 60 * 60_000;

interface Options {
  db: MirrorDb;
  connection: string;
  clock: Clock;
  ask: AskUndelivered;
  /** True if parts of the source are read again by themselves. */
  isReconciled: boolean;
  /** When the connection was stopped; undefined: not cleanly. */
  since: Instant | undefined;
  /** When this process began to listen (epoch milliseconds). */
  begunAt: number;
  signal: AbortSignal;
}

/**
 * Decides what must be read after a clean stop. A core of ours says what it could not deliver to our webhook: if that
 * is nothing, nothing was missed. Any other source may have sent events to nobody while we were away.
 * @throws CallError if the source does not answer
 */
export async function owedAfterStop({
  db,
  connection,
  clock,
  ask,
  isReconciled,
  since,
  begunAt,
  signal,
}: Options): Promise<Owed> {
  const awayMs = since === undefined ? undefined : begunAt - msOf(since);
  if (since === undefined || awayMs === undefined || awayMs < 0) return 'everything';
  const { webhook_id: id } = await readConnection(db, connection);
  const answer = id === null ? undefined : await ask({ id, since: withMargin(since) }, signal);
  if (!answer) {
    // One that has answered before must be able to; something stands between.
    const couldAnswer = (await readFact(db, connection, 'says_undelivered')) !== undefined;
    return isReconciled && awayMs <= SHORT_STOP_MS && !couldAnswer ? 'near' : 'everything';
  }
  await putFact(db, { connection, name: 'says_undelivered', value: '', changed_at: instantOf(clock.now()) });
  if (!answer.complete || answer.failed > 0) return 'everything';
  // An event that was on its way to us when nobody listened may yet fail.
  const { waiting_since: oldest } = answer;
  const mayFail = oldest !== null && Date.parse(oldest) < begunAt && clock.now() < begunAt + OUTCOME_MS;
  return mayFail ? 'later' : 'nothing';
}

function withMargin(since: Instant): Instant {
  return instantOf(msOf(since) - MARGIN_MS);
}

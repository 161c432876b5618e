import type { Clock } from '../../kernel/clock.ts';
import { Signal } from '../../kernel/signal.ts';
import { preparedKept } from '../../store/queries/prepared.ts';
import type { MirrorDb } from '../../sync/tables/database.ts';

/** Milliseconds for which a change of a plan may go unseen by an open page. */
const POLL_MS = 300;

interface Asked {
  connection: string;
}

const newestEntry = preparedKept((db: MirrorDb, { connection }: Asked) =>
  db
    .selectFrom('automation_log')
    .where('connection', '=', connection)
    .select('entry_id as id')
    .orderBy('entry_id', 'desc')
    .limit(1),
);

const newestPlan = preparedKept((db: MirrorDb, { connection }: Asked) =>
  db
    .selectFrom('automation_plans')
    .where('connection', '=', connection)
    .select('plan_id as id')
    .orderBy('plan_id', 'desc')
    .limit(1),
);

interface Waiting {
  connection: string;
  /** The mark as it was. */
  seen: string;
  waitMs: number;
}

/**
 * Returns a mark of what rules and plans have come to, once it is another one, at the latest after `waitMs`. Each step
 * of a plan writes a line of the log, whichever process takes it.
 */
export async function waitForPlanNews(
  { db, clock }: { db: MirrorDb; clock: Clock },
  { connection, seen, waitMs }: Waiting,
  signal: AbortSignal,
): Promise<string> {
  const end = clock.monotonic() + waitMs;
  const sleep = new Signal();
  for (;;) {
    const rows = [await newestEntry(db, { connection }), await newestPlan(db, { connection })];
    const mark = rows.map(([row]) => row?.id ?? '').join('-');
    const left = end - clock.monotonic();
    if (mark !== seen || left <= 0 || signal.aborted) return mark;
    await sleep.wait(clock, Math.min(POLL_MS, left), signal);
  }
}

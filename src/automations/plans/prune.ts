import { turn } from '../../kernel/clock.ts';
import { instantOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import type { MirrorTrx } from '../../sync/tables/database.ts';
import { changesIn } from '../actions/nights/memory.ts';
import type { Automating } from '../context.ts';
import { finishedStates } from './states.ts';
import type { Plan } from './table.ts';

/** Number of rows that one transaction examines. */
const BATCH = 200;
const DAY_MS = 86_400_000;

type Pruning = Pick<Automating, 'store' | 'connection' | 'clock' | 'signal'>;

/**
 * Deletes finished plans with their send ledger, log entries, and counts of questions to a model after their retention.
 * Unfinished plans stay at any age. So do plans of stays that are not long over: a deleted plan could be made again,
 * and only the end of its time would stop it then.
 * @returns the number of deleted rows of each kind
 */
export async function prune(
  context: Pruning,
  days: number,
): Promise<{ plans: number; lines: number; questions: number }> {
  const now = context.clock.now();
  const before = instantOf(now - days * DAY_MS);
  return {
    plans: await through(context, (trx, after) => prunePlans(trx, context.connection, { after, before, now })),
    lines: await through(context, (trx, after) => pruneLog(trx, context.connection, { after, before, now })),
    questions: await through(context, (trx, after) => pruneQuestions(trx, context.connection, { after, before, now })),
  };
}

interface Batch {
  after: string;
  before: string;
  now: number;
}
interface Passed {
  next: string | undefined;
  gone: number;
}

async function through(
  { store, signal }: Pruning,
  step: (trx: MirrorTrx, after: string) => Promise<Passed>,
): Promise<number> {
  let total = 0;
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted; await turn()) {
    const from: string = after;
    const { next, gone }: Passed = await store.transaction((trx) => step(trx, from));
    total += gone;
    after = next;
  }
  return total;
}

async function prunePlans(trx: MirrorTrx, connection: string, { after, before, now }: Batch): Promise<Passed> {
  const rows = await trx
    .selectFrom('automation_plans')
    .selectAll()
    .where('connection', '=', connection)
    .where('plan_id', '>', after)
    .orderBy('plan_id')
    .limit(BATCH)
    .execute();
  const old = rows.filter(
    ({ state, changed_at, not_after }) => finishedStates.includes(state) && changed_at < before && not_after < before,
  );
  const going = await staysStillGoing(trx, connection, old, before);
  const today = instantOf(now).slice(0, 10);
  const due = old.filter(
    (plan) => (plan.stay_code === null || !going.has(plan.stay_code)) && !hasNightsAhead(plan, today),
  );
  const ids = due.map(({ plan_id }) => plan_id);
  for (const { plan_id, conversation_id, message_id } of due) {
    if (conversation_id === null || message_id === null) continue;
    await trx
      .deleteFrom('automation_answers')
      .where('connection', '=', connection)
      .where('conversation_id', '=', conversation_id)
      .where('message_id', '=', message_id)
      .where('plan_id', '=', plan_id)
      .execute();
  }
  for (const table of ['automation_drafts', 'automation_sends', 'automation_plans'] as const) {
    await trx
      .deleteFrom(table)
      .where('connection', '=', connection)
      .where((eb) => inList(eb.ref('plan_id'), ids))
      .execute();
  }
  return { next: rows.length === BATCH ? rows.at(-1)?.plan_id : undefined, gone: ids.length };
}

/** Returns true while a changed night lies ahead; until then its former price or restriction is needed. */
function hasNightsAhead(plan: Plan, today: string): boolean {
  return changesIn(plan).some(({ date }) => date >= today);
}

/** Returns stays that can still move: recent departures and all later ones, even if cancelled. */
async function staysStillGoing(
  trx: MirrorTrx,
  connection: string,
  plans: readonly Plan[],
  before: string,
): Promise<Set<string>> {
  const codes = [...new Set(plans.flatMap(({ stay_code }) => (stay_code === null ? [] : [stay_code])))];
  const rows = await trx
    .selectFrom('stays')
    .select('stay_code')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('stay_code'), codes))
    .where('check_out_date', '>=', before.slice(0, 10))
    .execute();
  return new Set(rows.map((row) => row.stay_code));
}

/** Deletes old log entries, except those of existing plans. */
async function pruneLog(trx: MirrorTrx, connection: string, { after, before }: Batch): Promise<Passed> {
  const rows = await trx
    .selectFrom('automation_log')
    .select(['entry_id', 'at', 'plan_id'])
    .where('connection', '=', connection)
    .where('entry_id', '>', after)
    .orderBy('entry_id')
    .limit(BATCH)
    .execute();
  const old = rows.filter(({ at }) => at < before);
  const named = [...new Set(old.flatMap(({ plan_id }) => (plan_id === null ? [] : [plan_id])))];
  const kept = await plansThere(trx, connection, named);
  const due = old.filter(({ plan_id }) => plan_id === null || !kept.has(plan_id)).map(({ entry_id }) => entry_id);
  await trx
    .deleteFrom('automation_log')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('entry_id'), due))
    .execute();
  // Entries are ordered by time.
  const isOver = rows.length < BATCH || old.length < rows.length;
  return { next: isOver ? undefined : rows.at(-1)?.entry_id, gone: due.length };
}

/** Deletes old questions, except those of existing plans. They prevent a second question. */
async function pruneQuestions(trx: MirrorTrx, connection: string, { after, before }: Batch): Promise<Passed> {
  const old = await trx
    .selectFrom('ai_requests')
    .select('request_id')
    .where('connection', '=', connection)
    .where('request_id', '>', after)
    .where('started_at', '<', before)
    .orderBy('request_id')
    .limit(BATCH)
    .execute();
  const ids = old.map(({ request_id }) => request_id);
  const kept = await plansThere(trx, connection, ids);
  const due = ids.filter((id) => !kept.has(id));
  await trx
    .deleteFrom('ai_requests')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('request_id'), due))
    .execute();
  return { next: ids.length === BATCH ? ids.at(-1) : undefined, gone: due.length };
}

async function plansThere(trx: MirrorTrx, connection: string, planIds: readonly string[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('automation_plans')
    .select('plan_id')
    .where('connection', '=', connection)
    .where((eb) => inList(eb.ref('plan_id'), planIds))
    .execute();
  return new Set(rows.map((row) => row.plan_id));
}

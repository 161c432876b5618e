import { instantOf, msOf } from '../../kernel/dates.ts';
import { insertMany } from '../../store/queries/insertMany.ts';
import { next, sourcesOf, type TriggerOf } from '../../kernel/transitions.ts';
import { type SendOutcome, sendLife } from '../plans/states.ts';
import type { AutomationSendsTable } from '../tables.ts';
import { readFact } from '../../sync/tables/connection/facts.ts';
import type { MirrorDb, MirrorTrx } from '../../sync/tables/database.ts';
import type { Prepared } from '../actions/action.ts';
import type { Automating } from '../context.ts';
import { isOurText, printOf } from '../fingerprint.ts';
import { type OwnSend, roomAt } from '../guards/conversation.ts';
import { keepDraft, movePlan, type Plan, writeLog } from '../plans/table.ts';
import type { Reason } from '../reasons.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import { Stopped } from './stopped.ts';

const HOUR_MS = 3_600_000;
const ECHO_DAYS_MS = 8 * 24 * HOUR_MS;
/** Outcomes of sends that left, or may have left. */
const OUT: readonly SendOutcome[] = ['sending', 'sent', 'unknown'];

/** Returns our recent messages in a conversation, including uncertain ones. */
export async function ownSends(
  db: MirrorDb,
  context: Pick<Automating, 'connection' | 'clock' | 'keyedHash'>,
  conversation_id: string,
): Promise<OwnSend[]> {
  const { connection, clock } = context;
  const rows = await db
    .selectFrom('automation_sends')
    .select(['plan_id', 'message_id', 'fingerprint', 'marks', 'started_at'])
    .where('connection', '=', connection)
    .where('conversation_id', '=', conversation_id)
    .where('started_at', '>', instantOf(clock.now() - ECHO_DAYS_MS))
    .where('outcome', 'in', [...OUT])
    .execute();
  return rows.map((row) => ownSend(context, row));
}

type Kept = Pick<AutomationSendsTable, 'plan_id' | 'message_id' | 'fingerprint' | 'marks' | 'started_at'>;

/** Returns a row of the send ledger in the form that the guards need. */
export function ownSend({ keyedHash }: Pick<Automating, 'keyedHash'>, kept: Kept): OwnSend {
  const { plan_id, message_id, fingerprint, started_at } = kept;
  const wrote: OwnSend['wrote'] = (said) => isOurText(kept, said, keyedHash);
  return { plan_id, message_id, fingerprint, atMs: msOf(started_at), wrote };
}

export async function newestSend(
  { store, connection }: Pick<Automating, 'store' | 'connection'>,
  plan: Pick<Plan, 'plan_id'>,
): Promise<AutomationSendsTable | undefined> {
  return store.db
    .selectFrom('automation_sends')
    .selectAll()
    .where('connection', '=', connection)
    .where('plan_id', '=', plan.plan_id)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The reason why a call must not leave. */
export interface Refusal {
  reason: Reason;
  stop: 'waiting' | 'skipped';
  waitMs?: number;
  detail?: string;
}

/** The content of a call. */
type Leaving = Pick<Prepared, 'text' | 'intent'>;

/**
 * Makes the last checks before a call and records that it leaves, in one transaction: the kill switch, the pause of the
 * rule, its sends within the last hour, the load of the conversation, and that no other rule answers the same message.
 * @returns the reason against the call, or undefined if it is recorded and may leave
 */
export async function beginSending(
  context: Automating,
  { plan, rule, speaks, ...what }: { plan: Plan; rule: LoadedRule; speaks: boolean } & Leaving,
): Promise<Refusal | undefined> {
  return context.store.transaction(async (trx) => {
    const refusal = (await switchedOff(trx, context, rule)) ?? (await tooMuch(trx, context, rule));
    if (refusal) return refusal;
    const crowded = speaks ? await crowdedConversation(trx, context, plan) : undefined;
    if (crowded) return crowded;
    if (speaks && !(await mayAnswer(trx, plan))) return { reason: 'answered_by_rule', stop: 'skipped' };
    return record(trx, context, plan, what);
  });
}

/** Throws Stopped if the kill switch or its pause stops the rule. */
export async function checkSwitches(context: Automating, rule: LoadedRule): Promise<void> {
  const off = await context.store.transaction((trx) => switchedOff(trx, context, rule));
  if (off) throw new Stopped(off.stop, off.reason);
}

async function switchedOff(trx: MirrorTrx, { connection }: Automating, rule: LoadedRule): Promise<Refusal | undefined> {
  if (await readFact(trx, connection, 'automations_disarmed')) return { reason: 'disarmed', stop: 'waiting' };
  const row = await trx
    .selectFrom('automation_rules')
    .select('paused_at')
    .where('connection', '=', connection)
    .where('rule', '=', rule.name)
    .executeTakeFirst();
  return row?.paused_at ? { reason: 'paused', stop: 'waiting' } : undefined;
}

/** Pauses a rule that exceeds its hourly limit; a person then decides. */
async function tooMuch(trx: MirrorTrx, context: Automating, rule: LoadedRule): Promise<Refusal | undefined> {
  const { connection, clock } = context;
  const { count } = await trx
    .selectFrom('automation_sends')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('connection', '=', connection)
    .where('rule', '=', rule.name)
    .where('started_at', '>', instantOf(clock.now() - HOUR_MS))
    .where('outcome', 'in', [...OUT])
    .executeTakeFirstOrThrow();
  if (Number(count) < rule.max_per_hour) return undefined;
  const because = `${count} in an hour, and max_per_hour is ${rule.max_per_hour}`;
  await pauseRule(trx, context, rule.name, because);
  return { reason: 'paused', stop: 'waiting', detail: because };
}

/** Pauses a rule until a person resumes it. */
export async function pauseRule(trx: MirrorTrx, context: Automating, rule: string, because: string): Promise<boolean> {
  const now = instantOf(context.clock.now());
  const { numUpdatedRows } = await trx
    .updateTable('automation_rules')
    .set({ paused_at: now, paused_because: because })
    .where('connection', '=', context.connection)
    .where('rule', '=', rule)
    .where('paused_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) await writeLog(trx, context, [{ rule, what: 'paused', reason: 'paused', detail: because }]);
  return numUpdatedRows > 0n;
}

async function crowdedConversation(trx: MirrorTrx, context: Automating, plan: Plan): Promise<Refusal | undefined> {
  if (plan.conversation_id === null) return undefined;
  const now = context.clock.now();
  const sent = await ownSends(trx, context, plan.conversation_id);
  const free = roomAt(
    sent.map(({ atMs }) => atMs),
    now,
  );
  return free > now ? { reason: 'conversation_limit', stop: 'waiting', waitMs: free - now } : undefined;
}

/** Reserves the answer to a guest's message. A message gets one answer, whichever rule gives it. */
async function mayAnswer(trx: MirrorTrx, { connection, conversation_id, message_id, plan_id }: Plan): Promise<boolean> {
  if (conversation_id === null || message_id === null) return true;
  const columns = ['connection', 'conversation_id', 'message_id'] as const;
  await insertMany(trx, 'automation_answers', [{ connection, conversation_id, message_id, plan_id }], { columns });
  const row = await trx
    .selectFrom('automation_answers')
    .select('plan_id')
    .where('connection', '=', connection)
    .where('conversation_id', '=', conversation_id)
    .where('message_id', '=', message_id)
    .executeTakeFirstOrThrow();
  return row.plan_id === plan_id;
}

async function record(
  trx: MirrorTrx,
  context: Automating,
  plan: Plan,
  { text, intent }: Leaving,
): Promise<Refusal | undefined> {
  const now = instantOf(context.clock.now());
  const attempt = plan.attempts + 1;
  const { conversation_id } = plan;
  const result = intent && { result: JSON.stringify(intent) };
  const change = {
    reason: null,
    attempts: attempt,
    conversation_id,
    changed_at: now,
    ...result,
  };
  // If a person cancelled the plan, or another process took it, its state has changed.
  if (!(await movePlan(trx, plan, 'send', change))) return { reason: 'person', stop: 'waiting' };
  const { connection, plan_id, rule, action, stay_code, message_id } = plan;
  const what = { connection, plan_id, attempt, rule, action, stay_code, conversation_id, message_id };
  const send: AutomationSendsTable = {
    ...what,
    ...printOf(text, context.keyedHash),
    started_at: now,
    ended_at: null,
    outcome: next(sendLife, null, 'begin'),
    problem: null,
  };
  await insertMany(trx, 'automation_sends', [send]);
  // A person may have to see the text of a call under way.
  await keepDraft(trx, plan, { text }, now);
  return undefined;
}

/** Records the outcome of the newest attempt of a plan. */
export async function endSend(
  trx: MirrorTrx,
  { connection, clock }: Pick<Automating, 'connection' | 'clock'>,
  plan: Pick<Plan, 'plan_id'>,
  trigger: Exclude<TriggerOf<typeof sendLife>, 'begin'>,
  problem: string | null,
): Promise<void> {
  await trx
    .updateTable('automation_sends')
    .set({ outcome: next(sendLife, 'sending', trigger), problem, ended_at: instantOf(clock.now()) })
    .where('connection', '=', connection)
    .where('plan_id', '=', plan.plan_id)
    .where('outcome', 'in', sourcesOf(sendLife, trigger))
    .execute();
}

import { instantOf, instantWithin, msOf } from '../../kernel/dates.ts';
import { inList } from '../../store/queries/inList.ts';
import type { MirrorTrx } from '../../sync/tables/database.ts';
import type { Change } from '../../sync/feed/feed.ts';
import type { Automating } from '../context.ts';
import type { Reason } from '../reasons.ts';
import { occurrenceFor, partsOf } from '../rules/parts.ts';
import { isBeforeArmed, type LoadedRule } from '../rules/ruleBook.ts';
import { afterQuiet } from '../../kernel/quietHours.ts';
import { newPlan } from './newPlan.ts';
import { type Entry, insertPlans, type Plan, writeLog } from './table.ts';
import { notAfterMs, quietOf } from './wanted.ts';

/** Plans answers to new messages of guests. */
export async function planMessages(
  trx: MirrorTrx,
  context: Automating,
  changes: readonly Change[],
  rules: readonly LoadedRule[],
): Promise<void> {
  const answering = rules.filter(({ when, state }) => when.kind === 'message' && state !== 'draft').flatMap(partsOf);
  const fresh = changes.filter(
    ({ resource, op, needs_answer }) => resource === 'message' && op === 'created' && needs_answer === 1,
  );
  if (answering.length === 0 || fresh.length === 0) return;
  const rows = await trx
    .selectFrom('messages')
    .select(['message', 'conversation_id', 'message_id', 'sent_at'])
    .where('connection', '=', context.connection)
    .where((eb) =>
      inList(
        eb.ref('message'),
        fresh.map((change) => change.part ?? change.key),
      ),
    )
    .where('deleted_at', 'is', null)
    .execute();
  const plans: Plan[] = [];
  const entries: Entry[] = [];
  // Conversations are read newest first, but the first question gets the first answer.
  const inOrder = rows.toSorted((a, b) => ((a.sent_at ?? '') < (b.sent_at ?? '') ? -1 : 1));
  for (const message of inOrder) {
    const change = fresh.find((one) => message.message === (one.part ?? one.key));
    if (!change) continue;
    for (const rule of answering) {
      const plan = planOf(context, rule, message);
      const late = lateReason(context, rule, change, message.sent_at, plan);
      if (late === undefined) plans.push(plan);
      entries.push({ rule: rule.name, what: late === undefined ? 'planned' : 'skipped', plan, reason: late ?? null });
    }
  }
  await insertPlans(trx, plans);
  await writeLog(trx, context, entries);
}

interface Message {
  message: string;
  conversation_id: string;
  message_id: string;
  sent_at: string | null;
}

/**
 * Returns the reason why a message gets no automatic answer: it was written before the arming or too long ago, however
 * it arrives now (first read, restore, late discovery).
 */
function lateReason(
  { clock, timekeeper }: Automating,
  rule: LoadedRule,
  change: Change,
  sent: string | null,
  plan: Plan,
): Reason | undefined {
  if (change.seq <= rule.armed_seq || sent === null || isBeforeArmed(rule, sent)) return 'before_armed';
  // With a wrong clock the answer is planned, and judged when the clock is right.
  return plan.not_after < instantOf(clock.now()) && timekeeper.seemsRight() ? 'too_late' : undefined;
}

function planOf(
  context: Automating,
  rule: LoadedRule,
  { message, conversation_id, message_id, sent_at }: Message,
): Plan {
  const now = instantOf(context.clock.now());
  const due_at = instantOf(context.clock.now() + rule.wait);
  const send_at = afterQuiet(due_at, quietOf(rule, context.settings), context.zone());
  // Counted from the message itself: one that is found days later is no longer answered.
  const wanted = instantWithin(msOf(sent_at ?? now) + rule.wait);
  const latest = afterQuiet(wanted, quietOf(rule, context.settings), context.zone());
  return newPlan(context, rule, {
    subject: `message:${message}`,
    occurrence: occurrenceFor(rule, 'answer'),
    conversation_id,
    message_id,
    basis: '{}',
    due_at,
    send_at,
    not_after: instantWithin(msOf(latest) + notAfterMs(rule)),
  });
}

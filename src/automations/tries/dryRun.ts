import { turn } from '../../kernel/clock.ts';
import { addDaysWithin, dateIn, instantOf, instantWithin, msOf, type Instant } from '../../kernel/dates.ts';
import { actions } from '../actions/all.ts';
import type { Action } from '../actions/action.ts';
import { type DryDrafts, dryDrafts } from '../ai/dryDrafts.ts';
import type { Automating } from '../context.ts';
import type { DryRow } from './dryRow.ts';
import { overTasks } from './dryTasks.ts';
import { type Facts, noFacts } from '../facts/facts.ts';
import { textFor } from '../language.ts';
import { DAYS_BACK, type MirroredStay, staysByCode, stayPage } from '../facts/mirrorFacts.ts';
import { contentsOf } from '../facts/mirrorMessages.ts';
import { guestFacts, mirrorScope } from '../facts/mirrorScope.ts';
import { mirroredNextNights } from '../perform/nights.ts';
import { arrivesSameDay } from '../perform/actionContext.ts';
import { factsOf, isTimeRule, type TimeRule, wantedFor } from '../plans/wanted.ts';
import { reasonText } from '../reasons.ts';
import type { ActionName } from '../rules/actions.ts';
import { asksForNights, failingCondition } from '../rules/conditions.ts';
import { partsOf } from '../rules/parts.ts';
import type { LoadedRule } from '../rules/ruleBook.ts';
import { MissingValue, renderTemplate } from '../../kernel/markup/templates.ts';

const PAGE = 50;

export interface DryQuestion {
  rule?: string | undefined;
  since: Instant;
  limit: number;
  /** True to ask the language model too. */
  ask?: boolean;
}

export interface DryRun {
  rows: DryRow[];
  /** Number of all actions, including those beyond the limit. */
  acts: number;
  skips: number;
  /** Rules whose past the mirror cannot reconstruct, with the reason. */
  untried: { rule: string; because: string }[];
}

/** Reasons why rules of these kinds are not tried on the past. */
const UNTRIED: Readonly<Partial<Record<LoadedRule['when']['kind'], string>>> = {
  change: 'acts on changes as they come',
  event: 'acts on events as they come',
  every: 'looks at prices and nights as they are at its time',
};

/**
 * Returns the actions that rules would have taken since a moment, by the mirror of today. Asks upstream nothing and
 * does nothing. Facts of a conversation, such as an earlier answer or an earlier text, count as far as they are
 * mirrored.
 */
export async function dryRun(context: Automating, question: DryQuestion): Promise<DryRun> {
  const asked = context.book.rules.filter(({ name }) => question.rule === undefined || name === question.rule);
  const rules = asked.flatMap(partsOf);
  const untried = asked.flatMap(({ name, when }) => {
    const because = UNTRIED[when.kind];
    return because === undefined ? [] : [{ rule: name, because }];
  });
  const run: DryRun = { rows: [], acts: 0, skips: 0, untried };
  const add = (row: DryRow) => {
    if (row.would === 'act') run.acts += 1;
    else run.skips += 1;
    if (run.rows.length < question.limit) run.rows.push(row);
  };
  const timed = rules.filter((rule): rule is LoadedRule & TimeRule => isTimeRule(rule));
  await overStays(context, timed, question.since, add);
  await overTasks(context, rules, question.since, add);
  await overMessages(
    context,
    rules.filter(({ when }) => when.kind === 'message'),
    question.since,
    add,
    dryDrafts(context, question.ask ?? false, () => run.rows.length < question.limit),
  );
  return run;
}

type Add = (row: DryRow) => void;

async function overStays(
  context: Automating,
  rules: readonly (LoadedRule & TimeRule)[],
  since: Instant,
  add: Add,
): Promise<void> {
  if (rules.length === 0) return;
  const { store, signal } = context;
  const from = addDaysWithin(since.slice(0, 10), -DAYS_BACK);
  for (let after: string | undefined = ''; after !== undefined && !signal.aborted; await turn()) {
    const page: MirroredStay[] = await stayPage(store.db, context, { after, since: from, limit: PAGE });
    for (const mirrored of page) {
      for (const rule of rules) {
        const row = await stayRow(context, rule, mirrored, since);
        if (row) add(row);
      }
    }
    after = page.length === PAGE ? page.at(-1)?.stay.stay_code : undefined;
  }
}

async function stayRow(
  context: Automating,
  rule: LoadedRule & TimeRule,
  { stay, property }: MirroredStay,
  since: Instant,
): Promise<DryRow | undefined> {
  const row = { rule: rule.name, about: stay.stay_code, text: null };
  const wanted = wantedFor(rule, stay, property, context.settings);
  if ('none' in wanted) {
    // A stay that was over before needs no line.
    if ((stay.booked_at ?? since) < since && stay.check_out_date < since.slice(0, 10)) return undefined;
    return { ...row, at: null, would: 'not act', because: reasonText(wanted.none, wanted.detail) };
  }
  const now = instantOf(context.clock.now());
  if (wanted.send_at < since || wanted.send_at > now) return undefined;
  const at = wanted.send_at;
  const day = dateIn(property?.zone ?? context.zone(), msOf(at));
  const facts: Facts = {
    ...factsOf(stay, property),
    arrivesSameDay: await arrivesSameDay(context, { stay }),
    ...(await guestFacts(context, rule.if, stay, day)),
    nextNights: asksForNights(rule.if) ? await mirroredNextNights(context, stay) : undefined,
  };
  const failing = failingCondition(rule.if, facts);
  if (failing) return { ...row, at, would: 'not act', because: reasonText('condition', failing) };
  return { ...row, at, ...(await wordsFor(context, rule, facts, wanted.basis.last_minute === true)) };
}

type Words = Pick<DryRow, 'would' | 'because' | 'text'>;

async function wordsFor(context: Automating, rule: LoadedRule, facts: Facts, isLate: boolean): Promise<Words> {
  if (rule.do.name !== 'message' && rule.do.name !== 'draft' && rule.do.name !== 'guest_review') {
    const action = actions[rule.do.name] as Action<ActionName>;
    return { would: 'act', because: rule.do.name, text: action.outline?.(rule.do.with) ?? null };
  }
  const { scope, language } = await mirrorScope(context, facts);
  const texts = (isLate ? rule.if_past?.text : null) ?? rule.do.with.text;
  try {
    const text = renderTemplate(textFor(texts, language, context.settings.language).text, scope);
    return { would: 'act', because: isLate ? 'booked late' : rule.do.name, text };
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    return { would: 'not act', because: reasonText('missing', error.field), text: null };
  }
}

async function overMessages(
  context: Automating,
  rules: readonly LoadedRule[],
  since: Instant,
  add: Add,
  drafts: DryDrafts,
): Promise<void> {
  if (rules.length === 0) return;
  const { store, connection, signal } = context;
  const { db } = store;
  let next: { sent_at: Instant; message: string } | undefined = { sent_at: since, message: '' };
  for (; next !== undefined && !signal.aborted; await turn()) {
    const after: { sent_at: Instant; message: string } = next;
    const page = await db
      .selectFrom('messages')
      .select(['message', 'conversation_id', 'message_id', 'sent_at'])
      .where('connection', '=', connection)
      .where('sender_role', '=', 'guest')
      // Many messages share a second, which is the precision of the API.
      .where((eb) =>
        eb.or([
          eb('sent_at', '>', after.sent_at),
          eb.and([eb('sent_at', '=', after.sent_at), eb('message', '>', after.message)]),
        ]),
      )
      .where('deleted_at', 'is', null)
      .orderBy('sent_at')
      .orderBy('message')
      .limit(PAGE)
      .execute();
    const texts = await contentsOf(
      context,
      page.map((row) => row.message),
    );
    for (const row of page) {
      for (const rule of rules) {
        const content = texts.get(row.message) ?? '';
        add(await messageRow(context, rule, { ...row, sent_at: row.sent_at ?? after.sent_at, content }, drafts));
      }
    }
    const last = page.at(-1);
    next = page.length === PAGE && last?.sent_at ? { sent_at: last.sent_at, message: last.message } : undefined;
  }
}

interface MirroredMessage {
  conversation_id: string;
  message_id: string;
  sent_at: Instant;
  content: string;
}

async function messageRow(
  context: Automating,
  rule: LoadedRule,
  message: MirroredMessage,
  drafts: DryDrafts,
): Promise<DryRow> {
  const { store, connection } = context;
  const { conversation_id, message_id, sent_at, content } = message;
  const at = instantWithin(msOf(sent_at) + rule.wait);
  const row = { rule: rule.name, about: `${conversation_id} ${message_id}`, at, text: null };
  const answer = await store.db
    .selectFrom('messages')
    .select('message_id')
    .where('connection', '=', connection)
    .where('conversation_id', '=', conversation_id)
    .where('sender_role', '!=', 'guest')
    .where('sent_at', '>', sent_at)
    .where('sent_at', '<=', at)
    .limit(1)
    .executeTakeFirst();
  if (answer && rule.cancel_if_host_replied) return { ...row, would: 'not act', because: reasonText('answered') };
  const stays = await staysOfConversation(context, conversation_id);
  if (stays.length > 1) return { ...row, would: 'not act', because: reasonText('several_stays') };
  const [only] = stays;
  const day = dateIn(only?.property?.zone ?? context.zone(), msOf(at));
  const facts: Facts = {
    ...(only ? factsOf(only.stay, only.property) : noFacts),
    message: { message_id, content, sent_at },
    ...(await guestFacts(context, rule.if, only?.stay ?? null, day)),
  };
  const failing = failingCondition(rule.if, facts);
  if (failing) return { ...row, would: 'not act', because: reasonText('condition', failing) };
  if (rule.do.name !== 'ai_draft') return { ...row, ...(await wordsFor(context, rule, facts, false)) };
  const { scope, language } = await mirrorScope(context, facts);
  return { ...row, ...(await drafts.words({ rule, spec: rule.do.with, facts, conversation_id, scope, language })) };
}

async function staysOfConversation(context: Automating, conversation_id: string): Promise<MirroredStay[]> {
  const rows = await context.store.db
    .selectFrom('stays')
    .select('stay_code')
    .where('connection', '=', context.connection)
    .where('conversation_id', '=', conversation_id)
    .where('status', '=', 'accepted')
    .where('deleted_at', 'is', null)
    .execute();
  return staysByCode(
    context.store.db,
    context,
    rows.map((row) => row.stay_code),
  );
}
